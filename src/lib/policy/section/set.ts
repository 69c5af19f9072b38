/** Sections whose items are there or not, perhaps with a value that differs: domains, accounts. */
import * as z from 'zod/mini';
import type {FlagValues} from '../../files/command-text.js';
import type {Operation} from '../../operations/operation.js';
import {type Change, type Grounds, undone} from '../model/change.js';
import type {People} from '../model/by-hand.js';
import {abandoned, type Circumstances, ending, leftoverRule, putBack} from '../model/difference.js';
import type {Touched, TouchedItem} from '../model/items.js';
import type {Ended} from '../model/policy.js';
import {compareText} from '../source/location.js';
import {type Fetched, fetchedValue, type State, valueOf} from '../model/server-state.js';
import type {Wanted} from '../lists/wanted.js';
import type {Changing, Holding, Made, MadeAgain, Order, Past, Section} from './section.js';

export type Action = 'add' | 'remove' | 'update';

/** What entries say besides their names. Sets whose entries say nothing have `true` for each. */
export interface SetValues<Entry, Value> {
  /** In state files. */
  schema(): z.ZodMiniType<Value>;
  of(entry: Entry): Value;
  /** The id that a server gave it, which another one of the same name does not get. */
  idOf?(entry: Entry): string | undefined;
  areSame(one: Value, other: Value): boolean;
  /** For people. @param before what it replaces, where that matters */
  text(value: Value, before?: Value): string;
  /** As a policy has it. */
  written(name: string, value: Value): unknown;
  /** What an addition or an update gives its entry. */
  after(change: Change): Value;
  /** What an update replaces. */
  before(change: Change): Value;
  /** Whether what is found is what a change made, where that is not only a matter of {@link areSame}. */
  isMade?(found: Value, change: Change): boolean;
  /** Whether an update to the second one takes something away, as a removal does. */
  isLess(before: Value, after: Value): boolean;
  /** What of it people change by hand; undefined: all of it. */
  readonly byHand?: {
    /** In state files: how an apply set it, which may say more than the value. */
    schema(): z.ZodMiniType<Value>;
    /** How an addition or an update sets it. @param earlier how an earlier apply did */
    after(change: Change, earlier?: unknown): Value;
    /** Whether the second one lacks something that the first one has. */
    isLess(one: Value, other: Value): boolean;
    text(value: Value): string;
  };
  /** Whether a value counts as none: an entry that has it is not in the set. */
  isNone?(value: Value): boolean;
  /** The value that counts as none and that an addition replaces, where there is one: it goes back to that. */
  stood?(addition: Change): Value | undefined;
  /** What an entry that is adopted goes back to, where that is more than nothing. */
  adopted?(value: Value): Value | undefined;
  /** The change of an entry that is there. */
  update(entry: string, about: {readonly host: string; readonly stored: Entry; readonly after: Value}, grounds: Grounds): Change;
}

/** What is special about a set. */
export interface SetDefinition<Entry, Value = true>
  extends
    Omit<Section, 'changing' | 'exported' | 'fingerprint' | 'holding' | 'isSet' | 'made'>,
    Pick<Changing, 'input' | 'prepared' | 'reaches' | 'schemas' | 'text' | 'warning'>,
    Pick<Holding, 'canBe' | 'explain' | 'known' | 'limit' | 'ofList' | 'ofPolicy'> {
  readonly operations: Readonly<Record<'add' | 'remove', Operation>>;
  /** `blocked` */
  readonly done: string;
  /** What the state that a plan file was made from calls it. */
  readonly fingerprintName: string;
  part(state: State): Fetched<ReadonlyMap<string, Entry>> | undefined;
  /** A state with nothing but these. */
  withEntries(entries: ReadonlyMap<string, Entry>): Partial<State>;
  /** An entry that was there, as a state file has it. */
  entryOf(item: TouchedItem<Value> & {readonly was: Value}): Entry;
  /** An entry for people. */
  shown(entry: string, host: string): string;
  /** @param value that it adds, gives, or goes back to @returns undefined where no command does all of that */
  command(action: Action, entry: string, place: SetPlace, value?: Value, before?: Value): string | undefined;
  /** @param stored the entry as the server has it @param was how it was before, where that is known */
  change(
    action: Exclude<Action, 'update'>,
    entry: string,
    about: {
      readonly host: string;
      readonly stored: Entry | undefined;
      readonly id?: string | undefined;
      readonly was?: Value | undefined;
    },
    grounds: Grounds,
  ): Change;
  /** The id that a state file keeps, so that the entry is found by it. */
  idOf?(entry: Entry | undefined): string | undefined;
  /** Why a change of a plan file does something else than it shows, where it adds what is missing or removes what is there. */
  misfit(change: Change, found: Entry | undefined): string | undefined;
  /** Additions in their order; undefined: that of their names. */
  ranked?(additions: readonly Change[], order: Order): Change[];
  /** All changes, with those first that others wait for. */
  arranged?(changes: readonly Change[]): Change[];
  /** All changes that revert an apply, with those first that others wait for. */
  arrangedBack?(changes: readonly Change[]): Change[];
  /** What the policy wants, by the form that it is compared in. */
  wantedIn(wanted: Wanted, state: State): Iterable<string>;
  /** What the policy wanted until a day that is over, by the form that it is compared in. */
  endedIn?(wanted: Wanted, state: State): ReadonlyMap<string, Ended>;
  /** Why a leftover goes, where more is to be said. */
  whyLeft?(entry: string, wanted: Wanted): Grounds | undefined;
  /** Whether a policy can name it. */
  isWritable(name: string): boolean;
  /** What stays lost when an undo takes an entry away, or a part of its value. */
  lost?(stored: Entry, state: State): string | undefined;
}

/** A set whose entries have values that can be changed. */
export interface ValuedSet<Entry, Value> extends SetDefinition<Entry, Value> {
  readonly operations: Readonly<Record<Action, Operation>>;
  readonly values: SetValues<Entry, Value>;
}

type AnySet<Entry, Value> = SetDefinition<Entry, Value> & Pick<ValuedSet<Entry, Value>, 'values'>;

/** What a set and its entries are called, and the commands that change them. */
export type SetNames<Value = true> = Pick<SetDefinition<never, Value>, 'command' | 'done' | 'key' | 'kind' | 'shown'>;

/** Where a set is compared. */
export interface SetPlace {
  readonly host: string;
  readonly account: FlagValues;
  /** The command that does what no other one does. */
  readonly apply: string;
  /** What somebody did to an entry that the policy set. */
  readonly did: People['did'];
}

export function placeOf(
  {policy}: Pick<Wanted, 'policy'>,
  {host}: State,
  {advice: {account, onPolicy}, people}: Pick<Circumstances, 'advice' | 'people'>,
): SetPlace {
  return {host, account, apply: onPolicy('apply', policy.file), did: (item) => people?.did(item)};
}

/** What every entry of a set without values has: it is there. */
function nothingElse(done: string): SetValues<unknown, true> {
  const constant = () => true as const;
  return {
    schema: () => z.literal(true),
    of: constant,
    areSame: constant,
    text: () => done,
    written: (name) => name,
    after: constant,
    before: constant,
    isLess: () => false,
    update() {
      throw new Error('An entry without a value cannot be changed');
    },
  };
}

function changingOf<Entry, Value>(set: AnySet<Entry, Value>): Changing {
  const {part, done, known, compared, idOf, values} = set;
  const found = (subject: string, state: State) => valueOf(part(state))?.get(known(subject, state));
  const isNone = (value: Value) => values.isNone?.(value) === true;
  return {
    ...set,
    was: () => values.schema(),
    inOrder(changes, order) {
      const byName = (one: Change, other: Change) => compareText(compared(one.subject, order.host), compared(other.subject, order.host));
      const those = (action: Action) => changes.filter((change) => change.action === action);
      const added = those('add');
      const additions = set.ranked?.(added, order) ?? added.sort(byName);
      const [updates, removals] = [those('update').sort(byName), those('remove').sort(byName)];
      const [fitting, others] = [additions.slice(0, order.room), additions.slice(order.room)];
      const all = [...fitting, ...updates, ...inTurns(removals, others)];
      return set.arranged?.(all) ?? all;
    },
    isRemoval: (change) => change.action === 'update' && values.isLess(values.before(change), values.after(change)),
    target: ({subject}, host) => JSON.stringify([set.kind, compared(subject, host)]),
    misfit(change, state) {
      const entry = found(change.subject, state);
      if (change.action === 'add' && entry !== undefined) return `it is ${done} already`;
      if (change.action !== 'add' && entry === undefined) return `it is not ${done}`;
      if (change.action === 'update' && entry !== undefined && !values.areSame(values.before(change), values.of(entry)))
        return `it is ${values.text(values.of(entry))}, and in the plan ${values.text(values.before(change))}`;
      return set.misfit(change, entry);
    },
    isDone(change, _, state) {
      const entry = found(change.subject, state);
      if (entry === undefined) return change.action === 'remove';
      if (change.action === 'remove') return false;
      return values.isMade?.(values.of(entry), change) ?? values.areSame(values.of(entry), values.after(change));
    },
    before(touched: Touched<Value>, done, state) {
      if (part(state) === undefined) return {};
      const entries = new Map(valueOf(part(state)));
      const made = new Set(done.map(({subject}) => known(subject, state)));
      for (const item of touched) {
        const name = known(item.subject, state);
        // What is not as these changes left it stays as it is.
        if (entries.has(name) && !made.has(name)) continue;
        if (isSaved(item) && !isNone(item.was)) entries.set(name, set.entryOf(item));
        else entries.delete(name);
      }
      return set.withEntries(entries);
    },
    touched(change, state) {
      const {action, subject} = change;
      const name = compared(subject, state.host);
      const stored = valueOf(part(state))?.get(name);
      const id = stored === undefined ? undefined : (idOf?.(stored) ?? values.idOf?.(stored));
      const base = {subject: name, ...(id !== undefined && {id}), ...(action === 'update' && {updated: true as const})};
      if (action === 'add') return {...base, was: values.stood?.(change) ?? null};
      const entry = found(subject, state);
      return {...base, was: entry === undefined ? null : values.of(entry)};
    },
    undo(touched: Touched<Value>, state) {
      const there = valueOf(part(state)) ?? new Map<string, Entry>();
      const {host} = state;
      const left: {readonly subject: string; readonly why: string}[] = [];
      const again: MadeAgain[] = [];
      const reverting = touched.flatMap((item): Change | readonly [] => {
        const {kind} = set;
        const name = known(item.subject, state);
        const [stored, {was, id}] = [there.get(name), item];
        if (stored === undefined) {
          if (was === null || isNone(was)) return [];
          if (item.updated === true) {
            left.push({subject: name, why: `it is not ${set.done} any more, and it stays so`});
            return [];
          }
          const change = set.change('add', name, {host, stored, id, was}, undone);
          if (id !== undefined && values.idOf) again.push({kind, hadId: id, as: change});
          return change;
        }
        const now = values.idOf?.(stored);
        if (id !== undefined && now !== undefined && now !== id) {
          // An undo that was interrupted makes what an apply removed.
          if (isSaved(item) && item.updated !== true && values.areSame(values.of(stored), item.was)) again.push({kind, hadId: id, as: now});
          else left.push({subject: name, why: 'somebody recreated it since, and it stays as it is'});
          return [];
        }
        if (was === null || isNone(was)) return set.change('remove', name, {host, stored, id, was: was ?? undefined}, undone);
        return values.areSame(values.of(stored), was) ? [] : values.update(name, {host, stored, after: was}, undone);
      });
      // Removals first, because they make room.
      const ordered = (['remove', 'update', 'add'] as const).flatMap((one) => reverting.filter(({action}) => action === one));
      const changes = set.arrangedBack?.(ordered) ?? ordered;
      const stays = changes.flatMap((change) => {
        const stored = change.action === 'add' ? undefined : found(change.subject, state);
        const isLess = change.action === 'remove' || values.isLess(values.before(change), values.after(change));
        const why = stored !== undefined && isLess ? set.lost?.(stored, state) : undefined;
        return why === undefined ? [] : {subject: change.subject, why};
      });
      return {changes, lost: [...left, ...stays], again};
    },
  };
}

function madeOf<Entry, Value>({part, known, values}: AnySet<Entry, Value>): Made {
  const {schema, after, isLess, text} = values.byHand ?? values;
  return {
    schema: () => schema(),
    after: (change, _, earlier) => after(change, earlier),
    before: (was) => was,
    now(state) {
      const there = valueOf(part(state));
      if (there === undefined) return undefined;
      return ({subject}) => {
        const entry = there.get(known(subject, state));
        return entry === undefined ? undefined : values.of(entry);
      };
    },
    isLess: (one: Value, other: Value) => isLess(one, other),
    text: (value: Value) => text(value),
  };
}

function isSaved<Value>(item: TouchedItem<Value>): item is TouchedItem<Value> & {readonly was: Value} {
  return item.was !== null;
}

function holdingOf<Entry, Value>(set: AnySet<Entry, Value>): Holding {
  const {values, ...own} = set;
  const {part, kind, known, done} = own;
  return {
    ...own,
    hasIds: false,
    there: (state) => valueOf(part(state)),
    leftovers(wanted, asked, {state, owned}: Past<Value>, circumstances) {
      const there = valueOf(part(state));
      if (there === undefined || owned.length === 0) return [];
      const {host} = state;
      const place = placeOf(wanted, state, circumstances);
      const changed = asked.map(({subject}) => known(subject, state));
      const named = new Set([...set.wantedIn(wanted, state), ...changed]);
      const ended = set.endedIn?.(wanted, state) ?? new Map<string, Ended>();
      return owned.flatMap(({subject: entry, was}) => {
        const stored = there.get(entry);
        if (stored === undefined || named.has(entry)) return [];
        const isGoing = was === undefined || values.isNone?.(was) === true;
        const end = ended.get(entry);
        const grounds = end ? ending(set.key, end) : (set.whyLeft?.(entry, wanted) ?? (isGoing ? abandoned : putBack));
        return {
          rule: leftoverRule,
          source: end?.location ?? {file: wanted.policy.file, line: 1},
          kind,
          subject: set.shown(entry, host),
          wanted: isGoing ? `not ${done}` : values.text(was),
          actual: isGoing ? done : values.text(values.of(stored)),
          fix: set.command(isGoing ? 'remove' : 'update', entry, place, was, values.of(stored)) ?? place.apply,
          change: isGoing
            ? set.change('remove', entry, {host, stored, was}, grounds)
            : values.update(entry, {host, stored, after: was}, grounds),
        };
      });
    },
    wantedThere(wanted, {state}) {
      const there = valueOf(part(state));
      return [...set.wantedIn(wanted, state)].flatMap((subject) => {
        const entry = there?.get(subject);
        if (entry === undefined) return [];
        const [id, made] = [values.idOf?.(entry), values.of(entry)];
        const was = values.adopted?.(made);
        return {kind, subject, ...(id !== undefined && {id}), ...(was !== undefined && {was}), made};
      });
    },
    ofState(state) {
      const there = part(state);
      return there && new Map([...fetchedValue(there)].map(([name, entry]) => [name, values.of(entry)]));
    },
    sideText: (value: Value) => values.text(value),
    areSame: (one: Value, other: Value) => values.areSame(one, other),
  };
}

function sectionOf<Entry, Value>(set: AnySet<Entry, Value>): Section & {readonly holding: Holding} {
  const {part, values} = set;
  return {
    ...set,
    isSet: true,
    fingerprint(state) {
      const entries = [...(valueOf(part(state)) ?? [])].sort(([one], [other]) => compareText(one, other));
      const factsOf = (name: string, value: Value) => (value === true ? name : [name, value]);
      return {[set.fingerprintName]: entries.map(([name, entry]) => factsOf(name, values.of(entry)))};
    },
    exported(state) {
      const own = part(state);
      if (own === undefined) return undefined;
      const entries = [...fetchedValue(own)]
        .map(([name, entry]) => ({name, value: values.of(entry)}))
        .sort((one, other) => compareText(one.name, other.name));
      const leftOut = entries.filter(({name}) => !set.isWritable(name)).map(({name}) => `${set.words.item} ${name}`);
      const must = entries.flatMap(({name, value}) => (set.isWritable(name) ? values.written(name, value) : []));
      return {value: {must}, leftOut};
    },
    changing: changingOf(set),
    holding: holdingOf(set),
    made: madeOf(set),
  };
}

/** At the limit of a server: one removal makes room for one addition, so that a run that breaks off has removed no more than it had to. */
const inTurns = (removals: readonly Change[], additions: readonly Change[]): Change[] =>
  Array.from({length: Math.max(removals.length, additions.length)}, (_, index) => [removals[index] ?? [], additions[index] ?? []]).flat(2);

/** A set whose entries are there or not. */
export function setSection<Entry>(set: SetDefinition<Entry>): Section {
  return sectionOf({...set, values: nothingElse(set.done)});
}

/** A set whose entries have values that can be changed. */
export function valuedSetSection<Entry, Value>(set: ValuedSet<Entry, Value>): Section & {readonly holding: Holding} {
  const section = sectionOf(set);
  return {...section, holding: {...section.holding, values: set.values}};
}
