/** What a format of reports is. Each has a file in `formats`, and the name of that file: `--report junit=audit.xml`. */
import type {AuditReport, Unusable} from '../rows/audit.js';

export interface ReportFormat {
  /**
   * Yields the text of a report in pieces: one of very many findings is never in memory as a whole.
   * @param unusable set when policies could not be read, and there are no audits
   */
  readonly render: (reports: readonly AuditReport[], unusable?: Unusable) => Iterable<string>;
}

/** A format in the list of all. It is loaded when it is used: an audit without reports needs none. */
export interface ListedFormat {
  /** Of its files, without a dot: `xml`. */
  readonly extension: string;
  /** What it is for, in a few words for the reference. */
  readonly about: string;
  load(): Promise<ReportFormat>;
}
