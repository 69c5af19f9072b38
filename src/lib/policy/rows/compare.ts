/** Compares one account with a policy: reads what is needed, settles what an interrupted run left open, and makes rows. */
import {asFailure, Failure} from '../../client/failure.js';
import type {Owned} from '../model/policy-state.js';
import {isAsSet, isBlock, type Value} from '../model/value.js';
import {policyFor, type PolicyWithLists} from '../reading/read-policy.js';
import {isOfDomains, kinds} from '../sections/index.js';
import {namesWanted} from '../sections/names.js';
import {type Actual, type Circumstances, type Desired, keyOf, type Kind, type Row} from '../sections/policy-kind.js';
import type {StateFile} from '../state/file.js';
import {findGone, rowsOf} from './rows.js';
import {readStates, type States} from './states.js';
import {type About, type Known, type Shown, type Target, unknownAccount} from './target.js';

export interface Compared {
  readonly kind: Kind;
  readonly desired: Desired;
  readonly actual: Actual;
  readonly rows: readonly Row[];
}

/** What an account, or a server, and a policy differ in: views of this are printed, and apply carries it out. */
export interface Comparison extends About, Shown {
  readonly label: string | undefined;
  readonly when: Date;
  readonly given: PolicyWithLists;
  /** The states, with open writes settled; undefined: they could not be read, so nothing counts as made by apply. */
  readonly states: States | undefined;
  readonly kinds: readonly Compared[];
  /** All differences, in the order of kinds. */
  readonly findings: readonly Row[];
  readonly held: readonly Row[];
  readonly unread: readonly {readonly kind: Kind; readonly failure: Failure}[];
  readonly failure: Failure | undefined;
}

type Found = Partial<Pick<Comparison, 'failure' | 'kinds' | 'states' | 'unread'>>;

/** @param found nothing for an account that could not be read, but for the failure */
export function comparisonOf({server, account, owner, label, advice, now}: Known, given: PolicyWithLists, found: Found): Comparison {
  const {states, kinds: compared = [], unread = [], failure = failureOf(unread, server.host)} = found;
  const rows = compared.flatMap((one) => one.rows);
  return {
    server: server.origin,
    account: owner === 'server' ? server.host : (account ?? unknownAccount),
    policy: given.policy.file,
    host: server.host,
    advice,
    showsPrivate: given.showsPrivate,
    label,
    when: now(),
    given,
    states,
    kinds: compared,
    findings: rows.filter(({action}) => action !== 'held'),
    held: rows.filter(({action}) => action === 'held'),
    unread,
    failure,
  };
}

export const isChange = ({action}: Pick<Row, 'action'>): boolean => action === 'add' || action === 'remove' || action === 'update';

/** Removals first: they make room where the server allows no more. */
const ranks = {remove: 0, update: 1, add: 2, cannot: 3, held: 3} as const;

/** The rows that change something, in the order of a plan: filters come last. */
export function changesIn({kinds: all}: Pick<Comparison, 'kinds'>, isUndo = false): Row[] {
  const filtersLast = all.toSorted((one, other) => Number(one.kind.key === 'filters') - Number(other.kind.key === 'filters'));
  return filtersLast.flatMap(({kind, rows}) => {
    const changes = rows.filter(isChange);
    return kind.order?.(changes, isUndo) ?? changes.sort((one, other) => ranks[one.action] - ranks[other.action]);
  });
}

const isFullBlock = (value: Value | null): boolean => value === true || (isBlock(value) && value.severity === 'suspend');

/** Whether a row blocks an account or a domain that was not blocked, or only silenced. */
export const isNewBlock = ({kind: {done}, has, want, ...row}: Pick<Row, 'action' | 'has' | 'kind' | 'want'>): boolean =>
  done === 'blocked' && isChange(row) && !isFullBlock(has) && isFullBlock(want);

/** The rows that end follows for good, in one direction or the other. Where Pixelfed blocks a server, follows stay. */
export const endingFollows = (rows: readonly Row[], {server}: Actual): readonly Row[] =>
  server?.software === 'pixelfed' ? [] : rows.filter(isNewBlock);

/** The failure that a run ends with when parts could not be read: a bad answer comes first. */
function failureOf(unread: Comparison['unread'], host: string): Failure | undefined {
  const first = unread.find(({failure}) => failure.code === 'bad_answer') ?? unread[0];
  return (
    first &&
    new Failure(first.failure.code, `Cannot read the ${first.kind.item}s of ${host}: ${first.failure.message}`, first.failure.details)
  );
}

/** The kinds to compare: those that the policy has rules for, or a state has items of. */
function kindsFor({policy, only}: PolicyWithLists, {owner}: Target, states: States): Kind[] {
  return kinds.filter((kind) => {
    if (owner !== undefined && kind.owner !== owner) return false;
    const state = states[kind.owner]?.state;
    const has = (keys: Iterable<string>) => [...keys].some((one) => one.startsWith(keyOf(kind, '')));
    if (state !== undefined && has(state.open.keys())) return true;
    if (only?.includes(kind.key) === false) return false;
    return policy.rules.has(kind.key) || (state !== undefined && has(state.owned.keys()));
  });
}

/**
 * Compares what a policy wants with what an account and its server have.
 * @param opened the states; without them, they are read, and people are warned of those that cannot be read
 */
export async function compareAccount(all: PolicyWithLists, target: Target, opened?: States): Promise<Comparison> {
  const states = opened ?? (await readStates(all, target));
  const given = policyFor(all, target.account, target.server.host);
  return compareKinds(kindsFor(given, target, states ?? {}), given, target, states);
}

/** @throws Failure also when a part could not be read: a plan of the rest would be wrong */
export async function compareWhole(all: PolicyWithLists, target: Target, opened?: States): Promise<Comparison> {
  const comparison = await compareAccount(all, target, opened);
  if (comparison.failure !== undefined) throw comparison.failure;
  return comparison;
}

/** Compares some kinds. Those that could not be read are listed apart. */
export async function compareKinds(
  meant: readonly Kind[],
  given: PolicyWithLists,
  target: Target,
  states: States | undefined,
): Promise<Comparison> {
  const compared: Compared[] = [];
  const unread: {kind: Kind; failure: Failure}[] = [];
  // One after another: they share the rate limits of the server.
  for (const kind of meant) {
    const one = await readKind(kind, target)
      .then((actual) => compareKind(kind, actual, {given, target, states}))
      .catch(asFailure);
    if (one instanceof Failure) unread.push({kind, failure: one});
    else compared.push(one);
  }
  return comparisonOf(target, given, {states, kinds: compared, unread});
}

export const readKind = async (kind: Kind, {client, now, read}: Pick<Target, 'client' | 'now' | 'read'>) =>
  read === undefined ? kind.read(client, now()) : read(kind);

/** What a policy wants of a kind, before anything is asked of a server. */
export function desiredOf(kind: Kind, {policy, domains, only, takesNothing}: PolicyWithLists, host: string): Desired {
  const {key} = kind;
  const rules = only?.includes(key) === false ? undefined : policy.rules.get(key);
  const desired = rules && (isOfDomains(rules) ? domains.get(key)?.desired : namesWanted(kind, rules, host));
  return {...(desired ?? {want: new Map(), never: new Map(), spared: new Map()}), takesNothing};
}

interface Around {
  readonly given: PolicyWithLists;
  readonly target: Target;
  readonly states: States | undefined;
}

export async function compareKind(kind: Kind, actual: Actual, {given, target, states}: Around): Promise<Compared> {
  const file = states?.[kind.owner];
  const now = target.now();
  const doubtful = settleOpen(kind, actual, file);
  const owned = file?.state.owned ?? new Map<string, Owned>();
  const wanted = desiredOf(kind, given, target.server.host);
  // A kind that was read only to settle an open write is left as it is.
  if (given.only?.includes(kind.key) === false) return {kind, desired: wanted, actual, rows: []};
  const circumstances: Circumstances = {
    host: target.server.host,
    own: target.own,
    now,
    owned: (name: string) => owned.get(keyOf(kind, name)),
    followed: target.readFollowedAccounts,
    measures: target.measures,
  };
  const desired = {...wanted, ...(await kind.narrow?.(wanted, actual, circumstances))};
  const rows = rowsOf(kind, desired, actual, {owned: given.onlyAdds ? new Map() : owned, doubtful}, now);
  if (given.onlyAdds) return {kind, desired, actual, rows: rows.flatMap(restoreRow)};
  file?.note(findGone(kind, desired, actual, {owned}).map((key) => ({disown: key})));
  return {kind, desired, actual, rows};
}

/** A restore adds what is missing, and changes nothing that is there. */
function restoreRow(row: Row): Row[] {
  if (row.action === 'update')
    return [{...row, action: 'held', want: row.has, says: 'it is there with other contents, and a restore changes nothing', how: 'kept'}];
  return row.action === 'add' || row.action === 'cannot' || (row.action === 'held' && row.has === null) ? [row] : [];
}

/**
 * Finds how writes ended whose outcome is not in the state: the item is as the write set it, as before, or changed by hand.
 * @returns the keys of those that were changed by hand
 */
function settleOpen(kind: Kind, {items}: Actual, file: StateFile | undefined): ReadonlySet<string> {
  const doubtful = new Set<string>();
  const prefix = keyOf(kind, '');
  for (const [key, {set, was}] of file?.state.open ?? []) {
    if (!key.startsWith(prefix)) continue;
    const {id, value: has = null} = items.get(key.slice(prefix.length)) ?? {};
    if (isAsSet(has, set)) file?.note([{done: key, ...(id !== undefined && {id})}]);
    else {
      file?.note([{refused: key}]);
      if (!isAsSet(has, was)) doubtful.add(key);
    }
  }
  return doubtful;
}
