/**
 * What a section of policies is. Everything that goes over sections takes it from their records in the list of `index.ts`.
 *
 * Methods that take a change, an item or the data of a policy are only called with those of their own section, and name their types.
 */
import type * as z from 'zod/mini';
import type {SeenItems} from './listed.js';
import type {SectionReader} from './reader.js';
import type {ItemKind, SectionKey} from '../model/section-types.js';
import type {Client} from '../../client/client.js';
import type {Endpoint, PlainInput} from '../../api/endpoint.js';
import type {Operation} from '../../operations/operation.js';
import type {Change} from '../model/change.js';
import type {Circumstances, Comparison, Difference} from '../model/difference.js';
import {type FactsJson, factsText} from '../model/domain-facts.js';
import type {Item, MadeItem, Touched, TouchedItem} from '../model/items.js';
import type {List} from '../lists/list.js';
import type {ListFormat, ListSetting, WrittenList} from '../lists/write-list.js';
import type {Location} from '../source/location.js';
import type {DomainRules, Ended, Located, OwnDomain, Policy} from '../model/policy.js';
import {overText, untilText} from '../model/time.js';
import type {State} from '../model/server-state.js';
import type {Wanted} from '../lists/wanted.js';

export interface Words {
  /** An item in a plan: `add domain block bad.example`. */
  readonly item: string;
  /** Items in reports: one, and several. */
  readonly counted: readonly [one: string, several: string];
  readonly title: string;
  /** `Cannot read the domain blocks of pix.example`. */
  readonly all: string;
  /** The rules in sentences, by their names after the section's; by `` for the others. */
  readonly rules: Readonly<Record<string, string>>;
}

/** A rule as reports name it. */
export interface Rule {
  /** Path in the policy: `domain_blocks.must`. */
  readonly rule: string;
  readonly kind: ItemKind;
  /** The domain, list, title, account or setting that it is about; undefined: all of its kind. */
  readonly subject?: string | undefined;
  /** Whether the subject is a list. */
  readonly isList?: boolean | undefined;
  readonly source: Location;
}

/** Rules of a section by their names: each about something, or one about all. */
export function rulesNamed({key, kind}: Pick<Section, 'key' | 'kind'>) {
  return {
    each: (name: string, items: readonly Located<string>[]): Rule[] =>
      items.map(({value, location}) => ({rule: `${key}.${name}`, kind, subject: value, source: location})),
    one: (name: string, source: Location | undefined): Rule[] => (source === undefined ? [] : [{rule: `${key}.${name}`, kind, source}]),
  };
}

/** The reasons of a section, by the names of its rules: those of the rules that there are. */
export function reasonsNamed(
  {key}: Pick<Section, 'key'>,
  given: readonly (readonly [name: string, source: Location | undefined, says: string, details?: FactsJson | undefined])[],
): RuleReason[] {
  return given.flatMap(([name, source, says, details]) => (source === undefined ? [] : [{rule: `${key}.${name}`, source, says, details}]));
}

/** The reason that `must` is: what it asks for, or asked for until a day that is over. @param done what is wanted: `blocked` */
export function reasonOfMust(
  section: Pick<Section, 'key'>,
  done: string,
  {must, ended}: {readonly must: OwnDomain | undefined; readonly ended: Ended | undefined},
): RuleReason[] {
  if (must === undefined) return reasonsNamed(section, [['must', ended?.location, `must be ${done}${ended ? overText(ended.until) : ''}`]]);
  const {location, until, facts} = must;
  return reasonsNamed(section, [['must', location, `must be ${done}${untilText(until)}${facts ? `: ${factsText(facts)}` : ''}`, facts]]);
}

interface ExportedSection {
  /** The section of a policy without differences. */
  readonly value: object;
  /** What a policy cannot express. */
  readonly leftOut: readonly string[];
}

export interface Section {
  readonly key: SectionKey;
  readonly kind: ItemKind;
  /** Whose items they are: those of each account, or of its server. */
  readonly owner: 'account' | 'server';
  /** Whether items are there or not, perhaps with a value; otherwise they have contents. */
  readonly isSet: boolean;
  readonly words: Words;
  /** What stands in a policy; its description is the help in editors. Made when it is needed, because most runs need few of them. */
  schema(): z.ZodMiniType;
  rulesIn(reader: SectionReader<unknown>): Partial<Policy>;
  /** The rules for reports, in the order of the policy. */
  rulesOf(policy: Policy): readonly Rule[];
  /** Whether a policy has something to compare. */
  asks(policy: Policy): boolean;
  /** What the rules name. */
  named(wanted: Wanted): Iterable<Omit<Item, 'kind'>>;
  /** Whether servers keep private comments on its items: then those of the policy are sent. */
  readonly sendsPrivate?: boolean;
  /** The state without private comments, and how many it has. */
  withoutPrivate?(state: State): {readonly part: Partial<State>; readonly count: number};
  /** A subject for people; undefined: as it is. */
  shownAs?(subject: string): string;
  /** Whether a name means the same on every server; undefined: all do. */
  isPortable?(name: string): boolean;
  /** The form in which names are compared. @param host of the accounts that are named without one */
  compared(subject: string, host: string): string;
  /** What is asked for it. */
  readonly reads: Endpoint;
  /** @param seen of a section whose items come and go: is given them */
  read(client: Client, seen?: SeenItems): Promise<Partial<State>>;
  /** What of it a plan depends on, under a name. */
  fingerprint?(state: State): Readonly<Record<string, unknown>>;
  compare(wanted: Wanted, state: State, circumstances: Circumstances): Comparison;
  /**
   * Undefined when it was not read. Its names mean the same on every server.
   * @throws Failure when it could not be read: a policy without it would be wrong
   */
  exported(state: State, now: Date): ExportedSection | undefined;
  /** Formats of other tools that hold it. */
  readonly formats: readonly ListFormat[];
  list?(format: ListFormat, state: State, now: Date, setting: ListSetting | undefined): WrittenList;
  /** Set where its items are domains, which lists name. */
  readonly ofDomains?: OfDomains;
  /** Undefined: nothing of it can be changed. */
  readonly changing?: Changing;
  /** Undefined: it is settings, and no items that come and go. */
  readonly holding?: Holding;
  /** How applies set it, which tells what people did since; undefined: nothing of it can be changed. */
  readonly made?: Made;
}

/** What a section of domains has besides. */
export interface OfDomains {
  rules(policy: Policy): DomainRules | undefined;
  /** Whether it is about one account, so that it is known whom a block would hit. */
  readonly seesFollows: boolean;
}

/** How changes are put in order. */
export interface Order {
  readonly wanted: Wanted;
  readonly host: string;
  /** For how many additions the server has room before anything is removed; infinite where it has no limit. */
  readonly room: number;
}

export interface Undo {
  readonly changes: readonly Change[];
  /** What cannot be restored, and why. */
  readonly lost: readonly {readonly subject: string; readonly why: string}[];
  /** The items that are made again, where ids tell them apart. */
  readonly again?: readonly MadeAgain[];
}

/** An item that an undo makes again: earlier applies know it by the id that it had. */
export interface MadeAgain {
  readonly kind: ItemKind;
  readonly hadId: string;
  /** The id that an interrupted undo gave it, or the change that is going to make it. */
  readonly as: Change | string;
}

/** Changes as they are sent. */
export interface PreparedChanges {
  /** Those that are not as they were, by what they were. */
  readonly changes: ReadonlyMap<Change, Change>;
  /** What could not be read, and what follows from it. */
  readonly warning?: string | undefined;
}

export interface Changing {
  /** Of its changes in plan files. */
  schemas(): readonly z.ZodMiniType<Change>[];
  /** What its changes are sent with, by what they do. */
  readonly operations: Readonly<Partial<Record<Change['action'], Operation>>>;
  /** An account whose id is not known is named by its handle. @param now the moment of sending, which servers count from */
  input(change: Change, now: Date): PlainInput;
  /** What it does, besides its name; empty where that says it. @param showsPrivate of a section that sends private comments */
  text(change: Change, showsPrivate: boolean): string;
  /** The order in which changes are carried out. */
  inOrder(changes: readonly Change[], order: Order): readonly Change[];
  /** Whether a change that is no removal takes something away: then --allow-removals counts it. */
  isRemoval?(change: Change): boolean;
  /** Whether a change shuts out all accounts of another server for everybody: many of these need --allow-additions. */
  reaches?(change: Change): boolean;
  /** What a change acts on: a plan has one change of each. */
  target(change: Change, host: string): string;
  /** Why a change of a plan file does something else than it shows. @param before the changes that are made before it */
  misfit(change: Change, state: State, before: readonly Change[]): string | undefined;
  isDone(change: Change, touched: Touched, state: State): boolean;
  /** Reads what changes are about to overwrite, so that it is kept. Sends nothing else. */
  prepared?(changes: readonly Change[], state: State, client: Client, now: Date): Promise<PreparedChanges>;
  /** The state before an apply; what differs from what these changes made stays different. */
  before(touched: Touched, done: readonly Change[], state: State): Partial<State>;
  /** What a change is about to touch, as it is. */
  touched(change: Change, state: State): Pick<TouchedItem, 'id' | 'subject' | 'updated' | 'was'>;
  /** How it was, in a state file. */
  was(): z.ZodMiniType;
  undo(touched: Touched, state: State, now: Date): Undo;
  /** Which follows the changes end, in a sentence; undefined: none. */
  warning?(changes: readonly Change[], state: State): string | undefined;
}

/** The most that servers take, if their administrators did not raise it. */
export interface Limit {
  /** Up to release 0.12.6. */
  readonly older: number;
  readonly newer: number;
  /** What does not fit, as it is counted: `account block`. */
  readonly item: string;
  /** `accounts would be blocked` */
  readonly words: string;
  /** What can be done when it is reached, besides asking for more. */
  readonly advice?: string;
}

/** What earlier applies made. */
export interface Past<Was = unknown> {
  readonly state: State;
  readonly owned: readonly MadeItem<Was>[];
  /** Ids of the items that rules are about, where names do not say it. */
  readonly matched: ReadonlySet<string>;
}

/** What the policy no longer names: it is removed. */
export type Leftover = Difference & {readonly change: Change};

export interface RuleReason {
  readonly rule: string;
  readonly source: Location;
  /** What it asks for, and whether it counts. */
  readonly says: string;
  /** What it says about the domain or the account. */
  readonly details?: FactsJson | undefined;
}

export interface Explanation {
  readonly kind: ItemKind;
  readonly subject: string;
  /** Whether the policy wants it; undefined: no rule is about it, or it is unknown. */
  readonly isWanted: boolean | undefined;
  readonly reasons: readonly RuleReason[];
  /** Whether it exists; undefined when that was not read. */
  readonly isThere: boolean | undefined;
  readonly actual: string;
  /** What the reasons that count say about it, merged. */
  readonly details?: FactsJson | undefined;
}

/** What one side of a comparison has, by names that both know. */
export type Side = ReadonlyMap<string, unknown>;

/** The values of items, which applies change. */
interface HeldValues {
  of(item: unknown): unknown;
  /** The id that a server gave it, which another one of the same name does not get. */
  idOf?(item: unknown): string | undefined;
  areSame(one: unknown, other: unknown): boolean;
  /** Whether the second one takes something away from the first one. */
  isLess(before: unknown, after: unknown): boolean;
  /** For people, without private comments. */
  text(value: unknown): string;
  /** Whether a value counts as nothing: an item that has it is not there. */
  isNone?(value: unknown): boolean;
  /** What an update gives its item. */
  after(change: Change): unknown;
  /** What it replaces. */
  before(change: Change): unknown;
  /** What an addition replaces that counts as nothing, and that its item goes back to. */
  stood?(change: Change): unknown;
}

/** How applies set items: what of an item a person can change by hand. */
export interface Made {
  /** In a state file. */
  schema(): z.ZodMiniType;
  /**
   * How a change leaves its item.
   * @param before how it was, as a state file has it, or how an earlier change of the same apply left it
   * @param earlier how an apply set it before
   */
  after(change: Change, before: unknown, earlier?: unknown): unknown;
  /** How an item was before a change, in the form of {@link Made.after}. @param was as a state file has it */
  before(was: unknown): unknown;
  /** How each item is by now, undefined where it is not there; undefined altogether when that was not read. */
  now(state: State): ((item: MadeItem) => unknown) | undefined;
  /** Whether an item is gone because its time was over. */
  hasEnded?(item: MadeItem, now: Date): boolean;
  /** Whether the second one lacks something that the first one has. */
  isLess(one: unknown, other: unknown): boolean;
  /** For people. @param other says which parts matter: those that differ from it */
  text(value: unknown, other?: unknown): string;
}

export interface Holding {
  /** Whether items have ids, and titles that are compared as they are; otherwise the name says which item it is. */
  readonly hasIds: boolean;
  /** Set where applies change values: what an apply changed and did not make goes back to what it was. */
  readonly values?: HeldValues;
  /** Undefined: servers take any number. */
  readonly limit?: Limit | undefined;
  /**
   * The subjects of the items by their ids, or by their names; undefined when they were not read.
   * @param now leaves out what has ended by then
   */
  there(state: State, now?: Date): ReadonlyMap<string, unknown> | undefined;
  /** The name of an item that may be named otherwise, in the state. */
  known(subject: string, state: State): string;
  /** @param asked what the rules ask for: what they change already is no leftover */
  leftovers(wanted: Wanted, asked: readonly Change[], past: Past, circumstances: Circumstances): readonly Leftover[];
  /** What the policy wants and the server has, as it is owned when it is adopted. */
  wantedThere(wanted: Wanted, past: Pick<Past, 'matched' | 'state'>, now: Date): readonly MadeItem[];
  /** Whether a text may name an item. */
  canBe(text: string): boolean;
  explain(text: string, wanted: Wanted, state: State, now: Date): readonly Explanation[];
  ofState(state: State, now: Date): Side | undefined;
  /** @param host of the accounts that are written without one */
  ofPolicy(wanted: Wanted, host: string): Side | undefined;
  ofList(list: List, host: string): Side | undefined;
  /** An item in words, where two sides differ. */
  sideText(item: unknown): string;
  areSame(one: unknown, other: unknown): boolean;
}

/** A warning that holds for additions, wherever they are made. */
export function ofAdditions(sentence: string): NonNullable<Changing['warning']> {
  return (changes) => (changes.some(({action}) => action === 'add') ? sentence : undefined);
}

/** What is said of blocks that are reverted. */
export const noFollows = 'follows ended in both directions, and are not restored';
