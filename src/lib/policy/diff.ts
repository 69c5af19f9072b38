/** Compares any two of a server, a policy and a list. */
import {accountKey, handleOf} from '../operations/handles.js';
import type {Kind} from './difference.js';
import {filterText, wantedLike} from './filters.js';
import type {List} from './lists/list.js';
import {compareText} from './location.js';
import type {Wanted} from './wanted.js';
import type {WantedFilter} from './policy.js';
import {liveFilters, readPart, type State} from './state.js';
import {endTolerance, type Expiry} from './time.js';

/** One side of a comparison; a part is undefined where the side has no rules for it. */
export interface Moderation {
  readonly domains?: ReadonlySet<string> | undefined;
  readonly filters?: readonly WantedFilter[] | undefined;
  readonly blocks?: ReadonlySet<string> | undefined;
  readonly mutes?: ReadonlySet<string> | undefined;
}

interface SideDifference {
  readonly kind: Kind;
  readonly subject: string;
  /** What the first side has; null: nothing. */
  readonly left: string | null;
  readonly right: string | null;
}

/** @throws Failure when a part could not be read */
export function moderationOfState(state: State, now: Date): Moderation {
  return {
    domains: state.domainBlocks && new Set(readPart(state.domainBlocks).keys()),
    filters: state.filters && liveFilters(readPart(state.filters), now).map(wantedLike),
    blocks: state.blocks && new Set(readPart(state.blocks).keys()),
    mutes: state.mutes && new Set(readPart(state.mutes).keys()),
  };
}

/** @param host of the accounts that are written without one */
export function moderationOfPolicy({policy, domains}: Wanted, host: string): Moderation {
  const handles = (accounts: readonly {readonly value: string}[]) => new Set(accounts.map(({value}) => accountKey(value, host)));
  return {
    domains: domains && new Set(domains.wanted.keys()),
    filters: policy.filters?.must,
    blocks: policy.blocks && handles(policy.blocks.must),
    mutes: policy.mutes && handles(policy.mutes.must),
  };
}

export function moderationOfList(list: List, host: string): Moderation {
  if (list.kind === 'domains')
    return {domains: new Set(list.entries.filter(({facts}) => facts.severity !== 'noop').map(({domain}) => domain))};
  if (list.kind === 'filters') return {filters: list.entries};
  const accounts = new Set(list.entries.map(({account}) => handleOf(account, host)));
  return list.format === 'mastodon-mutes-csv' ? {mutes: accounts} : {blocks: accounts};
}

/** Compares the parts that both sides have. */
export function diff(left: Moderation, right: Moderation): SideDifference[] {
  return [
    ...setDifference('domain_block', 'blocked', left.domains, right.domains),
    ...filterDifferences(left.filters, right.filters),
    ...setDifference('block', 'blocked', left.blocks, right.blocks),
    ...setDifference('mute', 'muted', left.mutes, right.mutes),
  ];
}

function setDifference(
  kind: Kind,
  word: string,
  left: ReadonlySet<string> | undefined,
  right: ReadonlySet<string> | undefined,
): SideDifference[] {
  if (!left || !right) return [];
  return [...left.symmetricDifference(right)]
    .sort(compareText)
    .map((subject) => ({kind, subject, left: left.has(subject) ? word : null, right: right.has(subject) ? word : null}));
}

/** Filters with the same title are numbered in their order. */
function byTitle(filters: readonly WantedFilter[]): Map<string, WantedFilter> {
  const named = new Map<string, WantedFilter>();
  const counts = new Map<string, number>();
  for (const filter of filters) {
    const title = filter.title.trim();
    let name = title;
    let count = counts.get(title) ?? 1;
    while (named.has(name)) name = `${title} (${(count += 1)})`;
    counts.set(title, count);
    named.set(name, filter);
  }
  return named;
}

/** When a filter ends, in milliseconds; undefined where it depends on when the policy is applied. */
function endOf(expires: Expiry | undefined): number | undefined {
  if (expires === undefined || expires.kind === 'within') return undefined;
  return expires.kind === 'never' ? Infinity : expires.at.getTime();
}

/** What one of them leaves open is the same. */
function areSame(one: WantedFilter, other: WantedFilter): boolean {
  const keywords = ({keywords: all}: WantedFilter) => new Set(all.map(({keyword, wholeWord}) => `${keyword} ${wholeWord}`));
  const [end, otherEnd] = [endOf(one.expires), endOf(other.expires)];
  return (
    new Set(one.context).symmetricDifference(new Set(other.context)).size === 0 &&
    (one.action === undefined || other.action === undefined || one.action === other.action) &&
    (!one.exactly || !other.exactly || keywords(one).symmetricDifference(keywords(other)).size === 0) &&
    (end === undefined || otherEnd === undefined || end === otherEnd || Math.abs(end - otherEnd) <= endTolerance * 1000)
  );
}

function filterDifferences(left: Moderation['filters'], right: Moderation['filters']): SideDifference[] {
  if (!left || !right) return [];
  const [ones, others] = [byTitle(left), byTitle(right)];
  const titles = [...new Set([...ones.keys(), ...others.keys()])].sort(compareText);
  return titles.flatMap((subject): SideDifference[] => {
    const [one, other] = [ones.get(subject), others.get(subject)];
    if (one && other && areSame(one, other)) return [];
    return [{kind: 'filter', subject, left: one ? filterText(one) : null, right: other ? filterText(other) : null}];
  });
}
