/** What a policy says about filters, as it stands in the file. */
import * as z from 'zod/mini';
import {wholeCount, someText, until, withOneOf} from '../../section/fields.js';
import {maxExpiry} from '../../../api/entities.js';
import {field} from '../../../api/schema.js';
import {durationOf, expiryOf} from '../../model/time.js';

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
const keywords = z.array(keyword);

/** What Pixelfed and other servers know. */
export const contexts = ['home', 'public', 'tags', 'notifications', 'thread', 'account'] as const;
export const filterActions = ['warn', 'hide', 'blur'] as const;
const context = z.enum(contexts);

const filterId = z.union([someText, wholeCount], 'expected an id');

const filter = withOneOf(
  z.strictObject({
    title: field(someText, 'the title, which identifies the filter'),
    id: maybe(field(filterId, 'the id, if several filters have this title')),
    context: field(z.array(context).check(z.minLength(1, 'expected at least one context')), 'where the filter applies'),
    action: maybe(field(z.enum(filterActions), 'what happens to matching posts; not compared if absent')),
    keywords: maybe(field(keywords, 'the complete list of keywords')),
    keywords_at_least: maybe(field(keywords, 'keywords that the filter must have, besides others')),
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
  }),
  ['keywords', 'keywords_at_least'],
);

export const filtersSchema = z.strictObject({
  must: maybe(field(z.array(filter), 'filters that must exist')),
  must_not: maybe(field(z.array(someText), 'titles of filters that must not exist')),
  only: maybe(field(z.boolean(), 'whether every other filter is deleted', {default: false})),
});

export type FiltersData = z.infer<typeof filtersSchema>;
