import type {DomainFacts} from '../model/domain-facts.js';
import type {Mistakes} from '../source/mistakes.js';
import type {ListReference, WantedFilter} from '../model/policy.js';

export interface ListedDomain {
  readonly domain: string;
  /** Counted from 1. */
  readonly line: number;
  readonly facts: DomainFacts;
}

export type DomainFormat =
  | 'fediblockhole'
  | 'json'
  | 'mastodon-admin-csv'
  | 'mastodon-csv'
  | 'pixelfed-instances'
  | 'plain'
  | 'rapidblock-json';

interface Read {
  /** Its path or address. */
  readonly name: string;
  /** The mistakes in invalid rows, in the order of the list. */
  readonly mistakes: Mistakes;
}

/** Entries do not name their list, to save memory: there may be millions. */
export interface DomainList extends Read {
  readonly kind: 'domains';
  readonly format: DomainFormat;
  readonly entries: readonly ListedDomain[];
  /** How many entries have masked letters, such as `b*d.example` or `*.bad.example`: which domains they mean is unknown. */
  readonly obfuscated: number;
}

export interface AccountList extends Read {
  readonly kind: 'accounts';
  readonly format: 'mastodon-blocks-csv' | 'mastodon-mutes-csv';
  readonly entries: readonly string[];
}

export interface FilterList extends Read {
  readonly kind: 'filters';
  readonly entries: readonly Pick<WantedFilter, 'filter' | 'value'>[];
}

export type List = AccountList | DomainList | FilterList;

export interface UsedList {
  readonly reference: ListReference;
  readonly list: DomainList;
}
