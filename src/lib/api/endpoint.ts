import type * as z from 'zod/mini';
import {once} from './schema.js';
import type {View} from './view.js';

export type Fields = Readonly<Record<string, z.ZodMiniType>>;
export type Method = 'DELETE' | 'GET' | 'POST' | 'PUT';

/** What goes into a request, by where it goes. */
export interface PlainInput {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Whether a request may be sent again when its answer does not say whether it was carried out. `harmless`: it gives the same
 * state, so it is. `gone`: a second one finds nothing left, and is answered with 404. `never`: it acts twice.
 */
export type Repeat = 'gone' | 'harmless' | 'never';

/** A command that somebody could type: words of its name, arguments, flags by name. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly args?: readonly string[];
  readonly flags?: Readonly<Record<string, string>>;
}

/** A read that shows whether a write was carried out. */
export interface Trace {
  /** Every page of it is read. */
  readonly list: Endpoint;
  /** Whether this item of the list is there because of a write with this input. */
  readonly shows: (item: unknown, input: PlainInput) => boolean;
}

/** How one answer of a list leads to the next. Names are paths into the answer, outermost first. */
type NextPage =
  /** The `Link` header names the next page. */
  | {readonly by: 'link'}
  /** The answer carries a cursor, null at the end; `more`, where there is one, says whether pages follow. */
  | {readonly by: 'cursor'; readonly next: readonly string[]; readonly parameter: string; readonly more?: readonly string[]}
  /** The answer names its oldest and newest item; `more` says whether pages follow. */
  | {readonly by: 'bounds'; readonly oldest: readonly string[]; readonly newest: readonly string[]; readonly more: readonly string[]};

/** How the answers of a list hang together. */
export type Paging = NextPage & {
  /**
   * Items on a page unless asked otherwise: more follow a full page that names a next one. Absent where servers leave items out
   * after they have counted them, so that the next page may be empty.
   */
  readonly pageSize?: number;
  /** Path into the answer to the count of the items on all pages. */
  readonly total?: readonly string[];
};

/** One endpoint of the API as data: everything else about it is derived from this record. */
export interface Endpoint<
  Path extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
  Output extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Unique, in the words of the API: `list conversations`. */
  readonly name: string;
  /** Chapter of the reference; null for what servers have though it is not documented. */
  readonly section: string | null;
  /** Title of its group of commands: of `blocks` for `blocks list`. Absent where the command is in no group. */
  readonly topic?: string;
  /** pixelctl calls it on its way to something else: it has no command of its own. */
  readonly internal?: true;
  readonly method: Method;
  /** Template with `{name}` for each path field. */
  readonly path: string;
  /** Scope that the description marks; null where it marks none. */
  readonly scope: 'push' | 'read' | 'write' | null;
  readonly pathFields: Path;
  readonly query: Query;
  readonly body: Body;
  /** The documented shape of a successful answer; built when it is first asked for. */
  readonly output: () => Output;
  /** What people see of the answer; absent: every field. */
  readonly view?: View;
  /** A successful answer with every documented field. */
  readonly example?: unknown;
  /** The body is sent as `multipart/form-data`; these of its fields are files. */
  readonly files?: readonly string[];
  /** Headers that servers want besides the common ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Servers count these requests by themselves: what an answer says of that limit is not about any others. */
  readonly countedApart?: true;
  /** Sent without a token, even if there is one. */
  readonly anonymous?: true;
  /** Where the rows of a list are inside the answer: `[]` for the answer itself. Absent: the answer is one object. */
  readonly rows?: readonly string[];
  readonly paging?: Paging;
  readonly repeat: Repeat;
  /** Where a read can tell whether a write was carried out: the program looks there before it sends it once more. */
  readonly seenBy?: Trace;
  /** The command by which a person finds out whether a write was carried out. */
  readonly lookWith?: (input: PlainInput) => CommandLine;
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
export type Output<Record_ extends Endpoint> = z.output<ReturnType<Record_['output']>>;

type Declared<Path extends Fields, Query extends Fields, Body extends Fields, Output_ extends z.ZodMiniType> = Omit<
  Endpoint<Path, Query, Body, Output_>,
  'body' | 'pathFields' | 'query' | 'repeat'
> & {
  readonly pathFields?: Path;
  readonly query?: Query;
  readonly body?: Body;
  readonly repeat?: Repeat;
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
    output: once(declared.output),
  };
}
