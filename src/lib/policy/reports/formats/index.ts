/** The formats of `--report junit=audit.xml`. Each is loaded when it is used, so that audits without reports load none. */
import type {AuditReport, Unusable} from '../../rows/audit.js';

/**
 * Yields a report in pieces, so that one with very many findings is never in memory as a whole.
 * @param unusable set when policies could not be read, and there are no audits
 */
type ReportFormat = (reports: readonly AuditReport[], unusable?: Unusable) => Iterable<string>;

interface ListedFormat {
  /** The ending of its files, without a dot: `xml`. */
  readonly extension: string;
  /** What it is for, in a few words for the reference. */
  readonly about: string;
  load(): Promise<ReportFormat>;
}

export const reportFormats: Readonly<Record<string, ListedFormat>> = {
  github: {
    extension: 'txt',
    about: 'annotations at the lines of a policy in a GitHub workflow',
    load: async () => (await import('./github.js')).github,
  },
  html: {extension: 'html', about: 'a web page for people', load: async () => (await import('./html.js')).html},
  json: {
    extension: 'json',
    about: 'the output of `audit --json`, for programs and for --since',
    load: async () => (await import('./json.js')).json,
  },
  junit: {extension: 'xml', about: 'test results for CI systems', load: async () => (await import('./junit.js')).junit},
  markdown: {
    extension: 'md',
    about: 'a summary for a workflow step or a comment',
    load: async () => (await import('./markdown.js')).markdown,
  },
  sarif: {extension: 'sarif', about: 'results for code scanning', load: async () => (await import('./sarif.js')).sarif},
};
