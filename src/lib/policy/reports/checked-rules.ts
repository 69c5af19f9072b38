/** Every rule of a policy, and how it fared: also those that hold. */
import {handleOf} from '../../operations/accounts.js';
import type {Comparison, Finding} from '../finding.js';
import {placeText} from '../place.js';
import type {Policy} from '../policy.js';
import type {Contribution} from './contributions.js';
import {rulesOf, type Rule} from './policy-rules.js';

export interface CheckedRule extends Rule {
  /** Unchecked: the server did not tell, or the rule asks for nothing here; what was skipped says why. */
  readonly outcome: 'failed' | 'held' | 'unchecked';
}

/** @param host of the server, which accounts without one belong to */
export function checkedRules(
  policy: Policy,
  {findings, skipped}: Comparison,
  contributions: readonly Contribution[],
  host: string,
): CheckedRule[] {
  const unseen = new Set(skipped.flatMap(({kind, failure}) => (failure ? kind : [])));
  const idle = new Set(skipped.map(({kind, subject}) => JSON.stringify([kind, subject])));
  // What the server does not offer is a finding, and was not checked.
  const failed = new Set(findings.filter(({kind}) => kind !== 'unchecked').map((finding) => keyOf(finding, host)));
  const unoffered = new Set(findings.filter(({kind}) => kind === 'unchecked').map(({subject}) => JSON.stringify(['config', subject])));
  const failedRules = new Set(findings.map(({rule}) => rule));
  const failedLists = new Set(contributions.flatMap(({files, missing}) => (missing > 0 ? files : [])));
  const hasFailed = (rule: Rule): boolean => {
    if (rule.subject === undefined) return failedRules.has(rule.rule);
    return rule.rule === 'domain_blocks.lists' ? failedLists.has(rule.subject) : failed.has(keyOf(rule, host));
  };
  return rulesOf(policy).map((rule) => {
    if (unseen.has(rule.kind)) return {...rule, outcome: 'unchecked'};
    if (hasFailed(rule)) return {...rule, outcome: 'failed'};
    const name = JSON.stringify([rule.kind, rule.subject]);
    return {...rule, outcome: idle.has(name) || unoffered.has(name) ? 'unchecked' : 'held'};
  });
}

/** Accounts and titles in the form that they are compared in. */
function keyOf({rule, kind, subject = '', source}: Finding | Rule, host: string): string {
  const compared = kind === 'block' || kind === 'mute' ? handleOf(subject, host) : subject.trim();
  return JSON.stringify([rule, placeText(source), compared]);
}
