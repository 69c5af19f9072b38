/** A policy as read: what it asks for, and on which lines. */
import type {DomainFacts, MergePlan, optionalFields, SentComments, Severity} from './domain-facts.js';
import type {FilterValue} from './filter-value.js';
import type {ListOrigin} from '../source/list-origin.js';
import type {Location} from '../source/location.js';

/** A value with its line. */
export interface Located<Value> {
  readonly value: Value;
  readonly location: Location;
}

/** An entry of `must`, which may have a last day. */
export interface Lasting extends Located<string> {
  readonly until?: string | undefined;
}

export type Rules = DomainRules | NameRules;

export interface Policy {
  readonly file: string;
  /** The only server that the policy may be used with; undefined: any. */
  readonly server?: Located<URL> | undefined;
  /** The only accounts that it may be used with, as `ana@pix.example`; undefined: any. */
  readonly accounts?: readonly Located<string>[] | undefined;
  /** By section, in the order of sections. */
  readonly rules: ReadonlyMap<string, Rules>;
  /** The whole policy of each account for which something differs; undefined: it is the same for all. */
  readonly variants?: ReadonlyMap<string, Policy> | undefined;
}

/** A domain that the policy itself wants blocked. */
export interface OwnDomain extends Lasting {
  readonly facts?: DomainFacts | undefined;
}

/** A domain that the policy itself wants left alone. */
export interface SparedDomain extends Located<string> {
  /** Why, for people. */
  readonly note?: string | undefined;
}

export interface DomainRules {
  /** The section that has them. */
  readonly of: {readonly key: string; readonly kind: string};
  readonly must: readonly OwnDomain[];
  readonly mustNot: readonly SparedDomain[];
  /** At least 1. */
  readonly protectFollowed?: Located<number> | undefined;
  /** Lists of domains that are never blocked. */
  readonly allowLists?: readonly ListReference[] | undefined;
  /** The line of `only: true`: nothing else may be blocked. */
  readonly only?: Location | undefined;
  /** How many domains may be blocked. */
  readonly limit?: Located<number> | undefined;
  /** What domains are blocked with at most, from so many follows of people here to accounts there. */
  readonly maxFollowed?: (Located<'noop' | 'silence'> & {readonly follows: number}) | undefined;
  readonly lists: readonly ListReference[];
  /** Which of the merged comments are sent to the server; undefined: all as the private comment. */
  readonly sendComments?: SentComments | undefined;
  /** How many lists must name a domain: a number, or a share such as `50%`; undefined: one. */
  readonly agree?: Located<number | string> | undefined;
  readonly merge: MergePlan;
}

export interface ListReference {
  /** Set where what it names is not to be blocked: it is in `must_not`. */
  readonly spares?: true | undefined;
  readonly location: Location;
  readonly from: ListOrigin;
  readonly minSeverity: Severity;
  /** What higher severities count as; undefined: themselves. */
  readonly maxSeverity?: Severity | undefined;
  /** What is taken from it besides domains and severities; undefined: everything. */
  readonly fields?: readonly (typeof optionalFields)[number][] | undefined;
  /** How many invalid rows are left out; more are an error. */
  readonly maxMistakes: number;
  readonly mayBeEmpty: boolean;
  /** The comment for a block without its own, with `{list}` and `{date}` as placeholders. */
  readonly privateComment?: string | undefined;
  /** The SHA-256 of the list, in lower case. */
  readonly sha256?: string | undefined;
}

export interface WantedFilter extends Lasting {
  readonly filter: FilterValue;
}

/** Rules that name their items. */
export interface NameRules {
  /** Of a filter, by its title, what it is. */
  readonly must: readonly (Lasting & Partial<Pick<WantedFilter, 'filter'>>)[];
  readonly mustNot: readonly Located<string>[];
  /** The line of `only: true`: nothing else may be on the list. */
  readonly only?: Location | undefined;
}
