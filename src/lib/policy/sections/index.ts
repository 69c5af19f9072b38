/** The sections of policies, in the order of a policy. A new one is added here. */
import {blocks} from './blocks.js';
import {domainBlocks} from './domain-blocks.js';
import {filters} from './filters.js';
import {mutes} from './mutes.js';
import type {Section} from './section.js';
import {serverBlocks} from './server-blocks.js';
import {enumerate} from '../../json/text.js';
import type {Kind} from '../model/kind.js';
import type {DomainRules, Policy, Rules} from '../model/policy.js';

export const sections: readonly Section[] = [domainBlocks, serverBlocks, filters, blocks, mutes];

/** In the order in which a plan changes them: what only has a name comes first. */
export const inPlans: readonly Section[] = sections.toSorted(
  (one, other) => Number(one.kind.isGivenWhole === true) - Number(other.kind.isGivenWhole === true),
);

export const sectionsOf = (owner: Kind['owner']): readonly Section[] => sections.filter(({kind}) => kind.owner === owner);

/** For people, who look them up. */
export const sectionKeys: readonly string[] = sections.map(({key}) => key).sort();

/** @param name of a section or of its kind */
export const sectionOf = (name: string): Section | undefined => sections.find(({key, kind}) => key === name || kind.kind === name);

export const kindOfKey = (key: string): Kind | undefined => sections.find(({kind}) => key.startsWith(`${kind.kind} `))?.kind;

export const isOfDomains = (rules: Rules): rules is DomainRules => 'lists' in rules;

/** The rules of all sections of domains. */
export const domainRulesIn = ({rules}: Policy): readonly DomainRules[] => [...rules.values()].filter(isOfDomains);

/** The paths that sections are read from, for descriptions: `/api/v1/blocks and /api/v1/mutes`. */
export const pathsOf = (some: readonly Section[]): string => enumerate(some.map(({kind}) => kind.reads.path));

/** The requests that change sections, for descriptions, in the order of plans: `POST and DELETE /api/v1/domain_blocks`. */
export function writesOf(some: readonly Section[]): string {
  const operations = inPlans.filter((one) => some.includes(one)).flatMap(({kind}) => Object.values(kind.operations));
  const byPath = Map.groupBy(operations, ({path}) => path);
  return Array.from(byPath, ([path, own]) => `${enumerate(own.map(({method}) => method))} ${path}`).join(', ');
}

/** What items of a kind are called: `account block`. */
export const itemName = ({words}: Kind, count = 1): string => (count > 1 ? words.counted[1] : words.item);
