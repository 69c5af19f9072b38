import type * as z from 'zod/mini';

export type Fields = Readonly<Record<string, z.ZodMiniType>>;
export type Method = 'DELETE' | 'GET' | 'POST' | 'PUT';

/** How the answers of a list hang together. Names are paths into the answer, outermost first. */
export type Paging =
  /** The `Link` header names the next page (section 4.3, 4.8). */
  | {readonly by: 'link'}
  /** The answer carries a cursor, null at the end; `more`, where there is one, says whether pages follow. */
  | {readonly by: 'cursor'; readonly next: readonly string[]; readonly parameter: string; readonly more?: readonly string[]}
  /** The answer names its oldest and newest item; `more` says whether pages follow. */
  | {readonly by: 'bounds'; readonly oldest: readonly string[]; readonly newest: readonly string[]; readonly more: readonly string[]};

/** One endpoint of the API as data: everything else about it is derived from this record. */
export interface Endpoint<
  Path extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
  Output extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Unique, in the words of the API: `list conversations`. */
  readonly name: string;
  /** Section of the API description; null for what servers have beyond it. */
  readonly section: string | null;
  readonly method: Method;
  /** Template with `{name}` for each path field. */
  readonly path: string;
  /** Scope that the description marks; null where it marks none. */
  readonly scope: 'push' | 'read' | 'write' | null;
  readonly pathFields: Path;
  readonly query: Query;
  readonly body: Body;
  /** The documented shape of a successful answer. */
  readonly output: Output;
  /** The body is sent as `multipart/form-data`; these of its fields are files. */
  readonly files?: readonly string[];
  /** Headers that servers want besides the common ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent without a token, even if there is one. */
  readonly anonymous?: true;
  /** Where the rows of a list are inside the answer: `[]` for the answer itself. Absent: the answer is one object. */
  readonly rows?: readonly string[];
  readonly paging?: Paging;
  /** Whether the request may be sent again when its fate is unknown: `harmless` gives the same state, `never` acts twice. */
  readonly repeat: 'harmless' | 'never';
  /** Name of the endpoint that takes a write back; null when nothing does. Absent on reads. */
  readonly undoneBy?: string | null;
}

type Given<Part extends Fields> = z.input<z.ZodMiniObject<Part>>;
type NoFields = Readonly<Record<never, never>>;

/** What goes into a request, by where it goes. Body fields that the record does not know are sent on. */
export interface Input<Record_ extends Endpoint> {
  readonly path?: Given<Record_['pathFields']>;
  readonly query?: Given<Record_['query']>;
  readonly body?: Given<Record_['body']> & Readonly<Record<string, unknown>>;
}

/** What an endpoint answers, typed by the documented shape. */
export type Output<Record_ extends Endpoint> = z.output<Record_['output']>;

type Declared<Path extends Fields, Query extends Fields, Body extends Fields, Output_ extends z.ZodMiniType> = Omit<
  Endpoint<Path, Query, Body, Output_>,
  'body' | 'pathFields' | 'query' | 'repeat'
> & {
  readonly pathFields?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly repeat?: 'harmless' | 'never';
};

/** Writes a record down; a GET can always be repeated, a write says so itself. */
export function endpoint<
  Output_ extends z.ZodMiniType,
  Path extends Fields = NoFields,
  Query extends Fields = NoFields,
  Body extends Fields = NoFields,
>(declared: Declared<Path, Query, Body, Output_>): Endpoint<Path, Query, Body, Output_>;
export function endpoint(declared: Declared<Fields, Fields, Fields, z.ZodMiniType>): Endpoint {
  return {
    pathFields: {},
    query: {},
    body: {},
    repeat: declared.method === 'GET' ? 'harmless' : 'never',
    ...declared,
  };
}
