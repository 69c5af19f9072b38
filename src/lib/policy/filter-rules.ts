/** The `filters` of a policy file. */
import {compareText, placeText, type Place} from './place.js';
import type {FilterRules, WantedFilter, WantedKeyword} from './policy.js';
import type {PolicyFile} from './schema.js';
import {durationOf, durationText, endTolerance, expiryOf} from './time.js';
import type {YamlSource} from './yaml-source.js';

type FiltersData = NonNullable<PolicyFile['filters']>;
type FilterData = NonNullable<FiltersData['must']>[number];
type KeywordData = NonNullable<FilterData['keywords']>[number];
type Complain = (path: readonly PropertyKey[], message: string) => void;

/** Servers keep keywords trimmed and in lower case. */
export function storedKeyword(text: string): string {
  return text.trim().toLowerCase();
}

export function readFilterRules(data: FiltersData, source: YamlSource, complain: Complain): FilterRules {
  const within = data.expire_within === undefined ? undefined : durationOf(data.expire_within);
  const must = (data.must ?? []).map((filter, index) => {
    const path = ['filters', 'must', index];
    const wanted = wantedFilter(filter, source.place(...path), (message) =>
      complain([...path, 'keywords' in filter ? 'keywords' : 'keywords_at_least'], message),
    );
    // It would be renewed by every apply, without end.
    if (within !== undefined && wanted.expires?.kind === 'within' && wanted.expires.seconds <= within + endTolerance) {
      complain(
        [...path, 'expires'],
        `${durationText(wanted.expires.seconds)} is not longer than expire_within, which is ${durationText(within)}`,
      );
    }
    return wanted;
  });
  refuseTwins(must, complain);
  const mustNot = (data.must_not ?? []).map((title, index) => ({value: title.trim(), place: source.place('filters', 'must_not', index)}));
  for (const {value, place} of mustNot) {
    const index = must.findIndex(({title}) => title === value);
    if (index !== -1) complain(['filters', 'must', index, 'title'], `"${value}" is in must, and in must_not at ${placeText(place)}`);
  }
  return {
    must: must.toSorted((one, other) => compareText(one.title, other.title) || compareText(one.id ?? '', other.id ?? '')),
    mustNot,
    only: data.only === true ? source.place('filters', 'only') : undefined,
    expireWithin: within === undefined ? undefined : {value: within, place: source.place('filters', 'expire_within')},
  };
}

function wantedFilter(data: FilterData, place: Place, complain: (message: string) => void): WantedFilter {
  return {
    place,
    id: data.id === undefined ? undefined : String(data.id),
    title: data.title.trim(),
    context: [...new Set(data.context)].sort(compareText),
    action: data.action,
    keywords: wantedKeywords(data.keywords ?? data.keywords_at_least ?? [], complain),
    exactly: data.keywords !== undefined,
    expires: data.expires === undefined ? undefined : expiryOf(data.expires),
  };
}

function wantedKeywords(data: readonly KeywordData[], complain: (message: string) => void): WantedKeyword[] {
  const keywords = new Map<string, WantedKeyword>();
  for (const entry of data) {
    const {keyword: text, whole_word: wholeWord = true} = typeof entry === 'string' ? {keyword: entry} : entry;
    const keyword = storedKeyword(text);
    if (keywords.has(keyword)) complain(`the keyword "${keyword}" is there twice`);
    keywords.set(keyword, {keyword, wholeWord});
  }
  return [...keywords.values()].sort((one, other) => compareText(one.keyword, other.keyword));
}

/** Filters of one title can only be told apart by an id each. */
function refuseTwins(must: readonly WantedFilter[], complain: Complain): void {
  for (const [index, {title, id}] of must.entries()) {
    const isTwin = (other: WantedFilter) => other.title === title && (other.id === id || other.id === undefined || id === undefined);
    const twin = must.slice(0, index).find(isTwin);
    if (twin === undefined) continue;
    const advice = 'give each its own `id:`, as `pixelctl filters list` shows it';
    complain(['filters', 'must', index], `two filters are called "${title}" (the other at ${placeText(twin.place)}); ${advice}`);
  }
}
