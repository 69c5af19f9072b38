/** What the reference of policies says about filters, besides the descriptions of the schema. */
import type {SectionWords} from './section-words.js';

const filter = (more: string): string => `filters:
  must:
    - title: Spoilers
      context: [home, public]
      ${more}`;

export const filtersWords: SectionWords = {
  must: {example: filter('keywords: [spoiler]')},
  'must[].title': {
    more: 'A filter with another title is another filter. Of several filters with one title the second, by id, is called `Title (2)`.',
    example: filter('keywords: [spoiler]'),
  },
  'must[].context': {example: filter('keywords: [spoiler]')},
  'must[].action': {example: filter('action: hide\n      keywords: [spoiler]')},
  'must[].keywords': {example: filter('keywords: [spoiler, {keyword: ending, whole_word: false}]')},
  'must[].keywords[].keyword': {example: filter('keywords: [{keyword: ending, whole_word: false}]')},
  'must[].keywords[].whole_word': {example: filter('keywords: [{keyword: ending, whole_word: false}]')},
  'must[].expires': {example: filter('keywords: [spoiler]\n      expires: 90d')},
  must_not: {example: 'filters: {must_not: [Old jokes]}'},
  only: {example: 'filters: {must: [{title: Spoilers, context: [home], keywords: [spoiler]}], only: true}'},
};
