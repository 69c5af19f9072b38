/** What sets any two of a server, a policy and a list apart. */
import {handleOf} from '../operations/handles.js';
import type {Kind} from './finding.js';
import type {List, ListedFilter} from './lists/list.js';
import {compareText} from './location.js';
import type {Wanted} from './policy-file.js';
import type {WantedFilter, WantedKeyword} from './policy.js';
import {type FilterState, liveFilters, readPart, type State} from './state.js';
import {endTolerance} from './time.js';

/** A filter as far as it is said what it is. */
interface FilterFacts {
  readonly context: string;
  readonly action?: string | undefined;
  readonly keywords?: string | undefined;
  /** Milliseconds; infinite when it never ends. */
  readonly end?: number | undefined;
}

/** One side of a difference; what is undefined, it says nothing of. */
export interface Moderation {
  readonly domains?: ReadonlySet<string> | undefined;
  readonly filters?: ReadonlyMap<string, FilterFacts> | undefined;
  readonly blocks?: ReadonlySet<string> | undefined;
  readonly mutes?: ReadonlySet<string> | undefined;
}

export interface Difference {
  readonly kind: Kind;
  readonly subject: string;
  /** What the first side has; null: nothing. */
  readonly left: string | null;
  readonly right: string | null;
}

function keywordsText(keywords: readonly WantedKeyword[]): string {
  return [...new Set(keywords.map(({keyword, wholeWord}) => (wholeWord ? keyword : `${keyword} (also inside words)`)))]
    .sort(compareText)
    .join(', ');
}

function contextText(context: readonly string[]): string {
  return [...new Set(context)].sort(compareText).join(', ');
}

/** Filters of one title are told apart by their order. */
function byTitle<Filter extends {readonly title: string}>(
  filters: readonly Filter[],
  facts: (filter: Filter) => FilterFacts,
): Map<string, FilterFacts> {
  const named = new Map<string, FilterFacts>();
  for (const filter of filters) {
    const title = filter.title.trim();
    let name = title;
    for (let count = 2; named.has(name); count++) name = `${title} (${count})`;
    named.set(name, facts(filter));
  }
  return named;
}

function endOf(expiresAt: Date | string | null): number {
  return expiresAt === null ? Infinity : new Date(expiresAt).getTime();
}

/** @throws Failure when a part could not be read */
export function moderationOfState(state: State, now: Date): Moderation {
  const facts = ({context, action, keywords, expiresAt}: FilterState) => ({
    context: contextText(context),
    action,
    keywords: keywordsText(keywords),
    end: endOf(expiresAt),
  });
  return {
    domains: state.domainBlocks && new Set(readPart(state.domainBlocks).keys()),
    filters: state.filters && byTitle(liveFilters(readPart(state.filters), now), facts),
    blocks: state.blocks && new Set(readPart(state.blocks).keys()),
    mutes: state.mutes && new Set(readPart(state.mutes).keys()),
  };
}

/** @param host whose accounts are those without a host */
export function moderationOfPolicy({policy, domains}: Wanted, host: string): Moderation {
  const facts = ({context, action, keywords, exactly, expires}: WantedFilter): FilterFacts => ({
    context: contextText(context),
    action,
    keywords: exactly ? keywordsText(keywords) : undefined,
    end: expires?.kind === 'never' ? Infinity : expires?.kind === 'date' ? expires.at.getTime() : undefined,
  });
  const handles = (accounts: readonly {readonly value: string}[]) => new Set(accounts.map(({value}) => handleOf(value, host)));
  return {
    domains: domains && new Set(domains.wanted.keys()),
    filters: policy.filters && byTitle(policy.filters.must, facts),
    blocks: policy.blocks && handles(policy.blocks.must),
    mutes: policy.mutes && handles(policy.mutes.must),
  };
}

export function moderationOfList(list: List, host: string): Moderation {
  if (list.kind === 'domains')
    return {domains: new Set(list.entries.filter(({severity}) => severity !== 'noop').map(({domain}) => domain))};
  if (list.kind === 'filters') {
    const facts = ({context, action, keywords, expiresAt}: ListedFilter) => ({
      context: contextText(context),
      action,
      keywords: keywordsText(keywords),
      end: endOf(expiresAt),
    });
    return {filters: byTitle(list.entries, facts)};
  }
  const accounts = new Set(list.entries.map(({account}) => handleOf(account, host)));
  return list.format === 'mastodon-mutes-csv' ? {mutes: accounts} : {blocks: accounts};
}

/** Of what both sides say something of. */
export function diff(left: Moderation, right: Moderation): Difference[] {
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
): Difference[] {
  if (!left || !right) return [];
  return [...left.symmetricDifference(right)]
    .sort(compareText)
    .map((subject) => ({kind, subject, left: left.has(subject) ? word : null, right: right.has(subject) ? word : null}));
}

function endText(end: number | undefined): string {
  if (end === undefined) return '';
  return end === Infinity ? 'never ends' : `ends ${new Date(end).toISOString()}`;
}

function factsText({context, action, keywords, end}: FilterFacts): string {
  return [action, `in ${context}`, keywords, endText(end)].filter((part) => part !== undefined && part !== '').join('; ');
}

function areOne<Value>(left: Value | undefined, right: Value | undefined): boolean {
  return left === undefined || right === undefined || left === right;
}

function endTogether(left: number | undefined, right: number | undefined): boolean {
  return areOne(left, right) || Math.abs((left ?? 0) - (right ?? 0)) <= endTolerance * 1000;
}

function filterDifferences(left: Moderation['filters'], right: Moderation['filters']): Difference[] {
  if (!left || !right) return [];
  const titles = [...new Set([...left.keys(), ...right.keys()])].sort(compareText);
  return titles.flatMap((subject): Difference[] => {
    const [one, other] = [left.get(subject), right.get(subject)];
    const isSame =
      one &&
      other &&
      one.context === other.context &&
      areOne(one.action, other.action) &&
      areOne(one.keywords, other.keywords) &&
      endTogether(one.end, other.end);
    if (isSame) return [];
    return [{kind: 'filter', subject, left: one ? factsText(one) : null, right: other ? factsText(other) : null}];
  });
}
