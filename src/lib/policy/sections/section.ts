/** A section of a policy: what it says about one kind, how that is read and written. */
import type * as z from 'zod/mini';
import type {Actual, Desired, Kind} from '../model/kind.js';
import type {Value} from '../model/value.js';
import type {List} from '../lists/list.js';
import type {WantedDomains} from '../lists/merge.js';
import type {ListFormat, ListSetting, WrittenList} from '../lists/write-list.js';
import type {DomainFacts} from '../model/domain-facts.js';
import type {Rules, SectionKey} from '../model/policy.js';
import type {SectionReader} from '../section/reader.js';

/** A rule that is about a name, for `explain`. */
export interface Reason {
  readonly rule: string;
  readonly where: string;
  /** What it asks for, and whether it counts. */
  readonly says: string;
  readonly details?: DomainFacts | undefined;
}

/** What one side of `diff` has, by name. */
export type Side = ReadonlyMap<string, Value>;

/** Methods are only called with the rules of the section itself. */
export interface Section {
  readonly key: SectionKey;
  readonly kind: Kind;
  /** What stands in a policy. Made when it is needed, because most runs need few of them. */
  schema(): z.ZodMiniType;
  rulesIn(reader: SectionReader<unknown>): Rules;
  /** The rules in sentences, by their names after the section's. */
  readonly sentences: Readonly<Record<string, string>>;
  /** @param host of the accounts that are named without one @param domains what lists say, of a section of domains */
  desired(rules: Rules, host: string, domains: WantedDomains | undefined): Desired;
  /** A name in the form in which names are compared. @throws Failure `usage` when it is none */
  nameIn(text: string, host: string): string;
  /** Whether a name means the same on every server; undefined: all do. */
  isPortable?(name: string): boolean;
  /** Whether a text may name an item. */
  canBe(text: string): boolean;
  /** What the rules say about a name. */
  reasons(name: string, rules: Rules, host: string, domains: WantedDomains | undefined): readonly Reason[];
  /** Whether servers keep private comments on its items: then those of the policy are sent. */
  readonly sendsPrivate?: true;
  /** Set where its items are domains, which lists name. */
  readonly hasLists?: true;
  /** What a policy without differences says. @param actual without what has ended */
  exported(actual: Actual, host: string): {readonly value: object; readonly leftOut: readonly string[]};
  /** Formats of other tools that hold it. */
  readonly formats: readonly ListFormat[];
  list(
    format: ListFormat,
    actual: Actual,
    how: {readonly host: string; readonly now: Date; readonly setting?: ListSetting | undefined},
  ): WrittenList;
  /** What a list of another tool has of it; undefined: nothing. */
  ofList(list: List, host: string): Side | undefined;
  /** An item in `diff`. */
  sideText(value: Value): string;
  /** Whether two items differ in nothing that both sides say; undefined: their texts are the same. */
  isAlike?(one: Value, other: Value): boolean;
}
