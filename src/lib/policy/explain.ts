/** Explains a domain, an account or a filter: which rules and list entries are about it, and what the server has. */
import {Failure} from '../client/failure.js';
import {holding, pathsOf} from './sections/index.js';
import type {Explanation} from './section/section.js';
import type {SectionKey} from './model/section-types.js';
import type {State} from './model/server-state.js';
import type {Wanted} from './lists/wanted.js';

/** Titles can be anything. */
const titlesFirst = [...holding].sort((one, other) => Number(one.isSet) - Number(other.isSet));

const sectionsOf = (text: string) => titlesFirst.filter(({holding: {canBe}}) => canBe(text));

/** The sections of the state that a subject can be in. */
export function partsOf(text: string): readonly SectionKey[] {
  return sectionsOf(text).map(({key}) => key);
}

/** The paths that these are read from, for descriptions. */
export const pathsFor = (text: string): string => pathsOf(sectionsOf(text));

/**
 * @param text a domain as people write it, an account with its `@`, or the title of a filter
 * @throws Failure `usage` when it is none of them
 */
export function explain(text: string, wanted: Wanted, state: State, now: Date): Explanation[] {
  const explanations = sectionsOf(text).flatMap((section) => section.holding.explain(text, wanted, state, now));
  if (explanations.length > 0) return explanations;
  throw new Failure('usage', `"${text}" is not a domain, an account or the title of a filter`);
}
