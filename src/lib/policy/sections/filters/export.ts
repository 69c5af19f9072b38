/** Filters as a policy wants them, and in the format of another tool. */
import {contexts, filterActions, type FiltersData} from './schema.js';
import {compareText} from '../../source/location.js';
import type {FilterState} from '../../model/server-state.js';

type FilterEntry = NonNullable<FiltersData['must']>[number];

function known<Name extends string>(names: readonly Name[], text: string): Name | undefined {
  return names.find((name) => name === text);
}

export function filterEntries(filters: readonly FilterState[], leftOut: string[]): FilterEntry[] {
  const sorted = filters.toSorted((one, other) => compareText(one.title.trim(), other.title.trim()) || compareText(one.id, other.id));
  return sorted.flatMap((filter) => {
    const title = filter.title.trim();
    const context = contexts.filter((one) => filter.context.includes(one));
    const action = known(filterActions, filter.action);
    const isFit =
      title !== '' &&
      context.length > 0 &&
      context.length === filter.context.length &&
      filter.keywords.every(({keyword}) => keyword !== '');
    if (!isFit || action === undefined) {
      leftOut.push(`filter ${filter.id} "${title}"`);
      return [];
    }
    const hasTwin = filters.some((other) => other !== filter && other.title.trim() === title);
    const expires = filter.expiresAt === null ? 'never' : new Date(filter.expiresAt).toISOString();
    return [{title, ...(hasTwin && {id: filter.id}), context, action, ...keywordEntries(filter), expires}];
  });
}

/** Only `keywords_at_least` can describe a filter with a repeated keyword. */
function keywordEntries({keywords}: FilterState): Pick<FilterEntry, 'keywords' | 'keywords_at_least'> {
  const once = new Map(keywords.toReversed().map((one) => [one.keyword, one]));
  const entries = [...once.values()]
    .sort((one, other) => compareText(one.keyword, other.keyword))
    .map(({keyword, wholeWord}) => (wholeWord ? keyword : {keyword, whole_word: false}));
  return once.size === keywords.length ? {keywords: entries} : {keywords_at_least: entries};
}

/** The format of Mastodon's export of filters. */
export function mastodonFilters(filters: readonly FilterState[]): string {
  const exported = filters.map(({title, expiresAt, context, action, keywords}) => ({
    title,
    expire_at: expiresAt,
    context,
    action,
    keywords_attributes: keywords.map(({keyword, wholeWord}) => ({keyword, whole_word: wholeWord})),
    statuses: [],
  }));
  return `${JSON.stringify({custom_filters: exported}, null, 2)}\n`;
}
