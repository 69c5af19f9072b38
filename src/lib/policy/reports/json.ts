/** Audits as `audit --json` prints them. */
import {inertData} from '../../print/inert.js';
import {auditDocument, type AuditReport} from './report.js';

export function jsonReport(reports: readonly AuditReport[]): string {
  return `${inertData(JSON.stringify(auditDocument(reports), null, 2))}\n`;
}
