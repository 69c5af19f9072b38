/** Audits and plans as programs read them. */
import type {Failure} from '../client/failure.js';
import {changeJson} from './change.js';
import {findingJson, skippedJson, type Comparison} from './finding.js';
import type {Plan} from './plan.js';

/** Which policy was compared with which account of which server. */
export interface About {
  readonly server: string;
  readonly account: string;
  readonly policy: string;
}

interface Audit extends About, Comparison {
  readonly ok: boolean;
  readonly failure: Failure | undefined;
}

export function auditJson({server, account, policy, ok, failure, findings, skipped}: Audit): Record<string, unknown> {
  return {
    server,
    account,
    policy,
    ok,
    findings: findings.map(findingJson),
    skipped: skipped.map(skippedJson),
    ...(failure && {error: {code: failure.code, message: failure.message}}),
  };
}

export function planJson(
  {server, account, policy}: About,
  {changes, cannot, skipped, limits, beyond, guard}: Plan,
): Record<string, unknown> {
  return {
    server,
    account,
    policy,
    changes: changes.map(changeJson),
    cannot: cannot.map(findingJson),
    skipped: skipped.map(skippedJson),
    limits,
    ...(beyond.length > 0 && {beyond_limits: beyond}),
    ...(guard.why !== undefined && {guard: {removals: guard.removals, why: guard.why}}),
  };
}
