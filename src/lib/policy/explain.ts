/** Explains a domain, an account or a filter: which rules and list entries are about it, and what the server has. */
import {Failure} from '../client/failure.js';
import {holding, type HoldingSection, ofDomains, pathsOf} from './sections/index.js';
import type {Explanation, Section} from './section/section.js';
import type {SectionKey} from './model/section-types.js';
import type {Policy} from './model/policy.js';
import type {State} from './model/server-state.js';
import type {Wanted} from './lists/wanted.js';

/** Titles can be anything. */
const titlesFirst = [...holding].sort((one, other) => Number(one.isSet) - Number(other.isSet));

/**
 * Those that a policy has rules for, and those of an account that are like none of these. Not everybody may read what is a whole
 * server's.
 */
function sectionsOf(text: string, policy: Policy): readonly HoldingSection[] {
  const asksOfDomains = ofDomains.some((section) => section.asks(policy));
  const isLikeAsked = (section: HoldingSection) => asksOfDomains && section.ofDomains !== undefined;
  return titlesFirst.filter(
    (section) => section.holding.canBe(text) && (section.asks(policy) || (section.owner === 'account' && !isLikeAsked(section))),
  );
}

/** The sections of the state that a subject can be in. */
export function partsOf(text: string, policy: Policy): readonly SectionKey[] {
  return sectionsOf(text, policy).map(({key}) => key);
}

/** The paths that the sections of an account, or of a server, are read from, for descriptions. */
export const pathsFor = (text: string, of: Section['owner'] = 'account'): string =>
  pathsOf(titlesFirst.filter(({owner, holding: {canBe}}) => owner === of && canBe(text)));

/**
 * @param text a domain as people write it, an account with its `@`, or the title of a filter
 * @throws Failure `usage` when it is none of them
 */
export function explain(text: string, wanted: Wanted, state: State, now: Date): Explanation[] {
  const explanations = sectionsOf(text, wanted.policy).flatMap((section) => section.holding.explain(text, wanted, state, now));
  if (explanations.length > 0) return explanations;
  throw new Failure('usage', `"${text}" is not a domain, an account or the title of a filter`);
}
