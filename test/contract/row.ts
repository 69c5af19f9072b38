/** What the API description documents of one endpoint, written by hand: a row of the contract table. */
import type {Endpoint, Input} from '../../src/lib/api/endpoint.js';

export interface DocumentedRequest<E extends Endpoint = Endpoint> {
  readonly input: Input<E>;
  /** Method, path and query as the description has them: lists as `name[]`, nothing percent-encoded. */
  readonly sends: string;
  /** The body as JSON; absent when the request has none. */
  readonly json?: unknown;
  /** The fields of a multipart body in their order; files as `name content-type`. */
  readonly form?: readonly (readonly [name: string, value: string])[];
}

interface Documented<E extends Endpoint> {
  /** The first gives every documented field, the others leave out what may be left out. */
  readonly requests: readonly [DocumentedRequest<E>, ...DocumentedRequest<E>[]];
  /** An answer with every documented field. */
  readonly answer: unknown;
  /** Fields that the description does not promise in every answer; `*` stands for any place in a list. */
  readonly mayLack?: readonly string[];
  /** Fields that the description gives no type. */
  readonly anyType?: readonly string[];
}

export interface Row<E extends Endpoint = Endpoint> extends Documented<E> {
  /** The command that sends this request. */
  readonly command: string;
  readonly endpoint: E;
}

/** Writes a row down, with its inputs checked against the types of the record. */
export function row<E extends Endpoint>(command: string, endpoint: E, documented: Documented<E>): Row;
export function row(command: string, endpoint: Endpoint, documented: Documented<Endpoint>): Row {
  return {command, endpoint, ...documented};
}
