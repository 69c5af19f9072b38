import type * as z from 'zod/mini';
import type {Kind} from './kind.js';
import {once} from './schema.js';
import type {View} from './view.js';

export type Fields = Readonly<Record<string, z.ZodMiniType>>;
export type Method = 'DELETE' | 'GET' | 'POST' | 'PUT';

/** The input of any endpoint; {@link Input} has the types of one. */
export interface PlainInput {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Whether a request may be sent again when its answer does not say whether it was carried out. `harmless`: yes, the state is
 * the same. `gone`: a second one gets 404. `never`: it acts twice.
 */
export type Repeat = 'gone' | 'harmless' | 'never';

export interface SuggestedCommand {
  /** Its name, without `pixelctl`: `dm get`. */
  readonly command: string;
  readonly args?: readonly string[];
  readonly flags?: Readonly<Record<string, string>>;
}

export interface Trace {
  readonly list: Endpoint;
  /** Whether this item of the list is there because of a write with this input. */
  readonly shows: (item: unknown, input: PlainInput) => boolean;
}

export interface Topic {
  readonly title: string;
  /** The heading of `pixelctl --help` that it is under, such as `MODERATION`. New headings come last. */
  readonly heading: string;
}

/** What a person can do about an error. The first hint of a record that suits the error is shown. */
export interface ErrorHint {
  /** The failure must have this code or reason. */
  readonly on: 'hourly_quota' | 'not_found' | 'refused' | 'unknown_route';
  readonly said?: RegExp;
  readonly hint: string;
  readonly use?: (input: Pick<PlainInput, 'path'>) => SuggestedCommand;
}

/** The hint of endpoints that only Pixelfed has. Other servers answer with the name of the route, or just with "Not Found". */
export const onlyPixelfed: ErrorHint = {
  on: 'not_found',
  said: /^The route |^Not Found$/,
  hint: 'only Pixelfed has this, not Mastodon; an old release of Pixelfed may lack it too',
};

export const refusesAdmins: ErrorHint = {on: 'refused', said: /\badmin account/, hint: 'admins are changed on the server itself'};

/** How the errors of one endpoint differ from those of others. The table in `client/verdict.ts` says what each answer means. */
export interface OwnErrors {
  /** The request adds an item, and servers limit how many an account may have. */
  readonly limited?: true;
  /** Servers may refuse the domain in the request. */
  readonly refusesDomains?: true;
  /** Servers may not let the token's account send messages to the recipient. */
  readonly refusesRecipients?: true;
  /** Servers answer only admins, and may tell everybody else that there is no such endpoint. */
  readonly onlyAdmins?: true;
  /** The member of an error in which servers show the object that exists already. */
  readonly shows?: string;
  /** Servers may refuse an action that does not suit its target. */
  readonly refusesActions?: true;
  /** Servers may be set up so that this cannot be changed while they run, and do not say so. */
  readonly mayBeFixed?: true;
  /** If the person is gone, servers answer 500, with words about a missing property. */
  readonly failsOnGone?: true;
  /** Servers may forbid deletions. They then answer as if the token were not an admin's. */
  readonly mayForbidDeletion?: true;
  /** The noun of what servers limit per hour, such as `filters`. They may not say how long to wait. */
  readonly hourlyQuota?: string;
  readonly hints?: readonly ErrorHint[];
}

/** Whether words of a server say that it has no object of this model and id: `No query results for model [App\User] 4`. */
export function saysGone(words: string, model: string, id: unknown): boolean {
  const [, path = '', named] = /^No query results for model \[App\\([\w\\]+)\] (\S+)$/.exec(words) ?? [];
  return path.replace(/^Models\\/, '') === model && named === String(id);
}

/** How one page of a list leads to the next. Arrays of names are paths into the answer, outermost name first. */
type NextPage =
  /** The `Link` header names the next page. */
  | {readonly by: 'link'}
  /** The answer carries a cursor, null at the end; `more`, where there is one, says whether pages follow. */
  | {readonly by: 'cursor'; readonly next: readonly string[]; readonly parameter: string; readonly more?: readonly string[]}
  /** The answer names its oldest and newest item; `more` says whether pages follow. */
  | {readonly by: 'bounds'; readonly oldest: readonly string[]; readonly newest: readonly string[]; readonly more: readonly string[]}
  /** Pages have numbers, from 1, and nothing says which is the last: the list ends after `maxEmpty` empty ones in a row. */
  | {readonly by: 'number'; readonly parameter: string; readonly maxEmpty: number};

export type Paging = NextPage & {
  /**
   * How many items a page has by default. After a full page that names a next one there are more items. Absent where servers
   * leave items out after they have counted them, so that the next page may be empty.
   */
  readonly pageSize?: number;
  /** Path into the answer to the count of the items on all pages. */
  readonly total?: readonly string[];
  /** A page without a new item ends the list. */
  readonly endsAtKnown?: true;
  /** Some rows are null and not items. These words say what one such row stands for, and what several do. */
  readonly nulls?: readonly [one: string, several: string];
  /** The first request makes servers fill a cache: an empty first page of the whole list is read once more. */
  readonly fillsLater?: boolean;
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
  /** Chapter of the reference; null for undocumented endpoints that real servers have. */
  readonly section: string | null;
  /** Its group of commands: that of `blocks` for `blocks list`. Absent where the command is in no group. */
  readonly topic?: Topic;
  /** Called by other commands; it has no command of its own. */
  readonly internal?: true;
  readonly method: Method;
  /** Template with `{name}` for each path field. */
  readonly path: string;
  /** The documented scope; null where none is documented. */
  readonly scope: string | null;
  readonly pathFields: Path;
  readonly query: Query;
  /** Parameters of the query that every request has, such as the order in which a list is read without gaps. */
  readonly always?: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The documented shape of a successful answer; built when it is first asked for. */
  readonly output: () => Output;
  /** What people see of the answer; absent: every field. */
  readonly view?: View;
  /** The body is sent as `multipart/form-data`; these of its fields are files. */
  readonly files?: readonly string[];
  /** Members with private data of people, at any depth of the answer. JSON has them; other output only has them when they are asked for. */
  readonly private?: readonly string[];
  /** Headers that servers need besides the common ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: OwnErrors;
  /** Servers have a separate rate limit for these requests; its headers say nothing about other requests. */
  readonly countedApart?: true;
  readonly anonymous?: true;
  /** Servers may fail to answer it although they know the answer: the client's option `standIn` finds that in another way. */
  readonly hasStandIn?: true;
  /** The path to the rows in the answer, or to the object that its view shows; `[]`: the answer itself. Absent: the answer is one object. */
  readonly rows?: readonly string[];
  /** The kind of the rows, or of the one object. */
  readonly items?: Kind;
  /** The list that has the objects that it acts on. */
  readonly actsOn?: Endpoint;
  /**
   * Where the answer has the id of its object, and the field that asked for that id. An answer about another object is refused;
   * one without an id is refused unless `mayBeMissing` is set.
   */
  readonly answersAbout?: {readonly field: string; readonly at: readonly string[]; readonly mayBeMissing?: true};
  readonly paging?: Paging;
  readonly repeat: Repeat;
  /** A read that tells whether the write was carried out: checked before it is sent again. */
  readonly seenBy?: Trace;
  /** The command that shows a person whether the write was carried out. */
  readonly lookWith?: (input: PlainInput) => SuggestedCommand;
  /** Whether an answer shows that the write was carried out. Absent: every answer of the documented shape does. */
  readonly proof?: (answer: unknown, input: PlainInput) => boolean;
  /** Whether an error with these words of the server proves that what is named is gone. Absent: no error proves it. */
  readonly isGoneAnswer?: (words: string, input: PlainInput) => boolean;
  /** Changes nothing on the server, although it is no GET. */
  readonly isRead?: true;
}

type Given<Part extends Fields> = z.input<z.ZodMiniObject<Part>>;
type NoFields = Readonly<Record<never, never>>;

/** The input of one endpoint. Body fields that its record does not have are sent as well. */
export interface Input<Record_ extends Endpoint> {
  readonly path?: Given<Record_['pathFields']>;
  readonly query?: Given<Record_['query']>;
  readonly body?: Given<Record_['body']> & Readonly<Record<string, unknown>>;
}

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

/** Makes a record. A GET can always be repeated; a write has to say so. */
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

export function isWrite({method, isRead}: Pick<Endpoint, 'isRead' | 'method'>): boolean {
  return method !== 'GET' && isRead !== true;
}

/** @throws Error where the record does not say of what kind its items are */
export function kindOfItems({name, items}: Pick<Endpoint, 'items' | 'name'>): Kind {
  if (items === undefined) throw new Error(`The record "${name}" does not say what its items are: \`items\` names a kind of object`);
  return items;
}
