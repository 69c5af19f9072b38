/** Compares any two of a server, a policy and a list. */
import {Failure} from '../../client/failure.js';
import {countNoun} from '../../json/text.js';
import type {DomainList} from '../lists/list.js';
import type {DiffJson} from '../model/documents.js';
import {areFiltersAlike} from '../model/filter-value.js';
import {isBlock, isFilter, isThere, textOf, type Value} from '../model/value.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {kinds} from '../sections/index.js';
import {type Kind, kindName} from '../sections/policy-kind.js';
import {itemsIn} from '../sections/written.js';
import {compareText} from '../source/location.js';
import {desiredOf, readKind} from './compare.js';
import {differenceFailure, kindsText, subjectOf} from './row-text.js';
import type {Target} from './target.js';
import {policyViews} from './views.js';

type DiffAccount = Pick<Target, 'client' | 'now' | 'server'> & {
  /** The name of the account; undefined: the server does not say. */
  readonly account: () => Promise<string | undefined>;
  readonly isAdmin: boolean;
  /** Adds the hint for the account to a failure: the other side may be of another account. */
  readonly failureOf: (error: unknown) => Failure;
};

interface DiffSide {
  readonly name: string;
  readonly account?: DiffAccount | undefined;
  readonly given?: PolicyWithLists | undefined;
  readonly list?: DomainList | undefined;
}

function kindsOf({given, list}: DiffSide): readonly Kind[] {
  if (list !== undefined) return kinds.filter(({section}) => section.noun === 'domain');
  if (given === undefined) return kinds;
  const all = [given.policy, ...(given.policy.variants?.values() ?? [])];
  return kinds.filter(({key}) => all.some(({rules}) => rules.has(key)));
}

/** The kinds that both sides can have. Server blocks, which only admins may read, take a policy, or admins on both sides. */
function commonKinds(left: DiffSide, right: DiffSide): Kind[] {
  const others = new Set(kindsOf(right));
  const isAsked = left.given !== undefined || right.given !== undefined;
  const areAdmins = [left, right].every(({account}) => account?.isAdmin === true);
  return kindsOf(left).filter((kind) => others.has(kind) && (kind.owner === 'account' || isAsked || areAdmins));
}

/** The host of the server, or of the server that a policy is for; undefined: any. */
const hostOf = ({account, given}: DiffSide): string | undefined => account?.server.host ?? given?.policy.server?.value.host;

/**
 * The items of a kind, by name.
 * @param host the server of accounts that are written without one
 * @param other the side that it is compared with
 */
async function itemsOf({account, given, list}: DiffSide, kind: Kind, host: string, other: DiffSide): Promise<ReadonlyMap<string, Value>> {
  if (account !== undefined) {
    const {items} = await readKind(kind, account).catch((error: unknown) => {
      throw account.failureOf(error);
    });
    return new Map(Array.from(items, ([name, {value}]): [string, Value] => [name, value]).filter(([, value]) => isThere(value)));
  }
  if (given === undefined) return list === undefined ? new Map() : itemsIn(list, kind);
  const named = other.account;
  const own = named === undefined ? given : policyFor(given, await named.account(), named.server.host);
  const {want} = desiredOf(kind, own, host);
  return new Map(Array.from(want, ([name, {facts, value}]) => [name, kind.owner === 'server' ? (facts ?? {severity: 'suspend'}) : value]));
}

/** An item in words. Of a block only the severity counts: comments and flags are no difference. */
const itemText = (kind: Kind, value: Value | undefined): string | null =>
  value === undefined ? null : isBlock(value) ? value.severity : textOf(kind, value);

/**
 * Reads and compares two sides, and says which sections were left out.
 * @throws Failure `usage` when the sides have no section in common; also when a side cannot be read
 */
export async function diff(left: DiffSide, right: DiffSide) {
  const common = commonKinds(left, right);
  if (common.length === 0) throw new Failure('usage', `${left.name} and ${right.name} have no part in common`);
  const [host, otherHost] = [hostOf(left) ?? hostOf(right) ?? '', hostOf(right) ?? hostOf(left) ?? ''];
  const differences: DiffJson['differences'][number][] = [];
  const differing: {readonly kind: Kind}[] = [];
  for (const kind of common) {
    const [one, other] = [await itemsOf(left, kind, host, right), await itemsOf(right, kind, otherHost, left)];
    for (const name of [...new Set([...one.keys(), ...other.keys()])].sort(compareText)) {
      const [mine, others] = [one.get(name), other.get(name)];
      const [leftText, rightText] = [itemText(kind, mine), itemText(kind, others)];
      const isSame = isFilter(mine) && isFilter(others) ? areFiltersAlike(mine, others) : leftText === rightText;
      if (isSame) continue;
      differences.push({kind: kindName(kind), subject: subjectOf({kind, name}, host), left: leftText, right: rightText});
      differing.push({kind});
    }
  }
  const document: DiffJson = {left: left.name, right: right.name, differences};
  const count = `${countNoun(differences.length, 'difference')} between ${left.name} and ${right.name}`;
  return {
    document,
    view: policyViews.differences(left.name, right.name),
    at: ['differences'],
    notes: [...leftOutOf(left, right), ...leftOutOf(right, left)],
    failure: differenceFailure(differences.length === 0 ? [] : [`${count}: ${kindsText([differing])}.`]),
  };
}

/** A note about sections of a policy that the other side cannot have. */
function leftOutOf(side: DiffSide, other: DiffSide): string[] {
  const others = new Set(kindsOf(other));
  const keys = side.given === undefined ? [] : kindsOf(side).flatMap((kind) => (others.has(kind) ? [] : kind.key));
  if (keys.length === 0) return [];
  return [`Not compared, because only ${side.name} has ${keys.length === 1 ? 'it' : 'them'}: ${keys.sort(compareText).join(', ')}.`];
}
