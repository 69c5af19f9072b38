/** A list that other tools wrote, read. */
import type {Place} from '../place.js';
import type {WantedKeyword} from '../policy.js';
import type {Severity} from '../severity.js';

export interface ListedDomain {
  readonly domain: string;
  readonly place: Place;
  /** Lists without severities mean `suspend`. */
  readonly severity: Severity;
  readonly publicComment?: string | undefined;
  readonly privateComment?: string | undefined;
  readonly rejectMedia?: boolean | undefined;
  readonly rejectReports?: boolean | undefined;
  readonly obfuscate?: boolean | undefined;
}

export interface ListedAccount {
  readonly account: string;
  readonly place: Place;
}

export interface ListedFilter {
  readonly title: string;
  readonly context: readonly string[];
  readonly action: string;
  readonly expiresAt: Date | null;
  readonly keywords: readonly WantedKeyword[];
  readonly place: Place;
}

export type DomainFormat = 'fediblockhole' | 'json' | 'mastodon-admin-csv' | 'mastodon-csv' | 'plain' | 'rapidblock-json';

export interface DomainList {
  readonly kind: 'domains';
  readonly format: DomainFormat;
  readonly name: string;
  readonly entries: readonly ListedDomain[];
  /** Entries whose letters are masked: nobody can tell which domain they mean. */
  readonly obfuscated: readonly Place[];
}

export interface AccountList {
  readonly kind: 'accounts';
  readonly format: 'mastodon-blocks-csv' | 'mastodon-mutes-csv';
  readonly name: string;
  readonly entries: readonly ListedAccount[];
}

export interface FilterList {
  readonly kind: 'filters';
  readonly format: 'mastodon-json';
  readonly name: string;
  readonly entries: readonly ListedFilter[];
}

export type List = AccountList | DomainList | FilterList;
