/** What a policy says about filters, as it stands in the file. */
import * as z from 'zod/mini';
import {count, expireWithin, onDrift, someText, until, withOneOf} from '../../section/fields.js';
import {maxExpiry} from '../../../api/entities.js';
import {field} from '../../../api/schema.js';
import {durationOf, expiryOf} from '../../model/time.js';

const maybe = z.optional;

const keyword = z.union(
  [someText, z.strictObject({keyword: someText, whole_word: maybe(z.boolean())})],
  'expected text or {keyword, whole_word}',
);
const keywords = z.array(keyword);

/** What Pixelfed and other servers know. */
export const contexts = ['home', 'public', 'tags', 'notifications', 'thread', 'account'] as const;
export const filterActions = ['warn', 'hide', 'blur'] as const;
const context = z.enum(contexts);

const filterId = z.union([someText, count], 'expected an id');

const filter = withOneOf(
  z.strictObject({
    title: field(someText, 'the title, by which the filter is found'),
    id: maybe(field(filterId, 'the id, where several filters have this title')),
    context: field(z.array(context).check(z.minLength(1, 'expected at least one context')), 'where the filter applies'),
    action: maybe(field(z.enum(filterActions), 'what happens to posts that match; not compared if absent')),
    keywords: maybe(field(keywords, 'all keywords of the filter; they match whole words unless whole_word is false')),
    keywords_at_least: maybe(field(keywords, 'keywords that the filter must have; it may have others')),
    until,
    expires: maybe(
      field(
        z
          .string()
          .check(z.refine((text) => expiryOf(text) !== undefined, 'expected never, a date such as 2027-01-31, or a time such as 90d'))
          .check(z.refine((text) => (durationOf(text) ?? 0) <= maxExpiry, 'must be at most two years (730d)')),
        'when the filter expires: never, a date, or a maximum time from now',
      ),
    ),
  }),
  ['keywords', 'keywords_at_least'],
);

export const filtersSchema = z.strictObject({
  must: maybe(field(z.array(filter), 'filters that must exist')),
  must_not: maybe(field(z.array(someText), 'titles of filters that must not exist')),
  only: maybe(field(z.boolean(), 'whether no other filter may exist')),
  expire_within: expireWithin(
    'report filters that expire sooner than this, and entries of must whose last day (until) is over sooner; without it, 7d before that day is a note',
  ),
  on_drift: onDrift,
});

export type FiltersData = z.infer<typeof filtersSchema>;
