/** What is new since an earlier audit, what is still open and what is resolved. */
import {hash} from 'node:crypto';
import {normalize} from 'node:path';
import * as z from 'zod/mini';
import {Failure, localFailure} from '../../client/failure.js';
import {readText} from '../../files/read-file.js';
import {absent} from '../../files/system-error.js';
import {policySchemas, type RowJson} from '../model/documents.js';
import type {AuditReport, Since} from '../rows/audit.js';
import {sidesOf, subjectOf} from '../rows/row-text.js';
import type {About} from '../rows/target.js';
import {kindName, type Row} from '../sections/policy-kind.js';

/** Identifies a finding as long as the difference exists, even if its line in the policy or the value on the server changes. */
const identityOf = ({rule, kind, subject, wanted}: Pick<RowJson, 'kind' | 'rule' | 'subject' | 'wanted'>): string =>
  JSON.stringify([rule, kind, subject, wanted]);

/** @param host the server of accounts that are shown without one */
const identityOfRow = (row: Row, host: string): string =>
  identityOf({rule: row.why.rule, kind: kindName(row.kind), subject: subjectOf(row, host), wanted: sidesOf(row).wanted});

/** Identifies an audit; `./p.yml` and `p.yml` are one policy. */
const auditIdentity = ({server, account, policy}: About): string => JSON.stringify([server, account, normalize(policy)]);

/** Identifies a finding among those of all audits. */
export const fingerprintOf = (audit: About, finding: RowJson): string =>
  hash('sha256', auditIdentity(audit) + identityOf(finding), 'hex').slice(0, 32);

function auditsSchema() {
  const findings = z.array(z.object(policySchemas().parts.row.shape));
  return z.array(z.object({server: z.string(), account: z.string(), policy: z.string(), findings, unread: z._default(findings, [])}));
}
type EarlierAudit = z.infer<ReturnType<typeof auditsSchema>>[number];

/**
 * Reads an earlier report, as `audit --json` and `--report json=FILE` write it, to compare audits with it.
 * @throws Failure `local` when it cannot be read, `usage` when it is not a report with audits
 */
export async function readEarlierReport(file: string, isOpenAccepted = false) {
  const text = await readText(file)
    .catch(absent)
    .catch((error: unknown) => {
      throw localFailure(`Cannot read the earlier report ${file}`, error);
    });
  const audits = text === undefined ? [] : parsedAudits(text);
  if (audits === undefined) {
    throw new Failure('usage', `${file} is not a JSON report of an audit`, {hint: 'use one from `pixelctl audit --report json=FILE`'});
  }
  return {
    note: text === undefined ? `${file} is not there yet: nothing is known, so every difference counts as new.` : undefined,
    compare: (audit: AuditReport): Since => ({
      file,
      isOpenAccepted,
      ...compare(
        audit,
        audits.find((one) => auditIdentity(one) === auditIdentity(audit)),
      ),
    }),
  };
}

/** Removes a private comment, which an audit with --show-private may have written. */
function removePrivateComment({details: {private_comment: _, ...details} = {}, ...finding}: EarlierAudit['findings'][number]) {
  return Object.keys(details).length === 0 ? finding : {...finding, details};
}

function parsedAudits(text: string): EarlierAudit[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return z.parse(auditsSchema(), Array.isArray(value) ? value : [value]);
  } catch {
    return undefined;
  }
}

/** Without an earlier audit, all findings are new. */
function compare({findings, unread, host}: AuditReport, earlier: EarlierAudit | undefined) {
  // The earlier audit has the findings of the one before it for kinds that it could not read.
  const had = [...(earlier?.findings ?? []), ...(earlier?.unread ?? [])].map(removePrivateComment);
  const before = new Map<string, RowJson>(had.map((one) => [identityOf(one), one]));
  const added = new Set(findings.filter((row) => !before.delete(identityOfRow(row, host))));
  const isUnseen = (one: RowJson) => unread.some(({kind}) => kindName(kind) === one.kind);
  const gone = [...before.values()];
  return {added, resolved: gone.filter((one) => !isUnseen(one)), unread: gone.filter(isUnseen)};
}
