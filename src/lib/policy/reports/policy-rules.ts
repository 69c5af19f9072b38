/** A policy as a list of single rules. */
import {dirname, isAbsolute, join} from 'node:path';
import type {Kind} from '../finding.js';
import type {Place} from '../place.js';
import type {AccountRules, DomainBlockRules, FilterRules, Placed, Policy} from '../policy.js';

export interface Rule {
  /** Path in the policy: `domain_blocks.must`. */
  readonly rule: string;
  readonly kind: Kind;
  /** The domain, list, title, account or setting that it is about; undefined: all of its kind. */
  readonly subject?: string | undefined;
  readonly source: Place;
}

/** In the order of the sections of a policy. */
export function rulesOf({file, domainBlocks, filters, blocks, mutes, push, config}: Policy): Rule[] {
  return [
    ...(domainBlocks ? domainRules(domainBlocks, dirname(file)) : []),
    ...(filters ? filterRules(filters) : []),
    ...(blocks ? accountRules('block', blocks) : []),
    ...(mutes ? accountRules('mute', mutes) : []),
    ...(push ?? []).map(({setting, place}): Rule => ({rule: `push.${setting}`, kind: 'push', subject: setting, source: place})),
    ...(config ?? []).map(({path, place}): Rule => ({rule: 'config', kind: 'config', subject: path, source: place})),
  ];
}

function each(rule: string, kind: Kind, subjects: readonly Placed<string>[]): Rule[] {
  return subjects.map(({value, place}) => ({rule, kind, subject: value, source: place}));
}

function collective(rule: string, kind: Kind, source: Place | undefined): Rule[] {
  return source ? [{rule, kind, source}] : [];
}

function domainRules({must, mustNot, only, lists}: DomainBlockRules, folder: string): Rule[] {
  const kind = 'domain_block';
  return [
    ...each('domain_blocks.must', kind, must),
    ...each('domain_blocks.must_not', kind, mustNot),
    ...collective('domain_blocks.only', kind, only),
    ...lists.map(({from, place}): Rule => {
      const list = 'url' in from ? from.url : isAbsolute(from.file) ? from.file : join(folder, from.file);
      return {rule: 'domain_blocks.lists', kind, subject: list, source: place};
    }),
  ];
}

function filterRules({must, mustNot, only, expireWithin}: FilterRules): Rule[] {
  const kind = 'filter';
  return [
    ...must.map(({title, place}): Rule => ({rule: 'filters.must', kind, subject: title, source: place})),
    ...each('filters.must_not', kind, mustNot),
    ...collective('filters.only', kind, only),
    ...collective('filters.expire_within', kind, expireWithin?.place),
  ];
}

function accountRules(kind: 'block' | 'mute', {must, mustNot, only, atMost}: AccountRules): Rule[] {
  return [
    ...each(`${kind}s.must`, kind, must),
    ...each(`${kind}s.must_not`, kind, mustNot),
    ...collective(`${kind}s.only`, kind, only),
    ...collective(`${kind}s.at_most`, kind, atMost?.place),
  ];
}
