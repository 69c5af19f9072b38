/** Compares one account with a policy: reads what is needed, settles what an interrupted run left open, and makes rows. */
import {asFailure, Failure} from '../../client/failure.js';
import {type Actual, type Desired, keyOf, type Kind, type Row} from '../model/kind.js';
import type {Value} from '../model/value.js';
import type {Rules} from '../model/policy.js';
import {findGone, isAs, type Known, rowsOf} from './rows.js';
import {isOfDomains, sections} from '../sections/index.js';
import type {Section} from '../sections/section.js';
import type {Line, Owned, State} from '../model/state.js';
import {aboutOf, type About, type Target} from './target.js';
import {policyFor, type PolicyWithLists} from '../reading/read-policy.js';

/** The states of a run: that of the account, and that of its server. */
export interface States<One = State> {
  readonly account?: One | undefined;
  readonly server?: One | undefined;
}

/** What is done about one section. */
export interface Compared {
  readonly section: Section;
  readonly desired: Desired;
  readonly actual: Actual;
  readonly rows: readonly Row[];
  /** What becomes of what was open: lines for the state. */
  readonly settled: readonly Line[];
  /** What is owned and gone, and nobody wants. */
  readonly gone: readonly string[];
  /** Open keys of which it is not known yet what became of them. */
  readonly doubtful: ReadonlySet<string>;
}

export interface Comparison {
  readonly about: About;
  readonly target: Target;
  readonly given: PolicyWithLists;
  readonly sections: readonly Compared[];
  /** Of sections that could not be read. */
  readonly unread: readonly {readonly section: Section; readonly failure: Failure}[];
}

export const rowsIn = ({sections: all}: Pick<Comparison, 'sections'>): Row[] => all.flatMap(({rows}) => rows);

/** What changes, of the rows of a section or of all. */
export const isChange = ({action}: Row): boolean => action === 'add' || action === 'remove' || action === 'update';

/** The failure that a run ends with when parts could not be read: a bad answer first. */
export function failureOf({unread, target}: Pick<Comparison, 'target' | 'unread'>): Failure | undefined {
  const first = unread.find(({failure}) => failure.code === 'bad_answer') ?? unread[0];
  if (first === undefined) return undefined;
  const same = unread.filter(({failure}) => failure.code === first.failure.code);
  const names = same.map(({section}) => section.kind.words.all).join(', ');
  const {code, message, details} = first.failure;
  return new Failure(code, `Cannot read ${names} of ${target.server.host}: ${message}`, details);
}

/** The sections that are meant: those of the policy, and those of what is owned or open. */
function sectionsFor({policy, only}: PolicyWithLists, {owner}: Target, states: States): Section[] {
  return sections.filter(({key, kind}) => {
    if (owner !== undefined && kind.owner !== owner) return false;
    const state = states[kind.owner];
    const has = (keys: Iterable<string>) => [...keys].some((one) => one.startsWith(keyOf(kind, '')));
    if (state !== undefined && has(state.open.keys())) return true;
    if (only?.includes(key) === false) return false;
    return policy.rules.has(key) || (state !== undefined && has(state.owned.keys()));
  });
}

const nothingWanted: Desired = {want: new Map(), never: new Map(), spared: new Map()};

/**
 * Compares what a policy wants with what an account has, and its server. What cannot be read is told apart: an absence of rows means nothing there.
 * @throws Failure `usage` for a policy that is not for this account, or that cannot be meant
 */
export async function compareAccount(all: PolicyWithLists, target: Target, states: States): Promise<Comparison> {
  const {account, server} = target;
  const given = policyFor(all, account, server.host);
  const compared: Compared[] = [];
  const unread: {section: Section; failure: Failure}[] = [];
  const followed = readOnce(target);
  // One after another: they share the rate limits of the server.
  for (const section of sectionsFor(given, target, states)) {
    let actual: Actual;
    try {
      actual = await target.read(section.kind);
    } catch (error) {
      unread.push({section, failure: asFailure(error)});
      continue;
    }
    compared.push(await compareSection(section, actual, {given, target, states, followed}));
  }
  return {about: aboutOf(target, given.policy.file), target, given, sections: compared, unread};
}

type Followeds = NonNullable<Target['readFollowedAccounts']>;

function readOnce({readFollowedAccounts: followed}: Target): Followeds | undefined {
  let read: ReturnType<Followeds> | undefined;
  return followed && (() => (read ??= followed()));
}

interface Around {
  readonly given: PolicyWithLists;
  readonly target: Target;
  readonly states: States;
  readonly followed?: Followeds | undefined;
}

/** What a policy wants in a section, before anything is asked of a server. */
export function desiredOf(section: Section, {policy, domains, only, takesNothing}: PolicyWithLists, host: string): Desired {
  const rules: Rules | undefined = only?.includes(section.key) === false ? undefined : policy.rules.get(section.key);
  if (rules === undefined) return nothingWanted;
  const desired = section.desired(rules, host, isOfDomains(rules) ? domains.get(section.key) : undefined);
  return takesNothing ? {...desired, takesNothing} : desired;
}

/** Items under the names under which an apply made them, whatever they are called by now. */
function asMade(kind: Kind, actual: Actual, owned: ReadonlyMap<string, Owned>): Actual {
  if (kind.renamed === undefined) return actual;
  const items = new Map(actual.items);
  const called = new Map(Array.from(items, ([name, {id}]) => [id, name]));
  const prefix = keyOf(kind, '');
  for (const [key, {id}] of owned) {
    const other = key.startsWith(prefix) && id !== undefined ? called.get(id) : undefined;
    const item = other === undefined ? undefined : items.get(other);
    const name = key.slice(prefix.length);
    if (other === undefined || item === undefined || items.has(name)) continue;
    items.delete(other);
    items.set(name, {...item, value: kind.renamed(item.value, other)});
  }
  return {...actual, items};
}

export async function compareSection(section: Section, found: Actual, {given, target, states, followed}: Around): Promise<Compared> {
  const {kind, key} = section;
  const state = states[kind.owner];
  const now = target.now();
  const actual = asMade(kind, found, state?.owned ?? new Map());
  const {owned, settled, doubtful} = settleOpen(kind, actual, state);
  const isLeft = given.only?.includes(key) === false;
  const circumstances = {
    host: target.server.host,
    own: target.own,
    now,
    owned: (name: string) => owned.get(keyOf(kind, name)),
    followed,
    measures: target.measures,
  };
  const wanted = desiredOf(section, given, target.server.host);
  const desired = isLeft ? wanted : ((await kind.narrow?.(wanted, actual, circumstances)) ?? wanted);
  const known: Known = {owned: given.onlyAdds ? new Map() : owned, doubtful};
  // A section that is read only because something is open there is left as it is.
  const rows = isLeft ? [] : rowsOf(kind, desired, actual, known, now).flatMap((row) => (given.onlyAdds ? restoreRow(row) : row));
  const gone = isLeft || given.onlyAdds ? [] : findGone(kind, desired, actual, known);
  return {section, desired, actual, rows, settled, gone, doubtful};
}

/** The states of a comparison, with what was open settled. */
export function settleStates({sections: all}: Pick<Comparison, 'sections'>, {account, server}: States): readonly State[] {
  const after = (state: State | undefined, owner: Kind['owner']) =>
    state?.after(all.flatMap(({section, settled}) => (section.kind.owner === owner ? settled : [])));
  return [after(account, 'account'), after(server, 'server')].filter((state) => state !== undefined);
}

/** A restore adds what is missing, and changes nothing that is there. */
function restoreRow(row: Row): Row[] {
  if (row.action === 'update')
    return [{...row, action: 'held', want: row.has, says: 'it is there with other contents, and a restore changes nothing', how: 'kept'}];
  return row.action === 'add' || (row.action === 'held' && row.has === null) ? [row] : [];
}

/** What became of what was sent: it is as it was set, as it was, or changed by hand. */
function settleOpen(kind: Kind, {items}: Actual, state: State | undefined) {
  const settled: Line[] = [];
  const doubtful = new Set<string>();
  const prefix = keyOf(kind, '');
  if (state === undefined) return {owned: new Map<string, never>(), settled, doubtful};
  for (const [key, {set, was}] of state.open) {
    if (!key.startsWith(prefix)) continue;
    const item = items.get(key.slice(prefix.length));
    const has: Value | null = item?.value ?? null;
    if (isAs(kind, has, set)) settled.push({done: key, ...(item?.id !== undefined && {id: item.id})});
    else {
      settled.push({refused: key});
      if (!isAs(kind, has, was)) doubtful.add(key);
    }
  }
  return {owned: settled.length === 0 ? state.owned : state.after(settled).owned, settled, doubtful};
}
