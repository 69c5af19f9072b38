/** Changes of filters, by difference: a filter is never deleted and made again. */
import {Failure} from '../client/failure.js';
import {namesKeyword, type KeywordChanges} from '../operations/filters.js';
import type {FilterAddition, FilterChange, FilterRemoval, FilterUpdate, Reason} from './change.js';
import {type Location, locationText} from './location.js';
import type {FilterRules, WantedFilter, WantedKeyword} from './policy.js';
import {type FilterState, type KeywordState, liveFilters} from './state.js';
import {endTolerance, type Expiry, expiryText} from './time.js';

interface Grounds {
  readonly reason: Reason;
  readonly because: string;
}

function known({id, keyword, wholeWord}: KeywordState): {id: number; keyword: string; whole_word: boolean} {
  return {id, keyword, whole_word: wholeWord};
}

function named({keyword, wholeWord}: {readonly keyword: string; readonly wholeWord: boolean}): {keyword: string; whole_word: boolean} {
  return {keyword, whole_word: wholeWord};
}

export function filterAddition({title, context, action, expires, keywords}: WantedFilter, grounds: Grounds): FilterAddition {
  const details = {
    context: [...context],
    ...(action !== undefined && {filter_action: action}),
    ...(expires && {expires: expiryText(expires)}),
    keywords: keywords.map(named),
  };
  return {action: 'add', kind: 'filter', subject: title, details, ...grounds};
}

export function filterRemoval({id, title}: FilterState, grounds: Grounds): FilterRemoval {
  return {action: 'remove', kind: 'filter', subject: title, details: {id}, ...grounds};
}

export function filterUpdate(wanted: WantedFilter, actual: FilterState, departures: FilterDepartures, grounds: Grounds): FilterUpdate {
  const {missing, surplus, wholeWord} = departures;
  const touched = new Set([...surplus, ...wholeWord].map(({id}) => id));
  const unchanged = actual.keywords.find(({id}) => !touched.has(id))?.id;
  const details = {
    id: actual.id,
    ...(departures.title && {title: wanted.title}),
    ...(departures.context && {context: [...wanted.context]}),
    ...(departures.action && wanted.action !== undefined && {filter_action: wanted.action}),
    ...(departures.expires && wanted.expires && {expires: expiryText(wanted.expires)}),
    add: missing.map(named),
    remove: surplus.map(known),
    change: wholeWord.map(known),
    ...(unchanged !== undefined && {unchanged}),
  };
  return {action: 'update', kind: 'filter', subject: wanted.title, details, ...grounds};
}

/** What is to happen to the keywords of a filter. */
export function keywordChanges({add, remove, change, unchanged}: FilterUpdate['details']): KeywordChanges {
  return {add, remove: remove.map(({id}) => id), change: change.map(({id, whole_word}) => ({id, whole_word})), unchanged};
}

/** Whether servers take this update. */
export const canBeSent = ({details}: FilterUpdate): boolean => namesKeyword(keywordChanges(details));

/**
 * The order in which servers take them: they want a keyword in one filter only, so what gives keywords up goes first.
 * An update that gives up a keyword which another one adds becomes two.
 */
export function orderedFilterChanges(changes: readonly FilterChange[]): FilterChange[] {
  const updates = changes.filter((change) => change.action === 'update');
  const takers = new Map(updates.flatMap(({details}) => details.add.map(({keyword}) => [keyword, details.id])));
  const isContested = (keyword: string, id: string) => takers.has(keyword) && takers.get(keyword) !== id;
  const releases: FilterUpdate[] = [];
  const rest: FilterUpdate[] = [];
  for (const update of updates) {
    const {details} = update;
    if (!details.remove.some(({keyword}) => isContested(keyword, details.id))) {
      rest.push(update);
      continue;
    }
    releases.push({...update, details: {...details, add: []}});
    if (details.add.length > 0) rest.push({...update, details: {id: details.id, add: details.add, remove: [], change: []}});
  }
  return [...changes.filter(({action}) => action === 'remove'), ...releases, ...rest, ...changes.filter(({action}) => action === 'add')];
}

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
  readonly forbidden: readonly {readonly filter: FilterState; readonly location: Location}[];
  readonly surplus: readonly {readonly filter: FilterState; readonly location: Location}[];
  /** Filters that end sooner than the policy lets them; `isRenewed` when the rule for the filter says until when. */
  readonly ending: readonly {readonly filter: FilterState; readonly location: Location; readonly isRenewed: boolean}[];
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
  const forbiddenBy = new Map(rules.mustNot.map(({value, location}) => [value, location]));
  const forbidden = live.flatMap((filter) => {
    const location = paired.has(filter) ? undefined : forbiddenBy.get(filter.title.trim());
    return location ? [{filter, location}] : [];
  });
  const others = live.filter((filter) => !paired.has(filter) && !forbidden.some((one) => one.filter === filter));
  const {only} = rules;
  const ending = within === undefined ? [] : live.filter(endsSoon);
  return {
    missing: current.filter((wanted) => !matches.has(wanted)),
    pairs,
    forbidden,
    surplus: only === undefined ? [] : others.map((filter) => ({filter, location: only})),
    ending: ending.map((filter) => ({
      filter,
      location: within?.location ?? {file: '', line: 0},
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

function unclearText({title, id, location}: WantedFilter, candidates: readonly FilterState[]): string {
  const ids = candidates.map((one) => one.id).join(', ');
  if (id !== undefined && candidates.length < 2)
    return `${locationText(location)}: there is no filter ${id}, and several rules are about filters called "${title}"`;
  return `${locationText(location)}: ${candidates.length} filters are called "${title}" (${ids}); say which one with \`id:\``;
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
