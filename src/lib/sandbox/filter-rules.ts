/** What a filter may be. */
import {array, boolean, custom, integer, matching, max, min, oneOf, required, requiredUnlessBeside, string, validate} from './rules.js';
import type {World} from './world.js';

type Rules = Parameters<typeof validate>[1];

/** Keywords in one filter. */
export const keywordLimit = 10;

const contexts: readonly string[] = ['home', 'public', 'tags'];
const actions: readonly string[] = ['warn', 'hide', 'blur'];
const twoYears = 63_072_000;

/** Letters, digits, spaces and punctuation; no symbols, no emoji, nothing repeated without end. */
const keyword = [
  string,
  min(1),
  max(40),
  matching(/^[\p{L}\p{N}\p{Zs}\p{P}\p{M}]+$/u),
  custom((value) => (/(.)\1{20,}/u.test(String(value)) ? 'The keyword contains excessive character repetition.' : null)),
];

const shared: Rules = {
  'context.*': [oneOf(contexts)],
  filter_action: [oneOf(actions)],
  expires_in: [integer, min(0), max(twoYears)],
};

export const createRules: Rules = {
  title: [required, string, max(100)],
  context: [required, array, max(10)],
  ...shared,
  keywords_attributes: [required, array, min(1), max(keywordLimit)],
  'keywords_attributes.*.keyword': [required, ...keyword],
  'keywords_attributes.*.whole_word': [boolean],
};

export const updateRules = (world: World): Rules => ({
  title: [string, max(100)],
  context: [array, max(10)],
  ...shared,
  keywords_attributes: [required, array, min(1)],
  'keywords_attributes.*.id': [integer, oneOf(keywordIds(world))],
  'keywords_attributes.*.keyword': [requiredUnlessBeside('id'), ...keyword],
  'keywords_attributes.*.whole_word': [boolean],
  'keywords_attributes.*._destroy': [boolean],
});

const keywordIds = (world: World): readonly string[] =>
  [...world.filters.values()].flatMap(({keywords}) => keywords.map(({row}) => String(row)));
