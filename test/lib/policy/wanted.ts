import type {UsedList} from '../../../src/lib/policy/lists/list.js';
import {mergeLists} from '../../../src/lib/policy/lists/merge.js';
import {limitsHit} from '../../../src/lib/policy/plan/limits.js';
import type {Item} from '../../../src/lib/policy/model/items.js';
import {makePlan, type Plan} from '../../../src/lib/policy/plan/plan.js';
import {readPolicy} from '../../../src/lib/policy/reading/policy-file.js';
import type {PrivateComments} from '../../../src/lib/policy/model/domain-facts.js';
import type {Severity} from '../../../src/lib/policy/model/severity.js';
import {domainRulesIn} from '../../../src/lib/policy/sections/index.js';
import type {Wanted} from '../../../src/lib/policy/lists/wanted.js';
import {used} from './lists/used.js';
import {circumstances, type Model, stateOf} from './model-server.js';

/** A policy, with lists in place of those that it would name. @param lists by their names, or as they are used */
export function wantedBy(
  text: string,
  lists: Readonly<Record<string, string>> | readonly UsedList[] = {},
  minSeverity: Severity = 'silence',
  comments: PrivateComments = 'sent',
): Wanted {
  const policy = readPolicy(text, 'p.yml', {now: circumstances.now, comments});
  const all = Array.isArray(lists) ? lists : Object.entries(lists).map(([name, content]) => used(name, content, {minSeverity}));
  const domains = new Map(domainRulesIn(policy).map((rules) => [rules.of.key, mergeLists(rules, all)]));
  return {policy, domains, showsPrivate: comments === 'all'};
}

export function planFor(text: string, model: Model, owned: readonly Item[] = []): Plan {
  const [state, {now}] = [stateOf(model), circumstances];
  const planned = makePlan(wantedBy(text), state, owned, circumstances);
  return {...planned, ...limitsHit(planned.changes, state, now)};
}
