/** What the reference of policies says about filters, besides the descriptions of the schema. */
import type {SectionWords} from '../../section/reference.js';

const filter = (more: string): string => `filters:
  must:
    - title: Spoilers
      context: [home, public]
      ${more}`;

export const filtersWords: SectionWords = {
  must: {example: filter('keywords: [spoiler]')},
  'must[].title': {
    more: 'A filter with another title is another filter. `id` tells filters with the same title apart.',
    example: filter('keywords: [spoiler]'),
  },
  'must[].id': {example: filter("id: '7'\n      keywords: [spoiler]")},
  'must[].context': {example: filter('keywords: [spoiler]')},
  'must[].action': {example: filter('action: hide\n      keywords: [spoiler]')},
  'must[].keywords': {
    more: 'Each filter needs either `keywords` or `keywords_at_least`.',
    example: filter('keywords: [spoiler, {keyword: ending, whole_word: false}]'),
  },
  'must[].keywords[].keyword': {example: filter('keywords: [{keyword: ending, whole_word: false}]')},
  'must[].keywords[].whole_word': {example: filter('keywords: [{keyword: ending, whole_word: false}]')},
  'must[].keywords_at_least': {example: filter('keywords_at_least: [spoiler]')},
  'must[].expires': {example: filter('keywords: [spoiler]\n      expires: 90d')},
  must_not: {example: 'filters: {must_not: [Old jokes]}'},
  only: {example: 'filters: {must: [{title: Spoilers, context: [home], keywords: [spoiler]}], only: true}'},
};
