/** The words of policies as types: kind, name, value, desired, actual, row. What is owned is in `state/state.ts`. */
import type {Endpoint, PlainInput} from '../../api/endpoint.js';
import type {Client} from '../../client/client.js';
import type {Failure} from '../../client/failure.js';
import type {FlagValues} from '../../files/command-text.js';
import type {Operation} from '../../operations/operation.js';
import type {Measured} from '../../operations/measures.js';
import type {DomainFacts} from './domain-facts.js';
import type {Value} from './value.js';
import type {DomainRules} from './policy.js';
import type {Owned} from './state.js';

/** Something that was read, or why it could not be, which never counts as nothing. */
export type Fetched<Value> = {readonly failure: Failure} | {readonly value: Value};

/** The accounts that an account follows or that follow it. */
export interface Followed {
  /** How many of them a block of a domain would hit, those on its subdomains included. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Why a policy asks for something. */
export interface Why {
  /** Its path: `domain_blocks.must`. */
  readonly rule: string;
  /** The first line that says so: `p.yml:3`. */
  readonly where: string;
  /** All lines that say so, where there are several. */
  readonly lists?: readonly string[] | undefined;
}

/** What a policy wants of one name. */
export interface Want {
  readonly value: Value;
  readonly why: Why;
  /** What is said about a domain, where the value does not have it. */
  readonly facts?: DomainFacts | undefined;
  /** What the policy itself says about it, and no list. */
  readonly own?: DomainFacts | undefined;
}

/** `covered`: another block does it. `limit`: the policy allows no more. `unknown`: what decides it could not be read. `kept`: it stays as it is. `void`: the rule has no effect. */
export type How = 'covered' | 'kept' | 'limit' | 'unknown' | 'void';

/** Why something that is wanted is not done. */
export interface Hold {
  readonly says: string;
  readonly why: Why;
  readonly how?: How | undefined;
}

/** What a policy and its lists want of one kind. Names are in the form in which they are compared. */
export interface Desired {
  /** In order of rank: what the policy names itself first. */
  readonly want: ReadonlyMap<string, Want>;
  /** What the policy itself forbids. */
  readonly never: ReadonlyMap<string, Why>;
  /** What lists want and `must_not` forbids, or what a list of `must_not` names. */
  readonly spared: ReadonlyMap<string, Hold>;
  /** Where the policy says that nothing else may be there. */
  readonly only?: Why | undefined;
  /** How many items there may be. */
  readonly limit?: {readonly most: number; readonly why: Why} | undefined;
  /** Whether nothing may become less: there is no state that could set it back. */
  readonly takesNothing?: boolean | undefined;
  /** Why a wanted item is not made, or made stricter. */
  readonly hold?: ((name: string, want: Want, has: Value | null) => Hold | undefined) | undefined;
  /** When it is compared: what ends by then is not wanted. */
  readonly now?: Date | undefined;
  /** Of domains: what narrowing needs. */
  readonly rules?: DomainRules | undefined;
  /** What differs, and no request can change. */
  readonly cannot?: readonly Row[] | undefined;
}

/** One item of a server. */
export interface Item {
  readonly value: Value;
  /** Of an item that a server numbers: another one of the same name has another id. */
  readonly id?: string | undefined;
  /** The name as the server writes it, the id of an account, or those of keywords: only sending needs it. */
  readonly raw?: unknown;
}

/** What a server has of one kind, by name. */
export interface Actual {
  readonly items: ReadonlyMap<string, Item>;
  /** What the kind knows of the server besides. */
  readonly more?: unknown;
}

/** What somebody did to what an apply had set. */
export interface ByHand {
  readonly set: string;
  /** Null: it is not there any more. */
  readonly found: string | null;
  /** When an apply set it. */
  readonly since: string;
}

export type Action = 'add' | 'cannot' | 'held' | 'remove' | 'update';

/** One thing in which a policy and a server differ, or that is left as it is. The only type for that. */
export interface Row {
  readonly kind: Kind;
  readonly name: string;
  readonly action: Action;
  readonly has: Value | null;
  /** What it is to be. */
  readonly want: Value | null;
  readonly why: Why;
  /** Whether a rule names it: a removal that no rule names is guarded. */
  readonly isAsked: boolean;
  readonly byHand?: ByHand | undefined;
  /** Why it is held. */
  readonly says?: string | undefined;
  readonly how?: How | undefined;
  /** Of what cannot be changed: both sides in words, and what to do. */
  readonly texts?: {readonly wanted: string; readonly actual: string; readonly fix: string} | undefined;
  readonly facts?: DomainFacts | undefined;
  readonly id?: string | undefined;
  readonly raw?: unknown;
}

export interface Words {
  /** An item in a plan: `domain block`. */
  readonly item: string;
  /** Items in reports: one, and several. */
  readonly counted: readonly [one: string, several: string];
  readonly title: string;
  /** `Cannot read the domain blocks of pix.example`. */
  readonly all: string;
  /** What an item without a value is: `blocked`. */
  readonly done: string;
}

/** The account or the server of a run, as far as comparing needs it. */
export interface Place {
  readonly host: string;
  /** The account that is acted as; undefined where the server does not say. */
  readonly own?: {readonly id: string; readonly acct: string} | undefined;
  readonly now: Date;
}

/** What narrows what is wanted: read where a policy asks for it. */
export interface Circumstances extends Place {
  readonly owned: (name: string) => Owned | undefined;
  readonly followed?: (() => Promise<Fetched<Followed>>) | undefined;
  readonly measures?: ((domains: readonly string[]) => Promise<Measured | undefined>) | undefined;
}

/** Rows as they are sent, and what could not be read for that. */
export interface Prepared {
  readonly rows: readonly Row[];
  readonly warning?: string | undefined;
}

/** What sets one kind of items apart. Methods are only called with values of the kind itself. */
export interface Kind {
  /** `domain_block` */
  readonly kind: string;
  /** Whose items they are: those of each account, or of its server. */
  readonly owner: 'account' | 'server';
  readonly words: Words;
  /** Whether servers number its items, so that one that is made again has another id. */
  readonly isNumbered?: true;
  /** Whether a policy says all that an item is: then it is made so, also where that takes something away. */
  readonly isGivenWhole?: true;
  /** What is asked for it. */
  readonly reads: Endpoint;
  readonly operations: {readonly add: Operation; readonly update?: Operation; readonly remove: Operation};
  /** What can be done when the server's limit is reached, besides asking its administrators. */
  readonly limitAdvice?: string;
  /** @param seen is given the items as the server sent them @throws Failure */
  read(client: Client, place: Place, seen?: (items: readonly unknown[]) => void): Promise<Actual>;
  /** What is wanted on this server: what it keeps, and what is held. */
  narrow?(desired: Desired, actual: Actual, circumstances: Circumstances): Desired | Promise<Desired>;
  /** What an item is to be. @param has null: it is not there */
  fit(want: Want, has: Value | null, owned: Owned | undefined, desired: Desired): Value;
  /** Whether the first one lacks something that the second one has. */
  isLess(one: Value, other: Value): boolean;
  /** Whether an item is as it was set, where its text does not say it. */
  isSame?(has: Value, set: Value): boolean;
  /** An item that is called otherwise than an apply made it: it is known by its id. */
  renamed?(value: Value, called: string): Value;
  /** Whether an item is gone because its time was over. */
  hasEnded?(owned: Owned, now: Date): boolean;
  /** In words, without private comments. @param other says which parts matter: those that differ from it */
  text(value: Value, other?: Value): string;
  /** A side of an update in words, where these are not those of {@link Kind.text}. */
  status?(value: Value, other: Value): string;
  /** What a row says besides its name; empty where that says it. */
  details?(row: Row, showsPrivate: boolean): string;
  /** Completes what is sent: reads what it is about to overwrite. */
  prepare?(rows: readonly Row[], actual: Actual, client: Client, now: Date): Promise<Prepared>;
  /** What a row is sent with. An account whose id is not known is named by its handle. */
  input(row: Row, at: {readonly now: Date; readonly host: string}): PlainInput;
  /** What a row sets, where time has a part in it. */
  set?(value: Value, now: Date): Value;
  /** Rows in the order in which they can be sent. */
  order?(rows: readonly Row[], how: {readonly isUndo: boolean}): readonly Row[];
  /** A command that does the same by hand; undefined: apply alone does. */
  command(row: Row, account: FlagValues, host: string): string | undefined;
  /** A name for people, where that is not how JSON names it. */
  shown?(name: string, host: string): string;
  /** The name in JSON. */
  subject?(name: string, host: string): string;
  /** Which follows rows end, in a sentence. */
  warning?(rows: readonly Row[], place: Place, actual: Actual): string | undefined;
  /** What an undo does not bring back. */
  lost?(row: Row, actual: Actual): string | undefined;
}

export const keyOf = ({kind}: Pick<Kind, 'kind'>, name: string): string => `${kind} ${name}`;
