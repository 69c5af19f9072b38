/** A policy as it was read: what it wants, and where in its file it says so. */
import type {Place} from './place.js';
import type {Severity} from './severity.js';
import type {Expiry} from './time.js';

/** A value together with where it stands. */
export interface Placed<Value> {
  readonly value: Value;
  readonly place: Place;
}

export interface Policy {
  readonly file: string;
  /** The only server that the policy may be run against; undefined: any. */
  readonly server?: Placed<URL> | undefined;
  readonly domainBlocks?: DomainBlockRules | undefined;
  readonly filters?: FilterRules | undefined;
  readonly blocks?: AccountRules | undefined;
  readonly mutes?: AccountRules | undefined;
  readonly push?: readonly PushRule[] | undefined;
  readonly config?: readonly ConfigRule[] | undefined;
}

export interface DomainBlockRules {
  readonly must: readonly Placed<string>[];
  readonly mustNot: readonly Placed<string>[];
  /** Where it says that nothing else may be blocked; undefined: it does not. */
  readonly only?: Place | undefined;
  readonly lists: readonly ListReference[];
  /** How many lists must name a domain. */
  readonly agree: number;
}

export interface ListReference {
  readonly place: Place;
  /** As written: a path beside the policy, or an address. */
  readonly from: {readonly file: string} | {readonly url: string};
  readonly minSeverity: Severity;
  /** Whether rows that cannot be used are left out; else they are an error. */
  readonly skipsMistakes: boolean;
  readonly mayBeEmpty: boolean;
  /** What the list has to hash to, in lower case. */
  readonly sha256?: string | undefined;
}

export interface FilterRules {
  readonly must: readonly WantedFilter[];
  /** Titles. */
  readonly mustNot: readonly Placed<string>[];
  readonly only?: Place | undefined;
  readonly expireWithin?: Placed<number> | undefined;
}

export interface WantedKeyword {
  /** As servers store it: trimmed, in lower case. */
  readonly keyword: string;
  readonly wholeWord: boolean;
}

/** What is undefined is not looked at. */
export interface WantedFilter {
  readonly place: Place;
  readonly id?: string | undefined;
  readonly title: string;
  readonly context: readonly string[];
  readonly action?: string | undefined;
  readonly keywords: readonly WantedKeyword[];
  /** Whether the filter may have no other keywords. */
  readonly exactly: boolean;
  readonly expires?: Expiry | undefined;
}

export interface AccountRules {
  readonly must: readonly Placed<string>[];
  readonly mustNot: readonly Placed<string>[];
  /** Where it says that nobody else may be on the list; undefined: it does not. */
  readonly only?: Place | undefined;
  readonly atMost?: Placed<number> | undefined;
}

export interface PushRule {
  readonly place: Place;
  readonly setting: string;
  readonly wanted: boolean;
}

export type Plain = boolean | number | string;

export type ConfigWish = Plain | readonly Plain[] | {readonly min?: number | undefined; readonly max?: number | undefined};

export interface ConfigRule {
  readonly place: Place;
  /** Dotted: `limits.statuses.max_characters`. */
  readonly path: string;
  readonly wanted: ConfigWish;
  /** Whether a server that does not offer it is passed over. */
  readonly isOptional: boolean;
}
