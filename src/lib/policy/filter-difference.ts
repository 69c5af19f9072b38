/** What sets the filters that are there apart from those that should be. */
import {Failure} from '../client/failure.js';
import {placeText, type Place} from './place.js';
import type {FilterRules, WantedFilter, WantedKeyword} from './policy.js';
import {liveFilters, type FilterState, type KeywordState} from './state.js';
import {endTolerance, type Expiry} from './time.js';

/** How a filter departs from what is wanted. */
export interface FilterDepartures {
  readonly title: boolean;
  readonly context: boolean;
  readonly action: boolean;
  readonly expires: boolean;
  readonly missing: readonly WantedKeyword[];
  readonly surplus: readonly KeywordState[];
  /** Keywords that match whole words where they should not, or the other way around; as they should be. */
  readonly wholeWord: readonly KeywordState[];
}

export interface FilterPair {
  readonly wanted: WantedFilter;
  readonly actual: FilterState;
  readonly departures: FilterDepartures;
}

export interface FilterDifference {
  readonly missing: readonly WantedFilter[];
  readonly pairs: readonly FilterPair[];
  readonly forbidden: readonly {readonly filter: FilterState; readonly place: Place}[];
  readonly surplus: readonly {readonly filter: FilterState; readonly place: Place}[];
  /** Filters that end sooner than the policy lets them; `isRenewed` when the rule for the filter says until when. */
  readonly ending: readonly {readonly filter: FilterState; readonly place: Place; readonly isRenewed: boolean}[];
  /** Rules whose date has passed: they ask for nothing. */
  readonly lapsed: readonly WantedFilter[];
}

/** @throws Failure `usage` when filters cannot be told apart */
export function filterDifference(rules: FilterRules, filters: readonly FilterState[], now: Date): FilterDifference {
  const live = liveFilters(filters, now);
  const isLapsed = ({expires}: WantedFilter) => expires?.kind === 'date' && expires.at <= now;
  const current = rules.must.filter((wanted) => !isLapsed(wanted));
  const matches = match(current, live);
  const within = rules.expireWithin;
  const endsSoon = ({expiresAt}: FilterState) =>
    within !== undefined && expiresAt !== null && Date.parse(expiresAt) < now.getTime() + within.value * 1000;

  const pairs = [...matches].map(([wanted, actual]): FilterPair => {
    const departures = departuresOf(wanted, actual, now);
    const renews = wanted.expires?.kind === 'within' && endsSoon(actual);
    return {wanted, actual, departures: {...departures, expires: departures.expires || renews}};
  });
  const paired = new Map(pairs.map((pair) => [pair.actual, pair]));
  const forbiddenBy = new Map(rules.mustNot.map(({value, place}) => [value, place]));
  const forbidden = live.flatMap((filter) => {
    const place = paired.has(filter) ? undefined : forbiddenBy.get(filter.title.trim());
    return place ? [{filter, place}] : [];
  });
  const others = live.filter((filter) => !paired.has(filter) && !forbidden.some((one) => one.filter === filter));
  const {only} = rules;
  const ending = within === undefined ? [] : live.filter(endsSoon);
  return {
    missing: current.filter((wanted) => !matches.has(wanted)),
    pairs,
    forbidden,
    surplus: only === undefined ? [] : others.map((filter) => ({filter, place: only})),
    ending: ending.map((filter) => ({
      filter,
      place: within?.place ?? {file: '', line: 0},
      isRenewed: paired.get(filter)?.wanted.expires?.kind === 'within',
    })),
    lapsed: rules.must.filter(isLapsed),
  };
}

/** Which filter each rule is about: the one with its id, else the one with its title. */
function match(wanted: readonly WantedFilter[], live: readonly FilterState[]): Map<WantedFilter, FilterState> {
  const byId = new Map(live.map((filter) => [filter.id, filter]));
  const matches = new Map<WantedFilter, FilterState>();
  for (const one of wanted) {
    const filter = one.id === undefined ? undefined : byId.get(one.id);
    if (filter) matches.set(one, filter);
  }
  const claimed = new Set(matches.values());
  const unclear: string[] = [];
  for (const one of wanted) {
    if (matches.has(one)) continue;
    const candidates = live.filter((filter) => !claimed.has(filter) && filter.title.trim() === one.title);
    const twins = wanted.filter((other) => other.title === one.title && !matches.has(other));
    const [first] = candidates;
    if (candidates.length > 1 || (twins.length > 1 && one.id !== undefined)) unclear.push(unclearText(one, candidates));
    else if (first) matches.set(one, first);
  }
  if (unclear.length > 0)
    throw new Failure('usage', unclear.join('\n'), {
      hint: (suggest) => `tell them apart by \`id:\`; \`${suggest(['filters', 'list'])}\` shows the ids`,
    });
  return matches;
}

function unclearText({title, id, place}: WantedFilter, candidates: readonly FilterState[]): string {
  const ids = candidates.map((one) => one.id).join(', ');
  if (id !== undefined && candidates.length < 2)
    return `${placeText(place)}: there is no filter ${id}, and several rules are about filters called "${title}"`;
  return `${placeText(place)}: ${candidates.length} filters are called "${title}" (${ids}); say which one with \`id:\``;
}

function departsFrom(expiry: Expiry | undefined, expiresAt: string | null, now: Date): boolean {
  if (expiry === undefined) return false;
  if (expiry.kind === 'never') return expiresAt !== null;
  if (expiresAt === null) return true;
  const end = Date.parse(expiresAt);
  const tolerance = endTolerance * 1000;
  if (expiry.kind === 'date') return Math.abs(end - expiry.at.getTime()) > tolerance;
  return end > now.getTime() + expiry.seconds * 1000 + tolerance;
}

/** Contexts are a set, and keywords are known by their text. */
export function departuresOf(wanted: WantedFilter, actual: FilterState, now: Date): FilterDepartures {
  const wishes = new Map(wanted.keywords.map((one) => [one.keyword, one]));
  const found = new Map<string, KeywordState>();
  const repeated: KeywordState[] = [];
  for (const keyword of actual.keywords) {
    if (found.has(keyword.keyword)) repeated.push(keyword);
    else found.set(keyword.keyword, keyword);
  }
  const common = [...found.values()].flatMap((keyword) => {
    const wish = wishes.get(keyword.keyword);
    return wish && wish.wholeWord !== keyword.wholeWord ? [{...keyword, wholeWord: wish.wholeWord}] : [];
  });
  return {
    title: wanted.title !== actual.title.trim(),
    context: wanted.context.length !== actual.context.length || wanted.context.some((one) => !actual.context.includes(one)),
    action: wanted.action !== undefined && wanted.action !== actual.action,
    expires: departsFrom(wanted.expires, actual.expiresAt, now),
    missing: wanted.keywords.filter(({keyword}) => !found.has(keyword)),
    surplus: wanted.exactly ? [...[...found.values()].filter(({keyword}) => !wishes.has(keyword)), ...repeated] : [],
    wholeWord: common,
  };
}

export function hasDepartures({title, context, action, expires, missing, surplus, wholeWord}: FilterDepartures): boolean {
  return title || context || action || expires || missing.length + surplus.length + wholeWord.length > 0;
}
