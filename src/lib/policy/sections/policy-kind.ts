/** Types that everything about policies uses: kind, desired, actual, row. What an apply made is in `model/policy-state.ts`. */
import type * as z from 'zod/mini';
import type {Endpoint, PlainInput} from '../../api/endpoint.js';
import type {Client} from '../../client/client.js';
import type {Measured} from '../../operations/measures.js';
import type {Operation} from '../../operations/operation.js';
import {idOrHandle, shownHandle} from '../../operations/handle.js';
import type {Software} from '../../operations/server-release.js';
import type {DomainFacts} from '../model/domain-facts.js';
import type {StoredKeyword} from '../model/filter-value.js';
import type {DomainRules, Rules} from '../model/policy.js';
import type {Owned} from '../model/policy-state.js';
import type {Value} from '../model/value.js';
import type {SectionReader} from './reader.js';

export interface Why {
  /** The path of the rule: `domain_blocks.must`. */
  readonly rule: string;
  /** The first line that says so: `p.yml:3`. */
  readonly where: string;
  /** All lines that say so, if there are several. */
  readonly lists?: readonly string[] | undefined;
}

export interface Want {
  readonly value: Value;
  readonly why: Why;
  /** The last day on which it is wanted. */
  readonly until?: string | undefined;
  /** The severity, comments and flags of a domain, if `value` does not have them. */
  readonly facts?: DomainFacts | undefined;
  /** The same from the policy itself, without its lists. */
  readonly own?: DomainFacts | undefined;
  /** The comment of a list for a block that has no other one. `{date}` in it is not replaced yet. */
  readonly listComment?: string | undefined;
}

/** `covered`: another block does it. `limit`: the policy allows no more. `kept`: it stays as it is. */
type How = 'covered' | 'kept' | 'limit';

export interface Hold {
  readonly says: string;
  readonly why: Why;
  readonly how?: How | undefined;
  /** Set if this counts as a difference that no request can change. */
  readonly texts?: Row['texts'];
}

/** What a policy and its lists want of one kind. Names are in the form in which they are compared. */
export interface Desired {
  /** Sorted: names from the policy itself come before those from lists. */
  readonly want: ReadonlyMap<string, Want>;
  /** What the policy itself forbids. */
  readonly never: ReadonlyMap<string, Why>;
  /** Names that a list asks for and `must_not` forbids, and names from a list of `must_not`. */
  readonly spared: ReadonlyMap<string, Hold>;
  /** Why nothing else may be there: the line of `only`. */
  readonly only?: Why | undefined;
  readonly limit?: {readonly most: number; readonly why: Why} | undefined;
  /** Whether nothing is removed or weakened: without a state, an undo could not set it back. */
  readonly takesNothing?: boolean | undefined;
  /** Says why a wanted item is neither added nor made stricter; undefined: it is. */
  readonly hold?: ((name: string, want: Want, has: Value | null) => Hold | undefined) | undefined;
  /** The value to set, where it depends on what is there. @param has null: the item is not there */
  readonly fit?: ((want: Want, has: Value | null, owned: Owned | undefined) => Value) | undefined;
  /** The rules of a section of domains, for {@link Kind.narrow}. */
  readonly rules?: DomainRules | undefined;
  /** Differences that no request can change, and remarks that are about no item. */
  readonly cannot?: readonly Row[] | undefined;
}

export interface Item {
  readonly value: Value;
  /** Set if the server numbers such items: it tells an item from a later one of the same name. */
  readonly id?: string | undefined;
  /** For requests: the name as the server writes it, or the id of an account. */
  readonly raw?: string | undefined;
  readonly keywords?: readonly StoredKeyword[] | undefined;
}

export interface Actual {
  readonly items: ReadonlyMap<string, Item>;
  /** For server blocks: the software of the server, and its own hosts. */
  readonly server?: {readonly software: Software; readonly hosts: readonly string[]} | undefined;
}

/** A person lifted or changed an item after an apply had set it. */
export interface ByHand {
  readonly set: string;
  readonly found: string | null;
  /** When an apply set it. */
  readonly since: string;
}

export type Action = 'add' | 'cannot' | 'held' | 'remove' | 'update';

/** A difference between a policy and a server, or an item that stays as it is although the policy wants it otherwise. */
export interface Row extends Omit<Item, 'value'> {
  readonly kind: Kind;
  readonly name: string;
  readonly action: Action;
  readonly has: Value | null;
  /** What the item is to be; null: absent. */
  readonly want: Value | null;
  readonly why: Why;
  /** Whether a rule names the item: many removals that no rule names need `--allow-removals`. */
  readonly isAsked: boolean;
  readonly byHand?: ByHand | undefined;
  readonly says?: string | undefined;
  readonly how?: How | undefined;
  /** For a difference that no request can change: both sides in words, and what to do. */
  readonly texts?: {readonly wanted: string; readonly actual: string; readonly fix: string} | undefined;
  readonly facts?: DomainFacts | undefined;
  /** The values in the plan, if preparing the request changed them. */
  readonly planned?: readonly [has: Value | null, want: Value | null] | undefined;
}

/** What {@link Kind.narrow} needs. Follows and measures are read only if a policy asks for them. */
export interface Circumstances {
  readonly host: string;
  /** The account in use; undefined: the server does not say. */
  readonly own?: {readonly id: string; readonly acct: string} | undefined;
  readonly now: Date;
  readonly owned: (name: string) => Owned | undefined;
  /** By domain, how many accounts there, or on its subdomains, the account follows or is followed by. @throws Failure */
  readonly followed: () => Promise<ReadonlyMap<string, number>>;
  readonly measures?: ((domains: readonly string[]) => Promise<Measured | undefined>) | undefined;
}

/** What a policy can say about the items of a kind. */
export interface Section {
  /** What a name is one of: `domain`. How it is shown, and which lists can have it, follows from this. */
  readonly noun: string;
  /** A name in the form in which names are compared. @throws Failure `usage` when the text is no name */
  nameIn(text: string, host: string): string;
  /** It is made when needed, because most runs need few. */
  schema(): z.ZodMiniType;
  /** @param reader of this section only */
  readRules(reader: SectionReader<unknown>): Rules;
}

/** One kind of items, which an account or its server has. A new kind is added to `sections/index.ts`. */
export interface Kind {
  /** The key of its section in policies: `domain_blocks`. */
  readonly key: string;
  readonly section: Section;
  /** Whether items belong to each account, or to its server. */
  readonly owner: 'account' | 'server';
  /** What people call an item: `domain block`. */
  readonly item: string;
  /** What is said of an item that is there: `blocked`. */
  readonly done: string;
  /** What is called to read and to change items, for descriptions. */
  readonly calls: readonly Pick<Endpoint, 'method' | 'path'>[];
  /** @param seen gets the items as the server sent them @throws Failure when they cannot be read */
  read(client: Client, now: Date, seen?: (items: readonly unknown[]) => void): Promise<Actual>;
  /**
   * What is wanted of this server: leaves out what it cannot store, and holds back what must not be changed.
   * @throws Failure when what decides it cannot be read
   */
  narrow?(desired: Desired, actual: Actual, circumstances: Circumstances): Partial<Desired> | Promise<Partial<Desired>>;
  /** Reads what additions are about to overwrite, and adds it to the rows. */
  prepare?(rows: readonly Row[], actual: Actual, client: Client): Promise<Prepared>;
  /** Sorts rows as they have to be sent. Without it, removals come first, then updates, then additions. */
  order?(rows: readonly Row[], isUndo: boolean): readonly Row[];
  /** The request of a row. It names an account by its handle if the id is not known. */
  send(row: Row, at: {readonly now: Date; readonly host: string}): {readonly operation: Operation; readonly input: PlainInput};
}

interface Prepared {
  readonly rows: readonly Row[];
  readonly warning?: string | undefined;
}

/** A name for people: `@ana`. */
export const shownName = ({kind: {section}, name}: {readonly kind: Pick<Kind, 'section'>; readonly name: string}, host: string): string =>
  section.noun === 'account' ? idOrHandle(shownHandle(name, host)) : name;

/** A kind in documents and states: `domain_block`, of the section `domain_blocks`. */
export const kindName = ({key}: Pick<Kind, 'key'>): string => key.slice(0, -1);

export const keyOf = (kind: Pick<Kind, 'key'>, name: string): string => `${kindName(kind)} ${name}`;

/** A row of an item. Without more, a rule names it, and it is to be absent. */
export function toRow(kind: Kind, name: string, item: Item | undefined, row: Partial<Row> & Pick<Row, 'action' | 'why'>): Row {
  const {value: has = null, ...numbered} = item ?? {};
  return {kind, name, has, want: null, isAsked: true, ...numbered, ...row};
}
