/** Compares any two of a server, a policy and a list. */
import {type Kind, type Target, unknownAccount} from './model/difference.js';
import type {DiffJson} from './model/documents.js';
import type {List} from './lists/list.js';
import {neededParts} from './plan/plan.js';
import {wantedFor} from './reading/read-wanted.js';
import {kindsText} from './reports/text.js';
import {compareText} from './source/location.js';
import {type HoldingSection, holding, holdingKeys} from './sections/index.js';
import {readState} from './sections/read-state.js';
import {Failure} from '../client/failure.js';
import {counted} from '../json/text.js';
import type {Side} from './section/section.js';
import type {SectionKey} from './model/section-types.js';
import type {State} from './model/server-state.js';
import type {Wanted} from './lists/wanted.js';

/** What a side has, by the sections that it has rules for. */
type Moderation = ReadonlyMap<SectionKey, Side>;

interface SideDifference {
  readonly kind: Kind;
  readonly subject: string;
  /** What the first side has; null: nothing. */
  readonly left: string | null;
  readonly right: string | null;
}

function moderation(sideOf: (section: HoldingSection) => Side | undefined): Moderation {
  return new Map(
    holding.flatMap((section) => {
      const side = sideOf(section);
      return side === undefined ? [] : [[section.key, side] as const];
    }),
  );
}

/** @throws Failure when a part could not be read */
export function moderationOfState(state: State, now: Date): Moderation {
  return moderation((section) => section.holding.ofState(state, now));
}

/** @param host of the accounts that are written without one */
export function moderationOfPolicy(wanted: Wanted, host: string): Moderation {
  return moderation((section) => section.holding.ofPolicy(wanted, host));
}

/** The sections that a list is about. */
function partsOfList(list: List): ReadonlySet<SectionKey> {
  return new Set(moderationOfList({...list, entries: []}, '').keys());
}

/** @param host of the accounts that are written without one */
export function moderationOfList(list: List, host: string): Moderation {
  return moderation((section) => section.holding.ofList(list, host));
}

/** Compares the sections that both sides have. */
export function differencesBetween(left: Moderation, right: Moderation): SideDifference[] {
  return holding.flatMap((section) => sideDifferences(section, left.get(section.key), right.get(section.key)));
}

function sideDifferences({kind, holding: own}: HoldingSection, left: Side | undefined, right: Side | undefined): SideDifference[] {
  if (!left || !right) return [];
  const isSame = (subject: string) => left.has(subject) && right.has(subject) && own.areSame(left.get(subject), right.get(subject));
  const text = (side: Side, subject: string) => (side.has(subject) ? own.sideText(side.get(subject)) : null);
  const different: string[] = [];
  for (const subject of left.keys()) if (!isSame(subject)) different.push(subject);
  for (const subject of right.keys()) if (!left.has(subject)) different.push(subject);
  return different.sort(compareText).map((subject) => ({kind, subject, left: text(left, subject), right: text(right, subject)}));
}

/** The account of a server, as which it is read. */
type DiffAccount = Pick<Target, 'client' | 'now' | 'server'> & {
  /** As the server calls it; undefined: it does not say. */
  readonly account: () => Promise<string | undefined>;
  readonly isAdmin: boolean;
};

/** A server, a policy or a list that is compared. */
export interface DiffSide {
  readonly name: string;
  /** The server that it is, or is meant for; undefined: any. */
  readonly host: string | undefined;
  /** Set where it is a server. */
  readonly account?: DiffAccount;
  /** Set where it is a policy. */
  readonly wanted?: Wanted;
  /** The sections that it has rules for. */
  readonly parts: ReadonlySet<SectionKey>;
  /**
   * @param host of accounts that are written without one @param parts that a server is asked for
   * @param other the account that a policy is compared with
   */
  readonly moderation: (host: string, parts: ReadonlySet<SectionKey>, other?: DiffAccount) => Promise<Moderation>;
}

const comparable: ReadonlySet<SectionKey> = new Set(holdingKeys);
const ofAccounts: ReadonlySet<SectionKey> = new Set(holding.flatMap(({key, owner}) => (owner === 'account' ? key : [])));

function serverSide(name: string, account: DiffAccount): DiffSide {
  const {client, server, now} = account;
  const moderationOf: DiffSide['moderation'] = async (_, parts) => moderationOfState(await readState(client, server.origin, parts), now());
  return {name, host: server.host, account, parts: comparable, moderation: moderationOf};
}

function policySide(name: string, wanted: Wanted): DiffSide {
  const {server, variants} = wanted.policy;
  const parts = [wanted.policy, ...(variants?.values() ?? [])].map((policy) => neededParts(policy)).reduce((all, some) => all.union(some));
  const moderationOf: DiffSide['moderation'] = async (host, _, other) => {
    if (other === undefined || variants === undefined) return moderationOfPolicy(wanted, host);
    const account = (await other.account()) ?? unknownAccount;
    return moderationOfPolicy(wantedFor(wanted, {account, server: other.server}), host);
  };
  return {name, host: server?.value.host, wanted, parts: parts.intersection(comparable), moderation: moderationOf};
}

const listSide = (name: string, list: List): DiffSide => ({
  name,
  host: undefined,
  parts: partsOfList(list),
  moderation: async (host) => moderationOfList(list, host),
});

export const diffSides = {server: serverSide, policy: policySide, list: listSide} as const;

/** The sections that both sides have. What is a whole server's, which not everybody may read, a policy has to ask for, or two accounts of admins. */
function commonParts(left: DiffSide, right: DiffSide): ReadonlySet<SectionKey> {
  const common = left.parts.intersection(right.parts);
  const isAsked = left.wanted !== undefined || right.wanted !== undefined;
  const areAdmins = [left, right].every(({account}) => account?.isAdmin === true);
  return isAsked || areAdmins ? common : common.intersection(ofAccounts);
}

/** Reads and compares two sides. @throws Failure `usage` where they have no section in common; that of what cannot be read */
export async function diff(left: DiffSide, right: DiffSide): Promise<DiffJson> {
  const parts = commonParts(left, right);
  if (parts.size === 0) throw new Failure('usage', `${left.name} and ${right.name} have no part in common`);
  const host = left.host ?? right.host ?? '';
  const differences = differencesBetween(
    await left.moderation(host, parts, right.account),
    await right.moderation(right.host ?? host, parts, left.account),
  );
  return {left: left.name, right: right.name, differences};
}

/** How many differences there are, of which kinds. @throws Failure `drift` where there are some */
export function refuseDifferences({left, right, differences}: DiffJson): void {
  if (differences.length === 0) return;
  const count = counted(differences.length, 'difference');
  throw new Failure('drift', `${count} between ${left} and ${right}`, {closing: [`${count}: ${kindsText(differences)}.`]});
}
