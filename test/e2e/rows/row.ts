/** What is expected of one command: the request that arrives, and what a person sees of the answer. */

export interface Sent {
  /** Method, path and query: `GET /api/v1/blocks?limit=2`. */
  readonly line: string;
  readonly json?: unknown;
  /** A multipart form; a file is its name, its type and its size in bytes. */
  readonly form?: Readonly<Record<string, string>>;
}

export interface Row {
  /** The words after `pixelctl`. */
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Calls made before, so that there is something to act on. */
  readonly before?: readonly Sent[];
  /** All requests, in order; the answer to the last one is printed. */
  readonly sent: readonly Sent[];
  /** Requests beside these, made only where people and no programs read what is printed. */
  readonly sentForPeople?: readonly string[];
  /** What the table or record shows. */
  readonly shows: readonly string[];
  /** What is said on standard error along with it. */
  readonly says?: string;
}

/** A command against both generations of servers. */
export interface Expectation {
  /** As in `dm list`. */
  readonly command: string;
  readonly on2026: Row;
  /** `not offered`: the same requests, and 404 for the last. */
  readonly on0126: Row | 'not offered';
}

/** The same on both, but for what differs. */
export const alike = (command: string, row: Row, older: Partial<Row> = {}): Expectation => ({
  command,
  on2026: row,
  on0126: {...row, ...older},
});

export const since2026 = (command: string, row: Row): Expectation => ({command, on2026: row, on0126: 'not offered'});

/** What is asked before something is sent that the server may have limits for. */
export const limits: Sent = {line: 'GET /api/v2.1/config'};
