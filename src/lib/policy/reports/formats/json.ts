/** JSON with one value a line: what `audit --json` and `plan --json` print. */
import {inertData} from '../../../print/inert.js';
import {documentLines} from '../../../print/print.js';
import {auditDocument, type AuditReport, type Unusable} from '../../rows/audit.js';

export function json(reports: readonly AuditReport[], unusable?: Unusable): Iterable<string> {
  return jsonLines(unusable === undefined ? auditDocument(reports) : {ok: false, mistakes: unusable.mistakes});
}

export function* jsonLines(document: Parameters<typeof documentLines>[0]): Generator<string> {
  for (const lines of documentLines(document)) yield inertData(lines);
}
