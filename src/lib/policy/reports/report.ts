/** What there is to tell about one audit, whatever the format it is told in. */
import {Failure} from '../../client/failure.js';
import type {Circumstances} from '../compare.js';
import {blindness, unread, type Advice, type Comparison} from '../finding.js';
import type {ListSummary} from '../lists/merge.js';
import {auditJson, type About} from '../output.js';
import type {Policy} from '../policy.js';
import type {Wanted} from '../wanted.js';
import {checkedRules, type CheckedRule} from './checked-rules.js';
import {contributionsOf, type Contribution} from './contributions.js';
import {rulesOf} from './policy-rules.js';

/** One account of one server compared with one policy. */
export interface AuditReport extends About, Comparison {
  /** Whether the server agrees with the policy, and all of it could be seen. */
  readonly ok: boolean;
  /** Why the account, or a part of it, could not be looked at. */
  readonly failure: Failure | undefined;
  readonly rules: readonly CheckedRule[];
  /** What the lists of the policy hold. */
  readonly lists: readonly ListSummary[];
  /** Which lists, together, want which domains blocked. */
  readonly contributions: readonly Contribution[];
  readonly advice: Advice;
  readonly when: Date;
}

/** @param outcome of the comparison, or why there was none */
export function auditReport(
  {server, account, policy}: About,
  wanted: Wanted,
  outcome: Comparison | Failure,
  {now, advice}: Circumstances,
): AuditReport {
  const comparison = outcome instanceof Failure ? nothingSeen(wanted.policy, outcome) : outcome;
  const {findings, skipped} = comparison;
  const {host} = new URL(server);
  const contributions = wanted.domains ? contributionsOf(wanted.domains, findings) : [];
  const failure = outcome instanceof Failure ? outcome : blindness(skipped, host);
  return {
    server,
    account,
    policy,
    ok: findings.length === 0 && failure === undefined,
    failure,
    findings,
    skipped,
    rules: checkedRules(wanted.policy, comparison, contributions, host),
    lists: wanted.domains?.summaries ?? [],
    contributions,
    advice,
    when: now,
  };
}

/** Every kind of rule of the policy as one that could not be looked at. */
function nothingSeen(policy: Policy, failure: Failure): Comparison {
  const kinds = new Set(rulesOf(policy).map(({kind}) => kind));
  return {findings: [], skipped: [...kinds].map((kind) => unread(kind, failure))};
}

/** What `audit --json` prints: one audit as it is, several as a list. */
export function auditDocument(reports: readonly AuditReport[]): unknown {
  const audits = reports.map((report) => auditJson(report));
  return audits.length === 1 ? audits[0] : audits;
}
