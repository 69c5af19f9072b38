/** JSON with one value a line: what `audit --json` prints. */
import {inertData} from '../../../print/inert.js';
import {documentLines} from '../../../print/print.js';
import type {ReportFormat} from '../report-format.js';
import {auditDocument, type AuditReport, type Unusable} from '../../rows/audit.js';

export const json: ReportFormat = {
  render: jsonReport,
};

function* jsonReport(reports: readonly AuditReport[], unusable?: Unusable): Generator<string> {
  const document = unusable === undefined ? auditDocument(reports) : {ok: false, mistakes: unusable.mistakes};
  for (const lines of documentLines(document)) yield inertData(lines);
}
