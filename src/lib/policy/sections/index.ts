/** All kinds of items that policies have sections for, in the order of an exported policy. A new kind is added here. */
import {domainBlocks} from './domain-blocks.js';
import {filters} from './filter-section.js';
import {blocks, mutes} from './names.js';
import {keyOf, type Kind, kindName} from './policy-kind.js';
import {serverBlocks} from './server-blocks.js';
import {enumerate} from '../../json/text.js';
import type {DomainRules, Policy, Rules} from '../model/policy.js';

export const kinds: Kind[] = [domainBlocks, serverBlocks, filters, blocks, mutes];

/** The names of the sections in alphabetical order, for people. */
export const sectionKeys: readonly string[] = kinds.map(({key}) => key).sort();

/** @param name a section such as `blocks`, or a kind such as `block` */
export const kindOf = (name: string): Kind | undefined => kinds.find((kind) => kind.key === name || kindName(kind) === name);

/** @param name a section that exists: flags are checked before */
export function kindOfSection(name: string): Kind {
  const kind = kindOf(name);
  if (kind === undefined) throw new Error(`There is no section ${name}`);
  return kind;
}

/** The kind of an item, from its key in a state; undefined: no such kind. */
export const kindOfKey = (key: string): Kind | undefined => kinds.find((kind) => key.startsWith(keyOf(kind, '')));

/** The name of an item as people write it; undefined: the text names none of the kind. */
export function nameIn(kind: Kind, text: string, host: string): string | undefined {
  try {
    return kind.section.nameIn(text, host);
  } catch {
    return undefined;
  }
}

export const isOfDomains = (rules: Rules): rules is DomainRules => 'lists' in rules;

export const domainRulesIn = ({rules}: Policy): readonly DomainRules[] => [...rules.values()].filter(isOfDomains);

/** The paths that kinds are read from, for command descriptions: `/api/v1/blocks and /api/v1/mutes`. */
export const pathsOf = (): string =>
  enumerate(kinds.flatMap(({calls}) => calls.flatMap(({method, path}) => (method === 'GET' ? path : []))));

/** The requests that change items, for command descriptions: `POST and DELETE /api/v1/domain_blocks`. */
export function writesOf(): string {
  const writes = kinds.flatMap(({calls}) => calls.filter(({method}) => method !== 'GET'));
  const byPath = Map.groupBy(writes, ({path}) => path);
  return Array.from(byPath, ([path, own]) => `${enumerate(own.map(({method}) => method))} ${path}`).join(', ');
}
