/** A policy as it was read: what it wants, and where in its file it says so. */
import type {Location} from './location.js';
import type {Severity} from './severity.js';
import type {Expiry} from './time.js';

/** A value together with where it stands. */
export interface Located<Value> {
  readonly value: Value;
  readonly location: Location;
}

export interface Policy {
  readonly file: string;
  /** The only server that the policy may be run against; undefined: any. */
  readonly server?: Located<URL> | undefined;
  readonly domainBlocks?: DomainBlockRules | undefined;
  readonly filters?: FilterRules | undefined;
  readonly blocks?: AccountRules | undefined;
  readonly mutes?: AccountRules | undefined;
  readonly push?: readonly PushRule[] | undefined;
  readonly config?: readonly ConfigRule[] | undefined;
}

export interface DomainBlockRules {
  readonly must: readonly Located<string>[];
  readonly mustNot: readonly Located<string>[];
  /** Where it says that nothing else may be blocked; undefined: it does not. */
  readonly only?: Location | undefined;
  readonly lists: readonly ListReference[];
  /** How many lists must name a domain. */
  readonly agree: number;
}

export interface ListReference {
  readonly location: Location;
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
  readonly mustNot: readonly Located<string>[];
  readonly only?: Location | undefined;
  readonly expireWithin?: Located<number> | undefined;
}

/** Servers keep keywords trimmed and in lower case. */
export function storedKeyword(text: string): string {
  return text.trim().toLowerCase();
}

export interface WantedKeyword {
  /** As servers store it. */
  readonly keyword: string;
  readonly wholeWord: boolean;
}

/** What is undefined is not looked at. */
export interface WantedFilter {
  readonly location: Location;
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
  readonly must: readonly Located<string>[];
  readonly mustNot: readonly Located<string>[];
  /** Where it says that nobody else may be on the list; undefined: it does not. */
  readonly only?: Location | undefined;
  readonly atMost?: Located<number> | undefined;
}

export interface PushRule {
  readonly location: Location;
  readonly setting: string;
  readonly wanted: boolean;
}

export type Plain = boolean | number | string;

export type ConfigWish = Plain | readonly Plain[] | {readonly min?: number | undefined; readonly max?: number | undefined};

export interface ConfigRule {
  readonly location: Location;
  /** Dotted: `limits.statuses.max_characters`. */
  readonly path: string;
  readonly wanted: ConfigWish;
  /** Whether a server that does not offer it is passed over. */
  readonly isOptional: boolean;
}
