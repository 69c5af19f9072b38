/** What there is to tell about one audit, whatever the format it is told in. */
import type {Comparison} from '../finding.js';
import type {ListSummary} from '../lists/merge.js';
import {auditJson, isClean, type About} from '../output.js';
import type {Wanted} from '../wanted.js';
import {checkedRules, type CheckedRule} from './checked-rules.js';
import {contributionsOf, type Contribution} from './contributions.js';

/** One account of one server held against one policy. */
export interface AuditReport extends About, Comparison {
  /** Whether the server agrees with the policy, and all of it could be seen. */
  readonly ok: boolean;
  readonly rules: readonly CheckedRule[];
  /** What the lists of the policy hold. */
  readonly lists: readonly ListSummary[];
  /** Which lists, together, want which domains blocked. */
  readonly contributions: readonly Contribution[];
  readonly when: Date;
}

export function auditReport({server, account, policy}: About, wanted: Wanted, comparison: Comparison, when: Date): AuditReport {
  const {findings, skipped} = comparison;
  const contributions = wanted.domains ? contributionsOf(wanted.domains, findings) : [];
  return {
    server,
    account,
    policy,
    ok: isClean(comparison),
    findings,
    skipped,
    rules: checkedRules(wanted.policy, comparison, contributions, new URL(server).host),
    lists: wanted.domains?.summaries ?? [],
    contributions,
    when,
  };
}

/** What `audit --json` prints: one audit as it is, several as a list. */
export function auditDocument(reports: readonly AuditReport[]): unknown {
  const audits = reports.map((report) => auditJson(report, report));
  return audits.length === 1 ? audits[0] : audits;
}
