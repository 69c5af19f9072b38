/** What is new since an earlier audit, what is still open and what is resolved. */
import {normalize} from 'node:path';
import * as z from 'zod/mini';
import {once} from '../../api/schema.js';
import {localFailure, Failure} from '../../client/failure.js';
import {readText} from '../../files/read-file.js';
import {systemCode} from '../../files/system-error.js';
import type {AuditReport, Since} from '../rows/audit.js';
import {type RowJson, rowSchema} from '../model/documents.js';
import type {Row} from '../sections/policy-kind.js';
import {sidesOf, subjectOf} from '../rows/row-text.js';
import {kinds} from '../sections/index.js';
import {type About, unknownAccount} from '../rows/target.js';

/** Findings with the new ones first, where they were compared with an earlier report. */
export function sortNewFirst(findings: readonly Row[], {since}: Pick<AuditReport, 'since'>): readonly Row[] {
  if (since === undefined) return findings;
  return [...findings.filter((one) => since.added.has(one)), ...findings.filter((one) => !since.added.has(one))];
}

type Identified = Pick<RowJson, 'kind' | 'rule' | 'subject' | 'wanted'>;

/** Identifies a finding as long as the difference exists, even if its line in the policy or the value on the server changes. */
export const identityOf = ({rule, kind, subject, wanted}: Identified): string => JSON.stringify([rule, kind, subject, wanted]);

/** @param host the server of accounts that are shown without one */
export const identityOfRow = (row: Row, host: string): string =>
  identityOf({rule: row.why.rule, kind: row.kind.kind, subject: subjectOf(row, host), wanted: sidesOf(row).wanted});

/** Yields items with keys that are all different: the second item of one key gets `:2` after it. */
export function* numberKeys<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Generator<readonly [key: string, Item]> {
  const counts = new Map<string, number>();
  for (const item of items) {
    const key = keyOf(item);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    yield [count === 1 ? key : `${key}:${count}`, item];
  }
}

/** Identifies an audit; `./p.yml` and `p.yml` are one policy. */
export const auditIdentity = ({server, account, policy}: About): string => JSON.stringify([server, account, normalize(policy)]);

const earlierAudit = once(() => {
  const known = z.enum(kinds.map(({kind}) => kind));
  const findings = z.array(z.object({...rowSchema().shape, kind: known}));
  return z.object({
    server: z.string(),
    account: z.string(),
    policy: z.string(),
    findings,
    skipped: z._default(z.array(z.object({kind: known, code: z.optional(z.string())})), []),
    unread: z._default(findings, []),
  });
});
type EarlierAudit = z.infer<ReturnType<typeof earlierAudit>>;

/** An earlier report, as `audit --json` and `--report json=FILE` write it. */
interface EarlierReport {
  readonly file: string;
  /** Undefined where there is no report yet. */
  readonly audits: readonly EarlierAudit[] | undefined;
}

/** @throws Failure `local` when it cannot be read, `usage` when it is not a report with audits */
export async function readEarlierReport(file: string): Promise<EarlierReport> {
  const text = await readText(file).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw localFailure(`Cannot read the earlier report ${file}`, error);
  });
  if (text === undefined) return {file, audits: undefined};
  const audits = parsedAudits(text);
  if (audits === undefined) {
    throw new Failure('usage', `${file} is not a JSON report of an audit`, {
      hint: 'use one from `pixelctl audit --report json=FILE`, of a run without mistakes in the policy',
    });
  }
  return {file, audits};
}

/** Removes a private comment, which an audit with --show-private may have written. */
function removePrivateComment({details: {private_comment: _, ...details} = {}, ...finding}: EarlierAudit['findings'][number]) {
  return Object.keys(details).length === 0 ? finding : {...finding, details};
}

function parsedAudits(text: string): EarlierAudit[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const audits = z.parse(z.array(earlierAudit()), Array.isArray(value) ? value : [value]);
    return audits.map((audit) => ({
      ...audit,
      findings: audit.findings.map(removePrivateComment),
      unread: audit.unread.map(removePrivateComment),
    }));
  } catch {
    return undefined;
  }
}

/** The earlier audit of the same account and policy. An account whose name is not known matches the only audit of its server. */
function earlierOf({server, account, policy}: About, audits: readonly EarlierAudit[]): EarlierAudit | undefined {
  const same = audits.filter((one) => one.server === server && normalize(one.policy) === normalize(policy));
  const named = same.find((one) => one.account === account);
  if (named !== undefined) return named;
  const unnamed = account === unknownAccount ? same : same.filter((one) => one.account === unknownAccount);
  return unnamed.length === 1 ? unnamed[0] : undefined;
}

/**
 * Compares an audit with the earlier one of the same account and policy. Without one, all of its findings are new.
 * @returns also remarks on findings that count as new although they may not be
 */
export function compareWithEarlier(
  {file, audits}: EarlierReport,
  report: AuditReport,
  isOpenAccepted: boolean,
): {readonly since: Since; readonly remarks: readonly string[]} {
  const {findings, held, unread, shown} = report;
  const earlier = audits && earlierOf(report, audits);
  const before = new Map(numberKeys([...(earlier?.findings ?? []), ...(earlier?.unread ?? [])], identityOf));
  const added = new Set<Row>();
  for (const [identity, finding] of numberKeys(findings, (one) => identityOfRow(one, shown.host)))
    if (!before.delete(identity)) added.add(finding);
  const blind = new Set(unread.map(({kind}) => kind.kind));
  const unknown = new Set(held.flatMap((row) => (row.how === 'unknown' ? `${row.kind.kind} ${subjectOf(row, shown.host)}` : [])));
  const isUnseen = ({kind, subject}: RowJson) => blind.has(kind) || unknown.has(`${kind} ${subject}`);
  const gone = [...before.values()];
  return {
    since: {file, added, resolved: gone.filter((one) => !isUnseen(one)), unread: gone.filter(isUnseen), isOpenAccepted},
    remarks: audits === undefined ? [] : remarksOn(report, earlier, file),
  };
}

function remarksOn({findings}: AuditReport, earlier: EarlierAudit | undefined, file: string): string[] {
  if (earlier === undefined) return [`${file} has no audit of this account and policy: everything counts as new`];
  // The earlier audit has the findings of the one before it for kinds that it could not read.
  const passedOn = new Set(earlier.unread.map(({kind}) => kind));
  const blind = new Set(earlier.skipped.flatMap(({kind, code}) => (code === undefined || passedOn.has(kind) ? [] : kind)));
  return [...blind]
    .filter((kind) => findings.some((one) => one.kind.kind === kind))
    .map((kind) => `${file} could not check ${kind}: its differences count as new`);
}
