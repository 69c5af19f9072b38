/** Compares any two of a server, a policy and a list. */
import type {DiffJson} from '../model/documents.js';
import {Failure} from '../../client/failure.js';
import {countNoun} from '../../json/text.js';
import {desiredOf} from './compare.js';
import type {Kind} from '../sections/policy-kind.js';
import type {List} from '../lists/list.js';
import {kindsText, subjectOf} from './row-text.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {kindOf, kinds} from '../sections/index.js';
import {compareText} from '../source/location.js';
import type {Target} from './target.js';
import {areFiltersAlike} from '../model/filter-value.js';
import {isBlock, isFilter, isThere, type Value} from '../model/value.js';
import {textOf} from './rows.js';

/** The account of a server, as which it is read. */
type DiffAccount = Pick<Target, 'client' | 'now' | 'own' | 'server'> & {
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
  readonly given?: PolicyWithLists;
  /** The sections that it knows. */
  readonly keys: ReadonlySet<string>;
  /** What it has of a kind, by name. @param host of accounts that are written without one @param other the account that a policy is compared with */
  side(kind: Kind, host: string, other?: DiffAccount): Promise<ReadonlyMap<string, Value>>;
}

export const diffSides = {
  server: (name: string, account: DiffAccount): DiffSide => ({
    name,
    host: account.server.host,
    account,
    keys: new Set(kinds.map(({key}) => key)),
    async side(kind) {
      const {client, server, own, now} = account;
      const {items} = await kind.read(client, {host: server.host, own, now: now()});
      return new Map(Array.from(items, ([name, {value}]): [string, Value] => [name, value]).filter(([, value]) => isThere(value)));
    },
  }),
  policy(name: string, given: PolicyWithLists): DiffSide {
    const {policy} = given;
    const all = [policy, ...(policy.variants?.values() ?? [])];
    return {
      name,
      host: policy.server?.value.host,
      given,
      keys: new Set(all.flatMap(({rules}) => [...rules.keys()])),
      async side(kind, host, other) {
        const own = other === undefined ? given : policyFor(given, await other.account(), other.server.host);
        const {want} = desiredOf(kind, own, host);
        return new Map(
          Array.from(want, ([key, {facts, value}]) => [key, kind.owner === 'server' ? (facts ?? {severity: 'suspend'}) : value]),
        );
      },
    };
  },
  list(name: string, list: List): DiffSide {
    const keys = kinds.flatMap(({key, lists}) => (lists?.read({...list, entries: []}, '') === undefined ? [] : key));
    return {name, host: undefined, keys: new Set(keys), side: async ({lists}, host) => lists?.read(list, host) ?? new Map()};
  },
} as const;

/** The kinds that both sides know. What is a whole server's, which not everybody may read, a policy has to ask for, or two accounts of admins. */
function commonKinds(left: DiffSide, right: DiffSide): Kind[] {
  const isAsked = left.given !== undefined || right.given !== undefined;
  const areAdmins = [left, right].every(({account}) => account?.isAdmin === true);
  return kinds.filter(({key, owner}) => left.keys.has(key) && right.keys.has(key) && (owner === 'account' || isAsked || areAdmins));
}

/** An item in words: what is said of a block besides its severity is no difference. */
const itemText = (kind: Kind, value: Value | undefined): string | null =>
  value === undefined ? null : isBlock(value) ? value.severity : textOf(kind, value);

/** Reads and compares two sides. @throws Failure `usage` where they have no section in common; that of what cannot be read */
export async function diff(left: DiffSide, right: DiffSide): Promise<DiffJson> {
  const common = commonKinds(left, right);
  if (common.length === 0) throw new Failure('usage', `${left.name} and ${right.name} have no part in common`);
  const host = left.host ?? right.host ?? '';
  const differences: DiffJson['differences'][number][] = [];
  for (const kind of common) {
    const [one, other] = [await left.side(kind, host, right.account), await right.side(kind, right.host ?? host, left.account)];
    for (const name of [...new Set([...one.keys(), ...other.keys()])].sort(compareText)) {
      const [mine, others] = [one.get(name), other.get(name)];
      const [leftText, rightText] = [itemText(kind, mine), itemText(kind, others)];
      const isSame = isFilter(mine) && isFilter(others) ? areFiltersAlike(mine, others) : leftText === rightText;
      if (!isSame) differences.push({kind: kind.kind, subject: subjectOf({kind, name}, host), left: leftText, right: rightText});
    }
  }
  return {left: left.name, right: right.name, differences};
}

/** How many differences there are, of which kinds: `drift`; undefined where there are none. */
export function differenceFailure({left, right, differences}: DiffJson): Failure | undefined {
  if (differences.length === 0) return undefined;
  const count = countNoun(differences.length, 'difference');
  const kinds = differences.flatMap((one) => {
    const kind = kindOf(one.kind);
    return kind === undefined ? [] : {kind};
  });
  return new Failure('drift', `${count} between ${left} and ${right}`, {closing: [`${count}: ${kindsText(kinds)}.`]});
}
