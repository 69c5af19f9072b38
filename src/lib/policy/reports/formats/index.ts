/** The formats of `--report junit=audit.xml`. Each is loaded when it is used, so that audits without reports load none. */
import type {Text} from '../../../files/whole-file.js';
import {auditDocument, type AuditReport} from '../../rows/audit.js';
import type {View} from '../report.js';

interface ListedFormat {
  /** The ending of its files, without a dot: `xml`. */
  readonly extension: string;
  /** What it is for, in a few words for the reference. */
  readonly about: string;
  /** The most rows of a kind in a report; any further ones are counted. */
  readonly most?: number;
  /** Undefined for JSON, which has all rows. */
  load?(): Promise<{write(views: readonly View[]): string}>;
}

const mostForPeople = 500;

export const reportFormats: Readonly<Record<string, ListedFormat>> = {
  github: {extension: 'txt', about: 'annotations at the lines of a policy in a GitHub workflow', load: () => import('./github.js')},
  html: {extension: 'html', about: 'a web page for people', load: () => import('./html.js')},
  json: {extension: 'json', about: 'the output of `audit --json`, for programs and for --since'},
  junit: {extension: 'xml', about: 'test results for CI systems', load: () => import('./junit.js')},
  markdown: {extension: 'md', about: 'a summary for a workflow step or a comment', load: () => import('./markdown.js')},
  // GitHub refuses a file with more than 25,000 results, or of more than 10 MB.
  sarif: {extension: 'sarif', about: 'results for code scanning', most: 4000, load: () => import('./sarif.js')},
};

/** Writes the text of each report that was asked for. @throws Failure `local` that names the file */
export type WriteReports = (textOf: (format: string) => Promise<Text>) => Promise<void>;

/** @param name of a format */
export async function reportText(name: string, audits: readonly AuditReport[]): Promise<Text> {
  const {load, most = mostForPeople} = reportFormats[name] ?? {};
  if (load === undefined) return jsonLines(auditDocument(audits));
  const [{viewsOf}, {write}] = await Promise.all([import('../report.js'), load()]);
  return write(viewsOf(audits, most));
}

/** JSON with one value a line: what `audit --json` and `plan --json` print. */
export async function jsonLines(document: object): Promise<Iterable<string>> {
  const [{inertData}, {documentLines}] = await Promise.all([import('../../../print/inert.js'), import('../../../print/print.js')]);
  return documentLines(document).map(inertData);
}
