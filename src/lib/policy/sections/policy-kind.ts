/** The words of policies as types: kind, name, desired, actual, row. What is owned is in `model/policy-state.ts`. */
import type * as z from 'zod/mini';
import type {Endpoint, PlainInput} from '../../api/endpoint.js';
import type {Client} from '../../client/client.js';
import type {Failure} from '../../client/failure.js';
import type {FlagValues} from '../../files/command-text.js';
import type {Measured} from '../../operations/measures.js';
import type {Operation} from '../../operations/operation.js';
import type {List} from '../lists/list.js';
import type {WantedDomains} from '../lists/merge.js';
import type {ListFormat, ListSetting, WrittenList} from '../lists/write-list.js';
import type {Software} from '../../operations/server-release.js';
import type {DomainFacts} from '../model/domain-facts.js';
import type {StoredKeyword} from '../model/filter-value.js';
import type {DomainRules, Rules} from '../model/policy.js';
import type {Owned} from '../model/policy-state.js';
import type {Value} from '../model/value.js';
import type {SectionReader} from './reader.js';

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

/** A rule that is about a name, for `explain`. */
export interface Reason extends Pick<Why, 'rule' | 'where'> {
  /** What it asks for, and whether it counts. */
  readonly says: string;
  readonly details?: DomainFacts | undefined;
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
type How = 'covered' | 'kept' | 'limit' | 'unknown' | 'void';

/** Why something that is wanted is not done. */
export interface Hold {
  readonly says: string;
  readonly why: Why;
  readonly how?: How | undefined;
  /** Where that is a difference, which no request can change. */
  readonly texts?: Row['texts'];
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
  /** Of domains: what narrowing needs. */
  readonly rules?: DomainRules | undefined;
  /** What differs, and no request can change; and what else is to be known. */
  readonly cannot?: readonly Row[] | undefined;
}

/** One item of a server. */
export interface Item {
  readonly value: Value;
  /** Of an item that a server numbers: another one of the same name has another id. */
  readonly id?: string | undefined;
  /** The name as the server writes it, the id of an account, or the keywords with their ids: only sending needs it. */
  readonly raw?: string | readonly StoredKeyword[] | undefined;
}

/** What a server has of one kind, by name. */
export interface Actual {
  readonly items: ReadonlyMap<string, Item>;
  /** Of server blocks: the software, and the hosts of the server itself. */
  readonly server?: {readonly software: Software; readonly hosts: readonly string[]} | undefined;
}

/** A person lifted or changed an item after an apply had set it. */
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
  readonly raw?: Item['raw'];
  /** What the plan said, where preparing the request made something else of it. */
  readonly planned?: readonly [has: Value | null, want: Value | null] | undefined;
}

/** The account or the server of a run, as far as comparing needs it. */
export interface Place {
  readonly host: string;
  /** The account that is acted as; undefined where the server does not say. */
  readonly own?: {readonly id: string; readonly acct: string} | undefined;
  readonly now: Date;
}

/** What {@link Kind.narrow} needs. Follows and measures are read only where a policy asks for them. */
export interface Circumstances extends Place {
  readonly owned: (name: string) => Owned | undefined;
  readonly followed?: (() => Promise<Fetched<Followed>>) | undefined;
  readonly measures?: ((domains: readonly string[]) => Promise<Measured | undefined>) | undefined;
}

/** What a policy says about a kind. Methods are only called with rules of the kind itself. */
export interface PolicyPart {
  /** What stands in a policy; descriptions of its keys say in reports why something is wanted. Made when it is needed: most runs need few. */
  schema(): z.ZodMiniType;
  read(reader: SectionReader<unknown>): Rules;
  /** @param host of the accounts that are named without one @param domains what lists say, of a section of domains */
  desiredOf(rules: Rules, host: string, domains: WantedDomains | undefined): Desired;
  /** What the rules say about a name. */
  reasons(name: string, rules: Rules, host: string, domains: WantedDomains | undefined): readonly Reason[];
  /** What a policy without differences says. @param actual without what has ended */
  write(actual: Actual): {readonly value: object; readonly leftOut: readonly string[]};
}

/** Lists of other tools that hold items of a kind. */
interface ListPart {
  readonly formats: readonly ListFormat[];
  write(
    format: ListFormat,
    actual: Actual,
    how: {readonly host: string; readonly now: Date; readonly setting?: ListSetting | undefined},
  ): WrittenList;
  /** What a list has of it; undefined: nothing. */
  read(list: List, host: string): ReadonlyMap<string, Value> | undefined;
}

/** The requests for rows. */
interface SendPart {
  readonly add: Operation;
  /** Of what servers number: others are added and removed. */
  readonly update?: Operation;
  readonly remove: Operation;
  /** An account whose id is not known is named by its handle. */
  input(row: Row, at: {readonly now: Date; readonly host: string}): PlainInput;
  /** Completes rows: reads what they are about to overwrite. */
  prepare?(
    rows: readonly Row[],
    actual: Actual,
    client: Client,
    now: Date,
  ): Promise<{readonly rows: readonly Row[]; readonly warning?: string | undefined}>;
  /** Rows in the order in which they can be sent; undefined: removals, updates, additions. */
  order?(rows: readonly Row[], isUndo: boolean): readonly Row[];
  /** A command that does the same by hand, where its name is not that of the section; undefined: apply alone does. */
  command?(row: Row, account: FlagValues): string | undefined;
}

/** One kind of items. A new one is added to `sections/index.ts`. */
export interface Kind {
  /** `domain_block` */
  readonly kind: string;
  /** The section of a policy that is about it: `domain_blocks`. */
  readonly key: string;
  /** Whose items they are: those of each account, or of its server. */
  readonly owner: 'account' | 'server';
  readonly words: {
    /** An item in a plan: `domain block`. */
    readonly item: string;
    /** In reports. */
    readonly title: string;
    /** `Cannot read the domain blocks of pix.example`. */
    readonly all: string;
    /** What an item is that is there: `blocked`. */
    readonly done: string;
  };
  readonly policy: PolicyPart;
  /** Set where items are domains, which lists name. Of those of a server, what is said about them is sent. */
  readonly ofDomains?: true;
  /** What is asked for it. */
  readonly list: Endpoint;
  /** @param seen is given the items as the server sent them @throws Failure */
  read(client: Client, place: Place, seen?: (items: readonly unknown[]) => void): Promise<Actual>;
  /** A name in the form in which names are compared. @throws Failure `usage` when it is none */
  nameIn(text: string, host: string): string;
  /** Whether a text may name an item for everybody; undefined: where it is a name. */
  canBe?(text: string): boolean;
  /** A name for people, where it is not the one that is compared. */
  shownAs?(name: string, host: string): string;
  /** What is wanted on this server: what it keeps, and what is held. */
  narrow?(desired: Desired, actual: Actual, circumstances: Circumstances): Desired | Promise<Desired>;
  /** What an item is to be, where that is not what is wanted. @param has null: it is not there */
  fit?(want: Want, has: Value | null, about: {readonly owned: Owned | undefined; readonly desired: Desired; readonly now: Date}): Value;
  readonly send: SendPart;
  /** What a row says in a plan besides its name; empty where that says it. */
  details?(row: Row, showsPrivate: boolean): string;
  /** What a row does to follows, in a sentence, and whether it ends some, which no undo restores. */
  follows?(row: Row, actual: Actual, host: string): {readonly says: string; readonly isEnd: boolean} | undefined;
  readonly lists?: ListPart;
}

export const keyOf = ({kind}: Pick<Kind, 'kind'>, name: string): string => `${kind} ${name}`;

/** A row about one name, and the item that is there. */
export const toRow = (
  kind: Kind,
  name: string,
  item: Item | undefined,
  row: Partial<Row> & Pick<Row, 'action' | 'isAsked' | 'want' | 'why'>,
): Row => ({
  kind,
  name,
  has: item?.value ?? null,
  ...(item?.id !== undefined && {id: item.id}),
  ...(item?.raw !== undefined && {raw: item.raw}),
  ...row,
});

/** A row of an item that is not changed, with the reason. */
export const toHeldRow = (kind: Kind, name: string, held: Hold & Partial<Row>): Row =>
  toRow(kind, name, undefined, {action: 'held', want: null, isAsked: true, ...held});

/** A row of a difference that no request can change. */
export const toOpenRow = (kind: Kind, name: string, why: Why, texts: NonNullable<Row['texts']>, more: Partial<Row> = {}): Row =>
  toRow(kind, name, undefined, {action: 'cannot', want: null, isAsked: true, why, texts, ...more});
