/** Sections whose items are there or not: domains, accounts. */
import * as z from 'zod/mini';
import type {Suggest} from '../../client/suggest.js';
import type {Operation} from '../../operations/operation.js';
import {type Change, type Grounds, undone} from '../model/change.js';
import {abandoned, type Comparison, type Difference, leftoverRule, type Skipped} from '../model/difference.js';
import type {DomainFacts} from '../model/domain-facts.js';
import type {Touched, TouchedItem} from '../model/items.js';
import {compareText, type Location, locationText} from '../source/location.js';
import {type Fetched, fetchedValue, type State, valueOf} from '../model/server-state.js';
import type {Wanted} from '../lists/wanted.js';
import type {Changing, Holding, Order, Section} from './section.js';
import type {ItemKind} from '../model/section-types.js';

type Action = 'add' | 'remove';

/** What a policy says about an entry of a set. */
export interface WantedEntry {
  readonly rule: string;
  /** One at least. */
  readonly sources: readonly Location[];
  /** Why it is removed, where it is. */
  readonly reason?: 'forbidden' | 'lists' | 'only' | undefined;
}

/** The rules about a set, by the form that its entries are compared in, and how to name and change an entry. */
export interface SetRules {
  readonly wanted: ReadonlyMap<string, WantedEntry>;
  readonly mustNot: ReadonlyMap<string, WantedEntry>;
  /** Where the policy says that nothing else may be there; undefined: it does not. */
  readonly only: Location | undefined;
  readonly change: (action: Action, entry: string, grounds: () => Grounds) => Change;
  /** What the rules say about a wanted entry besides its name, where they say anything. */
  readonly detailsOf?: ((entry: string) => DomainFacts | undefined) | undefined;
  /** Why an entry is not added, if it is not: a server blocks neither itself nor the account its own account, and rules hold blocks back. */
  readonly omitted: (entry: string, wanted: WantedEntry) => Pick<Skipped, 'heldBy' | 'source' | 'why'> | undefined;
}

/** What is special about a set. */
export interface SetDefinition<Entry>
  extends
    Omit<Section, 'changing' | 'exported' | 'fingerprint' | 'holding' | 'isSet' | 'notOffered'>,
    Pick<Changing, 'input' | 'schemas' | 'text' | 'warning'>,
    Pick<Holding, 'canBe' | 'explain' | 'known' | 'limit' | 'ofList' | 'ofPolicy'> {
  readonly operations: Readonly<Record<Action, Operation>>;
  /** `blocked` */
  readonly done: string;
  /** What the state that a plan file was made from calls it. */
  readonly fingerprintName: string;
  part(state: State): Fetched<ReadonlyMap<string, Entry>> | undefined;
  /** A state with nothing but these. */
  withEntries(entries: ReadonlyMap<string, Entry>): Partial<State>;
  /** An entry that was there, as a state file has it. */
  entryOf(item: TouchedItem): Entry;
  /** An entry for people. */
  shown(entry: string, host: string): string;
  command(action: Action, entry: string, place: Place): string;
  /** @param stored the entry as the server has it @param saved the one that was there before */
  change(
    action: Action,
    entry: string,
    about: {readonly host: string; readonly stored: Entry | undefined; readonly saved?: TouchedItem | undefined},
    grounds: Grounds,
  ): Change;
  /** The id that a state file keeps, so that the entry is found by it. */
  idOf?(entry: Entry | undefined): string | undefined;
  /** Why a change of a plan file does something else than it shows, where it adds what is missing or removes what is there. */
  misfit(change: Change, found: Entry | undefined): string | undefined;
  /** Additions in their order; undefined: that of their names. */
  ranked?(additions: readonly Change[], order: Order): Change[];
  /** What the policy wants, by the form that it is compared in. */
  wantedIn(wanted: Wanted, state: State): Iterable<string>;
  /** Why a leftover goes, where more is to be said. */
  whyLeft?(entry: string, wanted: Wanted): Grounds | undefined;
  /** As a policy names them. */
  namesIn(there: ReadonlyMap<string, Entry>): Iterable<string>;
  /** Whether a policy can name it. */
  isWritable(name: string): boolean;
  /** What is lost when an addition is reverted. */
  readonly lost?: string;
}

/** What a set and its entries are called, and the commands that change them. */
export type SetNames = Pick<SetDefinition<never>, 'command' | 'done' | 'key' | 'kind' | 'shown'>;

/** Where a set is compared. */
interface Place {
  readonly host: string;
  readonly suggest: Suggest;
}

/** An entry that is missing or unwanted. There may be very many, so what is said about one is made when it is read. */
class SetDifference implements Difference {
  readonly #names: SetNames;
  readonly #place: Place;
  readonly #rules: SetRules;
  readonly #entry: string;
  /** What the policy and its lists ask for, or what forbids it. */
  readonly #ground: WantedEntry;
  readonly #isMissing: boolean;

  constructor(names: SetNames, place: Place, rules: SetRules, entry: string, ground: WantedEntry, isMissing: boolean) {
    this.#names = names;
    this.#place = place;
    this.#rules = rules;
    this.#entry = entry;
    this.#ground = ground;
    this.#isMissing = isMissing;
  }

  get rule(): string {
    return this.#ground.rule;
  }

  get source(): Location {
    const [first] = this.#ground.sources;
    if (first === undefined) throw new Error(`${this.rule} has no source`);
    return first;
  }

  get kind(): ItemKind {
    return this.#names.kind;
  }

  get subject(): string {
    return this.#names.shown(this.#entry, this.#place.host);
  }

  get wanted(): string {
    return wordFor(this.#names.done, this.#isMissing);
  }

  get actual(): string {
    return wordFor(this.#names.done, !this.#isMissing);
  }

  get fix(): string {
    return this.#names.command(this.#action, this.#entry, this.#place);
  }

  get details(): DomainFacts | undefined {
    return this.#isMissing ? this.#rules.detailsOf?.(this.#entry) : undefined;
  }

  get change(): Change {
    return this.#rules.change(this.#action, this.#entry, () => this.#grounds);
  }

  get #action(): Action {
    return this.#isMissing ? 'add' : 'remove';
  }

  get #grounds(): Grounds {
    // Joined, because a text that is put together otherwise keeps its parts, and there are very many of these.
    const because = [`${this.rule}:`, this.#ground.sources.map(locationText).join(', ')].join(' ');
    if (this.#isMissing) return {reason: this.rule.endsWith('.lists') ? 'lists' : 'must', because};
    return {reason: this.#ground.reason ?? 'forbidden', because};
  }
}

const wordFor = (done: string, isThere: boolean): string => (isThere ? done : `not ${done}`);

export function compareSet(names: SetNames, place: Place, rules: SetRules, there: ReadonlyMap<string, unknown>): Comparison {
  const {wanted, mustNot, only} = rules;
  const differences: Difference[] = [];
  const skipped: Skipped[] = [];
  for (const [entry, one] of wanted) {
    if (there.has(entry)) continue;
    const omitted = rules.omitted(entry, one);
    if (omitted !== undefined) skipped.push({kind: names.kind, subject: names.shown(entry, place.host), ...omitted});
    else differences.push(new SetDifference(names, place, rules, entry, one, true));
  }
  for (const [entry, ground] of mustNot)
    if (there.has(entry)) differences.push(new SetDifference(names, place, rules, entry, ground, false));
  const forbidden = only && ({rule: `${names.key}.only`, sources: [only], reason: 'only'} as const);
  if (forbidden)
    for (const entry of there.keys())
      if (!wanted.has(entry) && !mustNot.has(entry)) differences.push(new SetDifference(names, place, rules, entry, forbidden, false));
  return {differences, skipped};
}

function changingOf<Entry>(set: SetDefinition<Entry>): Changing {
  const {part, done, known, compared, idOf, lost} = set;
  return {
    ...set,
    was: z.literal(true),
    inOrder(changes, order) {
      const byName = (one: Change, other: Change) => compareText(compared(one.subject, order.host), compared(other.subject, order.host));
      const added = changes.filter(({action}) => action === 'add');
      const additions = set.ranked?.(added, order) ?? added.sort(byName);
      const removals = changes.filter(({action}) => action === 'remove').sort(byName);
      return order.hasRoom(additions.length) ? [...additions, ...removals] : [...removals, ...additions];
    },
    target: ({subject}, host) => JSON.stringify([set.kind, compared(subject, host)]),
    misfit(change, state) {
      const found = valueOf(part(state))?.get(known(change.subject, state));
      if (change.action === 'add' && found !== undefined) return `it is ${done} already`;
      if (change.action === 'remove' && found === undefined) return `it is not ${done}`;
      return set.misfit(change, found);
    },
    isDone: ({action, subject}, _, state) => valueOf(part(state))?.has(known(subject, state)) === (action === 'add'),
    before(touched, _, state) {
      if (part(state) === undefined) return {};
      const entries = new Map(valueOf(part(state)));
      for (const item of touched) {
        const name = known(item.subject, state);
        if (item.was === null) entries.delete(name);
        else if (!entries.has(name)) entries.set(name, set.entryOf(item));
      }
      return set.withEntries(entries);
    },
    touched({action, subject}, state) {
      const name = compared(subject, state.host);
      const id = idOf?.(valueOf(part(state))?.get(name));
      return {subject: name, ...(id !== undefined && {id}), was: action === 'remove' ? true : null};
    },
    undo(touched: Touched, state) {
      const there = valueOf(part(state)) ?? new Map<string, Entry>();
      const changed = touched
        .map((item) => ({item, name: known(item.subject, state)}))
        .filter(({item, name}) => there.has(name) !== (item.was !== null));
      // Removals first, because they make room.
      const ordered = [...changed.filter(({item}) => item.was === null), ...changed.filter(({item}) => item.was !== null)];
      const changes = ordered.map(({item, name}) =>
        set.change(item.was === null ? 'remove' : 'add', name, {host: state.host, stored: there.get(name), saved: item}, undone),
      );
      const gone = lost === undefined ? [] : changes.filter(({action}) => action === 'remove');
      return {changes, lost: gone.map(({subject}) => ({subject, why: lost ?? ''}))};
    },
  };
}

function holdingOf<Entry>(set: SetDefinition<Entry>): Holding {
  const {part, kind, known, done} = set;
  return {
    ...set,
    hasIds: false,
    there: (state) => valueOf(part(state)),
    leftovers(wanted, asked, {state, owned}, {advice: {suggest}}) {
      const there = valueOf(part(state));
      if (there === undefined || owned.length === 0) return [];
      const {host} = state;
      const changed = asked.map(({subject}) => known(subject, state));
      const named = new Set([...set.wantedIn(wanted, state), ...changed]);
      return owned
        .filter(({subject}) => there.has(subject) && !named.has(subject))
        .map(({subject: entry}) => ({
          rule: leftoverRule,
          source: {file: wanted.policy.file, line: 1},
          kind,
          subject: set.shown(entry, host),
          wanted: `not ${done}`,
          actual: done,
          fix: set.command('remove', entry, {host, suggest}),
          change: set.change('remove', entry, {host, stored: there.get(entry)}, set.whyLeft?.(entry, wanted) ?? abandoned),
        }));
    },
    wantedThere(wanted, {state}) {
      const there = valueOf(part(state));
      return [...set.wantedIn(wanted, state)].filter((entry) => there?.has(entry)).map((subject) => ({kind, subject}));
    },
    ofState(state) {
      const own = part(state);
      return own && fetchedValue(own);
    },
    sideText: () => done,
    areSame: () => true,
  };
}

export function setSection<Entry>(set: SetDefinition<Entry>): Section {
  const {part} = set;
  return {
    ...set,
    isSet: true,
    fingerprint: (state) => ({[set.fingerprintName]: [...(valueOf(part(state))?.keys() ?? [])].sort(compareText)}),
    exported(state) {
      const own = part(state);
      if (own === undefined) return undefined;
      const names = [...set.namesIn(fetchedValue(own))];
      const leftOut = names.filter((name) => !set.isWritable(name)).map((name) => `${set.words.item} ${name}`);
      return {value: {must: names.filter((name) => set.isWritable(name)).sort(compareText)}, leftOut};
    },
    changing: changingOf(set),
    holding: holdingOf(set),
  };
}
