/** Audits and plans as programs read them. */
import {changeJson} from './change.js';
import {failureOf, findingJson, skippedJson, type Comparison} from './finding.js';
import type {Plan} from './plan.js';

/** Which policy was held against which account of which server. */
export interface About {
  readonly server: string;
  readonly account: string;
  readonly policy: string;
}

/** Whether the server agrees with the policy, as far as that could be seen: a rule that could not be looked at is no agreement. */
export function isClean({findings, skipped}: Comparison): boolean {
  return findings.length === 0 && failureOf(skipped) === undefined;
}

export function auditJson({server, account, policy}: About, comparison: Comparison): Record<string, unknown> {
  const {findings, skipped} = comparison;
  return {server, account, policy, ok: isClean(comparison), findings: findings.map(findingJson), skipped: skipped.map(skippedJson)};
}

export function planJson({server, account, policy}: About, {changes, cannot, skipped, limits, guard}: Plan): Record<string, unknown> {
  return {
    server,
    account,
    policy,
    changes: changes.map(changeJson),
    cannot: cannot.map(findingJson),
    skipped: skipped.map(skippedJson),
    limits,
    ...(guard.why !== undefined && {guard: {removals: guard.removals, why: guard.why}}),
  };
}
