/** Compares any two of a server, a policy and a list. */
import type {DiffJson} from '../model/documents.js';
import {Failure} from '../../client/failure.js';
import {countNoun} from '../../json/text.js';
import {desiredOf} from './compare.js';
import type {Kind} from '../sections/policy-kind.js';
import type {List} from '../lists/list.js';
import {differenceFailure, kindsText, subjectOf} from './row-text.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {kinds} from '../sections/index.js';
import {compareText} from '../source/location.js';
import type {Target} from './target.js';
import {areFiltersAlike} from '../model/filter-value.js';
import {isBlock, isFilter, isThere, type Value} from '../model/value.js';
import {textOf} from './rows.js';
import {policyViews} from './views.js';
import {inert} from '../../print/inert.js';

/** The account as which a server is read. */
type DiffAccount = Pick<Target, 'client' | 'now' | 'own' | 'server'> & {
  /** The name of the account; undefined: the server does not say. */
  readonly account: () => Promise<string | undefined>;
  readonly isAdmin: boolean;
};

export interface DiffSide {
  readonly name: string;
  /** The host of the server, or of the server that a policy is for; undefined: any. */
  readonly host: string | undefined;
  /** Set if the side is a server. */
  readonly account?: DiffAccount;
  /** Set if the side is a policy. */
  readonly given?: PolicyWithLists;
  /** The sections that the side can have. */
  readonly keys: ReadonlySet<string>;
  /** The items of a kind, by name. @param host the server of accounts that are written without one @param other the account that a policy is compared with */
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

/** The kinds that both sides can have. Server blocks, which only admins may read, take a policy, or admins on both sides. */
function commonKinds(left: DiffSide, right: DiffSide): Kind[] {
  const isAsked = left.given !== undefined || right.given !== undefined;
  const areAdmins = [left, right].every(({account}) => account?.isAdmin === true);
  return kinds.filter(({key, owner}) => left.keys.has(key) && right.keys.has(key) && (owner === 'account' || isAsked || areAdmins));
}

/** An item in words. Of a block only the severity counts: comments and flags are no difference. */
const itemText = (kind: Kind, value: Value | undefined): string | null =>
  value === undefined ? null : isBlock(value) ? value.severity : textOf(kind, value);

export const diffView = (left: Pick<DiffSide, 'name'>, right: Pick<DiffSide, 'name'>) =>
  policyViews.differences(inert(left.name), inert(right.name));

/**
 * Reads and compares two sides, and says which sections were left out.
 * @throws Failure `usage` when the sides have no section in common; also when a side cannot be read
 */
export async function diff(left: DiffSide, right: DiffSide) {
  const common = commonKinds(left, right);
  if (common.length === 0) throw new Failure('usage', `${left.name} and ${right.name} have no part in common`);
  const host = left.host ?? right.host ?? '';
  const differences: DiffJson['differences'][number][] = [];
  const differing: {readonly kind: Kind}[] = [];
  for (const kind of common) {
    const [one, other] = [await left.side(kind, host, right.account), await right.side(kind, right.host ?? host, left.account)];
    for (const name of [...new Set([...one.keys(), ...other.keys()])].sort(compareText)) {
      const [mine, others] = [one.get(name), other.get(name)];
      const [leftText, rightText] = [itemText(kind, mine), itemText(kind, others)];
      const isSame = isFilter(mine) && isFilter(others) ? areFiltersAlike(mine, others) : leftText === rightText;
      if (isSame) continue;
      differences.push({kind: kind.kind, subject: subjectOf({kind, name}, host), left: leftText, right: rightText});
      differing.push({kind});
    }
  }
  const document: DiffJson = {left: left.name, right: right.name, differences};
  const count = `${countNoun(differences.length, 'difference')} between ${left.name} and ${right.name}`;
  return {
    document,
    view: diffView(left, right),
    at: ['differences'],
    notes: [...leftOutOf(left, right), ...leftOutOf(right, left)],
    failure: differenceFailure(differences.length === 0 ? [] : [`${count}: ${kindsText(differing)}.`]),
  };
}

/** A note about sections of a policy that the other side cannot have. */
function leftOutOf(side: DiffSide, other: DiffSide): string[] {
  const keys = side.given === undefined ? [] : [...side.keys].filter((key) => !other.keys.has(key)).sort(compareText);
  if (keys.length === 0) return [];
  return [`Not compared, because only ${side.name} has ${keys.length === 1 ? 'it' : 'them'}: ${keys.join(', ')}.`];
}
