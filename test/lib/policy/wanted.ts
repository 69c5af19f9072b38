import {mergeLists} from '../../../src/lib/policy/lists/merge.js';
import {readList} from '../../../src/lib/policy/lists/read-list.js';
import {limitsHit} from '../../../src/lib/policy/plan/limits.js';
import type {Item} from '../../../src/lib/policy/model/items.js';
import {makePlan, type Plan} from '../../../src/lib/policy/plan/plan.js';
import {readPolicy} from '../../../src/lib/policy/reading/policy-file.js';
import type {Severity} from '../../../src/lib/policy/model/severity.js';
import {domainRulesIn} from '../../../src/lib/policy/sections/index.js';
import type {Wanted} from '../../../src/lib/policy/lists/wanted.js';
import {circumstances, type Model, stateOf} from './model-server.js';

/** A policy, with lists by their names in place of those that it would name. */
export function wantedBy(text: string, lists: Readonly<Record<string, string>> = {}, minSeverity: Severity = 'silence'): Wanted {
  const policy = readPolicy(text, 'p.yml', circumstances.now);
  const used = Object.entries(lists).map(([name, content]) => {
    const list = readList(content, name);
    if (list.kind !== 'domains') throw new Error('Not a list of domains');
    return {
      reference: {
        location: {file: 'p.yml', line: 1},
        from: {file: name},
        minSeverity,
        maxMistakes: 0,
        takesWildcards: false,
        mayBeEmpty: false,
      },
      list,
    };
  });
  return {policy, domains: new Map(domainRulesIn(policy).map((rules) => [rules.of.key, mergeLists(rules, used)]))};
}

export function planFor(text: string, model: Model, owned: readonly Item[] = []): Plan {
  const [state, {now}] = [stateOf(model), circumstances];
  const planned = makePlan(wantedBy(text), state, owned, circumstances);
  return {...planned, ...limitsHit(planned.changes, state, now)};
}
