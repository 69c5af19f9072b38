/** What a policy says about filters: as it stands in the file, and as it is read. */
import * as z from 'zod/mini';
import {maxExpiry} from '../../api/entities.js';
import {field} from '../../api/schema.js';
import type {FilterValue} from '../model/value.js';
import {someText, until} from './fields.js';
import type {SectionReader} from './reader.js';
import {compareText, locationText} from '../source/location.js';
import type {FilterRules, WantedFilter} from '../model/policy.js';
import {durationOf, expiryOf, expiryText} from '../model/time.js';

const maybe = z.optional;

const keyword = z.union(
  [
    someText,
    z.strictObject({
      keyword: field(someText, 'the word or phrase'),
      whole_word: maybe(field(z.boolean(), 'whether it matches whole words only', {default: true})),
    }),
  ],
  'expected text or {keyword, whole_word}',
);

/** What Pixelfed and other servers know. */
export const contexts = ['home', 'public', 'tags', 'notifications', 'thread', 'account'] as const;
/** From what does least. */
export const actions: readonly string[] = ['blur', 'warn', 'hide'];
export const filterActions = ['warn', 'hide', 'blur'] as const;

const filter = z.strictObject({
  title: field(someText, 'the title, which identifies the filter'),
  context: field(z.array(z.enum(contexts)).check(z.minLength(1, 'expected at least one context')), 'where the filter applies'),
  action: maybe(field(z.enum(filterActions), 'what happens to matching posts; not compared if absent')),
  keywords: field(z.array(keyword), 'the complete list of keywords'),
  until,
  expires: maybe(
    field(
      z
        .string()
        .check(z.refine((text) => expiryOf(text) !== undefined, 'expected never, a date such as 2027-01-31, or a time such as 90d'))
        .check(z.refine((text) => (durationOf(text) ?? 0) <= maxExpiry, 'must be at most two years (730d)')),
      'when the filter expires: never, on a date, or at most this long from now',
    ),
  ),
});

export const filtersSchema = z.strictObject({
  must: maybe(field(z.array(filter), 'filters that must exist')),
  must_not: maybe(field(z.array(someText), 'titles of filters that must not exist')),
  only: maybe(field(z.boolean(), 'whether every other filter is deleted', {default: false})),
});

export type FiltersData = z.infer<typeof filtersSchema>;
type FilterData = z.infer<typeof filter>;

/** Servers keep keywords trimmed and in lower case. */
export const storedKeyword = (text: string): string => text.trim().toLowerCase();

export function readFilters(reader: SectionReader<FiltersData>): FilterRules {
  const must: WantedFilter[] = [];
  for (const {value: data, path} of reader.listed(({must: all}) => all, 'must')) {
    if (reader.isOver(data.until)) continue;
    const value = data.title.trim();
    const twin = must.find((one) => one.value === value);
    if (twin) reader.complain(path, `two filters are titled "${value}" (the other at ${locationText(twin.location)})`);
    const complain = (message: string) => reader.complain([...path, 'keywords'], message);
    must.push({value, location: reader.at(path), filter: filterIn(data, complain), ...(data.until !== undefined && {until: data.until})});
  }
  const mustNot = reader
    .listed((data) => data.must_not, 'must_not')
    .map(({value: title, path}) => ({value: title.trim(), location: reader.at(path)}));
  reader.refuseContradictions(must, mustNot, 'filters', {formOf: String, shown: (title) => JSON.stringify(title)});
  return {
    must: must.sort((one, other) => compareText(one.value, other.value)),
    mustNot,
    only: reader.exclusive((data) => data.only),
  };
}

function filterIn({context, action, keywords, expires}: FilterData, complain: (message: string) => void): FilterValue {
  const expiry = expires === undefined ? undefined : expiryOf(expires);
  const words = new Map<string, FilterValue['keywords'][number]>();
  for (const entry of keywords) {
    const {keyword: text, whole_word = true} = typeof entry === 'string' ? {keyword: entry} : entry;
    const stored = storedKeyword(text);
    if (words.has(stored)) complain(`the keyword "${stored}" is repeated`);
    words.set(stored, {keyword: stored, whole_word});
  }
  return {
    context: [...new Set(context)].sort(compareText),
    ...(action !== undefined && {action}),
    ...(expiry && {expires: expiryText(expiry)}),
    keywords: [...words.values()].sort((one, other) => compareText(one.keyword, other.keyword)),
  };
}
