import type {UsedList} from '../../../src/lib/policy/lists/list.js';
import {mergeLists} from '../../../src/lib/policy/lists/merge.js';
import type {Severity} from '../../../src/lib/policy/model/domain-facts.js';
import {parsePolicy} from '../../../src/lib/policy/reading/policy-file.js';
import type {PolicyWithLists} from '../../../src/lib/policy/reading/read-policy.js';
import {domainRulesIn} from '../../../src/lib/policy/sections/index.js';
import {used} from './lists/used.js';

/** In all tests of policies. */
export const now = new Date('2026-11-20T12:00:00Z');

/** A policy, with lists in place of those that it would name. @param lists by their names, or as they are used */
export function wantedBy(
  text: string,
  lists: Readonly<Record<string, string>> | readonly UsedList[] = {},
  minSeverity: Severity = 'silence',
): PolicyWithLists {
  const policy = parsePolicy(text, 'p.yml', now);
  const all = Array.isArray(lists) ? lists : Object.entries(lists).map(([name, content]) => used(name, content, {minSeverity}));
  const domains = new Map(domainRulesIn(policy).map((rules) => [rules.key, mergeLists(rules, all)]));
  return {policy, domains};
}
