/** What is expected of one endpoint and its command, written by hand for the contract and end-to-end tests. */
import type {Endpoint, Input, Paging} from '../../src/lib/api/endpoint.js';

export interface PagedEndpoint extends Endpoint {
  readonly paging: Paging;
}

export function isPaged(endpoint: Endpoint): endpoint is PagedEndpoint {
  return endpoint.paging !== undefined;
}

/** What the client makes of an input. */
export interface DocumentedRequest<E extends Endpoint = Endpoint> {
  readonly input: Input<E>;
  /** Method, path and query: lists as `name[]`, nothing percent-encoded. */
  readonly sends: string;
  /** The body as JSON; the body of the input, unless another one is given. */
  readonly json?: unknown;
  /** The fields of a multipart body in their order; files as `name content-type`. */
  readonly form?: readonly (readonly [name: string, value: string])[];
}

/** A request that arrives at a server. */
export interface Sent {
  /** Method, path and query: `GET /api/v1/blocks?limit=2`. */
  readonly line: string;
  readonly json?: unknown;
  /** A multipart form; a file is its name, its type and its size in bytes. */
  readonly form?: Readonly<Record<string, string>>;
}

/** The command against the sandbox. */
export interface SandboxRun {
  /** The words after `pixelctl`. */
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Requests made before, to set up what the command acts on. */
  readonly before?: readonly Sent[];
  /** All requests, in order; the answer to the last one is printed. */
  readonly sent: readonly Sent[];
  /** Requests beside these, made only where people and no programs read what is printed. */
  readonly sentForPeople?: readonly string[];
  /** Parts of the table or record that is printed; of a write, with `-o table`. */
  readonly shows: readonly string[];
  /** What standard error says along with it; of a write, in place of it where no format is chosen. */
  readonly says?: string;
}

interface Documented<E extends Endpoint> {
  /** A successful answer with every documented field. */
  readonly answer: unknown;
  /** Its arguments and own flags: `ID... | --message-id --type*`. */
  readonly takes: string;
  /** The scope that its token needs; absent where none is documented. */
  readonly scope?: string;
  /** It asks before it is sent. */
  readonly asks?: true;
  /** Fields that must be given, besides those of the path. */
  readonly required?: {readonly query?: readonly string[]; readonly body?: readonly string[]};
  /** The first gives every documented field, the others leave out what may be left out. */
  readonly requests: readonly [DocumentedRequest<E>, ...DocumentedRequest<E>[]];
  /** Fields that not every answer has; `*` stands for any place in a list. */
  readonly mayLack?: readonly string[];
  /** Fields of an answer that have no documented type. */
  readonly anyType?: readonly string[];
  readonly on2026: SandboxRun;
  /** `not offered`: the same requests, and 404 for the last. */
  readonly on0126: SandboxRun | 'not offered';
}

export interface Row<E extends Endpoint = Endpoint> extends Documented<E> {
  /** `dm list` */
  readonly command: string;
  readonly endpoint: E;
}

/** Makes a row; its inputs are checked against the types of the record. */
export function row<E extends Endpoint>(command: string, endpoint: E, documented: Documented<E>): Row;
export function row(command: string, endpoint: Endpoint, documented: Documented<Endpoint>): Row {
  const withJson = (request: DocumentedRequest): DocumentedRequest =>
    request.form !== undefined || request.input.body === undefined ? request : {json: request.input.body, ...request};
  const [first, ...others] = documented.requests;
  return {command, endpoint, ...documented, requests: [withJson(first), ...others.map(withJson)]};
}

/** A run that is alike on both generations of servers, but for what differs. */
export const alike = (run: SandboxRun, older: Partial<SandboxRun> = {}): Pick<Row, 'on0126' | 'on2026'> => ({
  on2026: run,
  on0126: {...run, ...older},
});

export const since2026 = (run: SandboxRun): Pick<Row, 'on0126' | 'on2026'> => ({on2026: run, on0126: 'not offered'});

/** The request for the limits of the server, before something is sent that may exceed them. */
export const limits: Sent = {line: 'GET /api/v2.1/config'};

/** The first id that the sandbox gives to what is made. */
export const made = '1029249438486228538';
