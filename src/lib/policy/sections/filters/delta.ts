/** How a filter differs from what is wanted, and the changes that resolve it. Filters are updated, never deleted and recreated. */
import {type KeywordChanges, namesKeyword} from '../../../operations/filters.js';
import type {Grounds} from '../../model/change.js';
import {compareText} from '../../source/location.js';
import type {WantedFilter, WantedKeyword} from '../../model/policy.js';
import type {FilterAddition, FilterChange, FilterRemoval, FilterUpdate} from './changes.js';
import type {FilterState, KeywordState} from '../../model/server-state.js';
import {endTolerance, type Expiry, expiryAt, expiryText} from '../../model/time.js';

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

export function updateOfFilter(wanted: WantedFilter, actual: FilterState, delta: FilterDelta, grounds: Grounds): FilterUpdate {
  const {missing, surplus, wholeWord} = delta;
  const touched = new Set([...surplus, ...wholeWord].map(({id}) => id));
  const unchanged = actual.keywords.find(({id}) => !touched.has(id))?.id;
  const details = {
    id: actual.id,
    ...(delta.title && {title: wanted.title, stored: actual.title}),
    ...(delta.context && {context: [...wanted.context]}),
    ...(delta.action && wanted.action !== undefined && {filter_action: wanted.action}),
    ...(delta.expires && wanted.expires && {expires: expiryText(wanted.expires)}),
    add: missing.map(named),
    remove: surplus.map(known),
    change: wholeWord.map(known),
    ...(unchanged !== undefined && {unchanged}),
  };
  return {action: 'update', kind: 'filter', subject: wanted.title, details, ...grounds};
}

export function keywordChanges({add, remove, change, unchanged}: FilterUpdate['details']): KeywordChanges {
  return {add, remove: remove.map(({id}) => id), change: change.map(({id, whole_word}) => ({id, whole_word})), unchanged};
}

/** Whether servers take this update. */
export const canBeSent = ({details}: FilterUpdate): boolean => namesKeyword(keywordChanges(details));

/**
 * The order that servers accept: a keyword may be in one filter only, so updates that remove keywords go first.
 * An update that removes a keyword which another one adds is split in two.
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

/** How a filter differs from what is wanted. */
export interface FilterDelta {
  readonly title: boolean;
  readonly context: boolean;
  readonly action: boolean;
  readonly expires: boolean;
  readonly missing: readonly WantedKeyword[];
  readonly surplus: readonly KeywordState[];
  /** Keywords that match whole words where they should not, or the other way around; as they should be. */
  readonly wholeWord: readonly KeywordState[];
}

function endsOtherwise(expiry: Expiry | undefined, expiresAt: string | null, now: Date): boolean {
  if (expiry === undefined) return false;
  if (expiry.kind === 'never') return expiresAt !== null;
  if (expiresAt === null) return true;
  const end = Date.parse(expiresAt);
  const tolerance = endTolerance * 1000;
  if (expiry.kind === 'date') return Math.abs(end - expiry.at.getTime()) > tolerance;
  return end > now.getTime() + expiry.seconds * 1000 + tolerance;
}

/** Contexts are compared as a set, and keywords by their text. */
export function deltaOf(wanted: WantedFilter, actual: FilterState, now: Date): FilterDelta {
  const asked = new Map(wanted.keywords.map((one) => [one.keyword, one]));
  const found = new Map<string, KeywordState>();
  const repeated: KeywordState[] = [];
  for (const keyword of actual.keywords) {
    if (found.has(keyword.keyword)) repeated.push(keyword);
    else found.set(keyword.keyword, keyword);
  }
  const common = [...found.values()].flatMap((keyword) => {
    const wholeWord = asked.get(keyword.keyword)?.wholeWord ?? keyword.wholeWord;
    return wholeWord === keyword.wholeWord ? [] : [{...keyword, wholeWord}];
  });
  return {
    title: wanted.title !== actual.title.trim(),
    context: wanted.context.length !== actual.context.length || wanted.context.some((one) => !actual.context.includes(one)),
    action: wanted.action !== undefined && wanted.action !== actual.action,
    expires: endsOtherwise(wanted.expires, actual.expiresAt, now),
    missing: wanted.keywords.filter(({keyword}) => !found.has(keyword)),
    surplus: wanted.exactly ? [...[...found.values()].filter(({keyword}) => !asked.has(keyword)), ...repeated] : [],
    wholeWord: common,
  };
}

export function isDifferent({title, context, action, expires, missing, surplus, wholeWord}: FilterDelta): boolean {
  return title || context || action || expires || missing.length + surplus.length + wholeWord.length > 0;
}

/** What a policy would say to want exactly this filter. */
export function wantedLike({id, title, context, action, keywords, expiresAt}: FilterState): WantedFilter {
  const once = new Map(keywords.toReversed().map((one) => [one.keyword, one]));
  const location = {file: '', line: 0};
  const expires = expiryAt(expiresAt);
  return {location, id, title: title.trim(), context, action, keywords: [...once.values()].reverse(), exactly: true, expires};
}

export function keywordsText(keywords: readonly WantedKeyword[]): string {
  const texts = keywords.map(({keyword, wholeWord}) => (wholeWord ? keyword : `${keyword} (also inside words)`));
  return keywords.length === 0 ? 'no keywords' : `keywords: ${[...new Set(texts)].sort(compareText).join(', ')}`;
}

export function endText(expires: Expiry): string {
  if (expires.kind === 'never') return 'never ends';
  return expires.kind === 'within' ? `ends in ${expiryText(expires)}` : `ends ${expiryText(expires)}`;
}

/** A filter in one line. */
export function filterText({context, action, keywords, exactly, expires}: WantedFilter): string {
  const known = `${keywordsText(keywords)}${exactly ? '' : ', among others'}`;
  return [action, `in ${context.join(', ')}`, known, expires && endText(expires)].filter((part) => part !== undefined).join('; ');
}
