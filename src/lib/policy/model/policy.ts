/** A policy as read: what it asks for, and on which lines. */
import type {DomainFacts, MergePlan, optionalFields, SentComments, Severity} from './domain-facts.js';
import type {FilterValue} from './filter-value.js';

export interface Located<Value> {
  readonly value: Value;
  /** The file and the line: `p.yml:3`. */
  readonly where: string;
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

export interface OwnDomain extends Lasting {
  readonly facts?: DomainFacts | undefined;
}

interface SparedDomain extends Located<string> {
  /** Why it is left alone, for people. */
  readonly note?: string | undefined;
}

export interface DomainRules {
  /** The section: `domain_blocks`. */
  readonly key: string;
  readonly must: readonly OwnDomain[];
  readonly mustNot: readonly SparedDomain[];
  /** The number of follows, at least 1, from which a domain is not blocked. */
  readonly protectFollowed?: Located<number> | undefined;
  /** The line of `only: true`: nothing else may be blocked. */
  readonly only?: string | undefined;
  readonly limit?: Located<number> | undefined;
  /** The highest severity for a domain, once people of this server have so many follows of accounts there. */
  readonly maxFollowed?: (Located<'noop' | 'silence'> & {readonly follows: number}) | undefined;
  /** Block lists, then lists of `must_not`. */
  readonly lists: readonly ListReference[];
  /** Which of the merged comments are sent to the server; undefined: all as the private comment. */
  readonly sendComments?: SentComments | undefined;
  /** How many lists must name a domain: a number, or a share such as `50%`; undefined: one. */
  readonly agree?: number | string | undefined;
  readonly merge: MergePlan;
}

export interface ListReference {
  /** Set for a list of `must_not`: its domains are never blocked. */
  readonly spares?: true | undefined;
  /** The path or address of the list, which names it in messages and sources. */
  readonly name: string;
  readonly isRemote: boolean;
  /** The line of the policy that names it: `p.yml:3`. */
  readonly where: string;
  readonly minSeverity: Severity;
  /** What higher severities count as; undefined: themselves. */
  readonly maxSeverity?: Severity | undefined;
  /** The fields that are taken from the list besides domain and severity; undefined: all. */
  readonly fields?: readonly (typeof optionalFields)[number][] | undefined;
  /** Whether invalid rows are left out. Otherwise they are an error. */
  readonly skipsMistakes?: boolean | undefined;
  readonly mayBeEmpty: boolean;
  /** The comment for a block without its own, with `{list}` and `{date}` as placeholders. */
  readonly privateComment?: string | undefined;
  /** The SHA-256 of the list, in lower case. */
  readonly sha256?: string | undefined;
}

export interface WantedFilter extends Lasting {
  readonly filter: FilterValue;
}

/** The rules of a section that lists its items by name. */
export interface NameRules {
  /** For a filter, `value` is its title. */
  readonly must: readonly (Lasting & Partial<Pick<WantedFilter, 'filter'>>)[];
  readonly mustNot: readonly Located<string>[];
  /** The line of `only: true`: nothing else may be on the list. */
  readonly only?: string | undefined;
}
