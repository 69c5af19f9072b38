/** Reads what a policy says about filters. */
import type {FiltersData} from './schema.js';
import type {PolicyValue, SectionReader} from '../../section/reader.js';
import {compareText, type Location, locationText} from '../../source/location.js';
import {type FilterRules, storedKeyword, type WantedFilter, type WantedKeyword} from '../../model/policy.js';
import {expiryOf} from '../../model/time.js';

export function readFilters(reader: SectionReader<FiltersData>): FilterRules {
  const must = reader
    .listed((data) => data.must, 'must')
    .map(({value: filter, path}) => {
      const wanted = wantedFilter(filter, reader.at(path), (message) =>
        reader.complain([...path, 'keywords' in filter ? 'keywords' : 'keywords_at_least'], message),
      );
      return {value: wanted, path};
    });
  // As if the others were not there.
  const current = must.filter(({value: {until}}) => !reader.isOver(until));
  refuseTwins(current, (...given) => reader.complain(...given));
  const mustNot = reader
    .listed((data) => data.must_not, 'must_not')
    .map(({value: title, path}) => ({
      value: title.trim(),
      location: reader.at(path),
    }));
  for (const {value, location} of mustNot) {
    const forbidden = current.find(({value: {title}}) => title === value);
    if (forbidden) reader.complain([...forbidden.path, 'title'], `"${value}" is in must, and in must_not at ${locationText(location)}`);
  }
  const sorted = must
    .map(({value}) => value)
    .sort((one, other) => compareText(one.title, other.title) || compareText(one.id ?? '', other.id ?? ''));
  return {
    must: sorted.filter(({until}) => !reader.isOver(until)),
    ended: sorted.filter(({until}) => reader.isOver(until)),
    mustNot,
    only: reader.exclusive((data) => data.only),
  };
}

type FilterData = NonNullable<FiltersData['must']>[number];
type KeywordData = NonNullable<FilterData['keywords']>[number];
type Complain = (path: readonly PropertyKey[], message: string) => void;

function wantedFilter(data: FilterData, location: Location, complain: (message: string) => void): WantedFilter {
  return {
    location,
    id: data.id === undefined ? undefined : String(data.id),
    title: data.title.trim(),
    context: [...new Set(data.context)].sort(compareText),
    action: data.action,
    keywords: wantedKeywords(data.keywords ?? data.keywords_at_least ?? [], complain),
    exactly: data.keywords !== undefined,
    expires: data.expires === undefined ? undefined : expiryOf(data.expires),
    until: data.until,
  };
}

function wantedKeywords(data: readonly KeywordData[], complain: (message: string) => void): WantedKeyword[] {
  const keywords = new Map<string, WantedKeyword>();
  for (const entry of data) {
    const {keyword: text, whole_word: wholeWord = true} = typeof entry === 'string' ? {keyword: entry} : entry;
    const keyword = storedKeyword(text);
    if (keywords.has(keyword)) complain(`the keyword "${keyword}" is repeated`);
    keywords.set(keyword, {keyword, wholeWord});
  }
  return [...keywords.values()].sort((one, other) => compareText(one.keyword, other.keyword));
}

/** Filters with the same title need an id each. */
function refuseTwins(must: readonly PolicyValue<WantedFilter>[], complain: Complain): void {
  for (const [index, {value: filter, path}] of must.entries()) {
    const {title, id} = filter;
    const isTwin = ({value: other}: PolicyValue<WantedFilter>) =>
      other.title === title && (other.id === id || other.id === undefined || id === undefined);
    const twin = must.slice(0, index).find(isTwin);
    if (twin === undefined) continue;
    const advice = 'give each an `id:`; `pixelctl filters list` shows the ids';
    complain(path, `two filters are titled "${title}" (the other at ${locationText(twin.value.location)}); ${advice}`);
  }
}
