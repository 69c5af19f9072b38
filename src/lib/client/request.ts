/** Makes a request from the record of an endpoint and its input. */
import * as z from 'zod/mini';
import {
  isWrite,
  type SuggestedCommand,
  type Endpoint,
  type Fields,
  type Method,
  type OwnErrors,
  type PlainInput,
  type Repeat,
} from '../api/endpoint.js';
import {factsOf, namedKind, type FieldFacts, oncePer} from '../api/schema.js';
import {sourceText} from '../json/exact.js';
import {identifierAt} from '../json/path.js';
import {shorten} from '../json/text.js';
import {Failure} from './failure.js';
import {issueWords} from './mismatch.js';

/** A field value of `multipart/form-data` that is streamed from a file. */
export interface FileField {
  readonly file: string;
}

export type RequestBody = {readonly json: unknown} | {readonly multipart: readonly (readonly [name: string, value: FileField | string])[]};

/** The object that an answer has to be about: the path to its id in the answer, and the id. */
export interface ExpectedAbout {
  readonly at: readonly string[];
  readonly is: string;
  /** Whether an answer may leave the object out. */
  readonly mayBeMissing?: true | undefined;
  /** Converts what the answer says before it is compared. Default: no conversion. */
  readonly form?: (said: string) => string;
}

export interface Request {
  readonly method: Method | (string & {});
  /** Encoded, without the query. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** `never`: sent without a token even if there is one. */
  readonly token: 'never' | 'optional' | 'required';
  readonly repeat: Repeat;
  /** Whether the request changes something on the server: not every POST does. */
  readonly isWrite: boolean;
  readonly scope?: string | undefined;
  /** The kind of object that the request names, such as `filter`; undefined where it names none, or several kinds. */
  readonly kind?: string | undefined;
  /** A command that shows people whether the request was carried out. */
  readonly lookWith?: SuggestedCommand | undefined;
  /** What the record says about errors, and the path fields, which hints may name. */
  readonly errors?: {readonly own: OwnErrors; readonly path: PlainInput['path']} | undefined;
  /** Whether a response without a body is a success. */
  readonly mayBeEmpty?: true;
  /** What to do where the answer is no list, though the user asked for one. */
  readonly hintWithoutList?: string | undefined;
  /** Set where the server counts these requests apart, so that their rate limit headers say nothing about others. */
  readonly countedApart?: true;
  /** Whether the client's `standIn` may find the answer where the server fails. */
  readonly hasStandIn?: true;
  /** Whether a 429 is a failure at once, instead of a reason to wait. */
  readonly neverWaits?: true;
  readonly proof?: ((answer: unknown) => boolean) | undefined;
  readonly isGone?: ((words: string) => boolean) | undefined;
  /** Set where no object can be missing, because the request asks for a list or for settings. */
  readonly namesNothing?: true;
  /** The objects that the answer has to be about. An answer about anything else is refused. */
  readonly about?: readonly ExpectedAbout[];
  /** Texts that must not be shown. */
  readonly secrets: readonly string[];
}

/** Whether a text is one path segment that URL parsers leave unchanged: `..` is not. Neither is `-`, which stands for standard input. */
function isSegment(text: string): boolean {
  return /^[^\p{Cc}\p{Cs}\s]+$/u.test(text) && !['-', '.', '..'].includes(text);
}

/** Servers read `0142` as 142, so one object would be two targets. */
const hasLeadingZeros = (text: string): boolean => /^0\d+$/.test(text);

/**
 * Whether a text can be an id: one word without commas, and one segment of a path. A number has no leading zeros.
 * @param isId as the field declares it: `digits` where a server would read only the digits that a text begins with
 */
export function isIdentifier(text: string, isId: FieldFacts['isId'] = true): boolean {
  if (hasLeadingZeros(text)) return false;
  return isId === 'digits' ? /^\d+$/.test(text) : isSegment(text) && !text.includes(',');
}

/**
 * The id at a path in an answer or an item, with every digit; undefined where there is none that a request can carry. Ids of answers that
 * are sent are read with this, because {@link requestFor} would blame the user for a bad one.
 */
export function usableIdAt(exact: unknown, path: readonly string[], isId?: FieldFacts['isId']): string | undefined {
  const id = identifierAt(exact, path);
  return id !== undefined && isIdentifier(id, isId) ? id : undefined;
}

export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

export function isAccountName(text: string): boolean {
  return isAddress(text) || text.includes('@');
}

/** In a dry run, stands for an id that only the server knows. */
export function placeholder(what: string): string {
  return `<id of ${what}>`;
}

export function shownPath(path: string): string {
  return path.replaceAll(/%3Cid%20of%20[^/]*?%3E/g, decodePercent);
}

/** @returns the text as it is where it cannot be decoded */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Messages show at most this many characters of a text. */
const shownLength = 60;

/** @throws Failure `usage` for a value that cannot be an id, and for a name where no account is meant */
function refuseNoIdentifier(value: unknown, isId: FieldFacts['isId'], mayBeName: boolean): void {
  const text = sourceText(value) ?? String(value);
  if (/^<id of [^]*>$/.test(text)) return;
  const isName = !mayBeName && isAccountName(text);
  if (isIdentifier(text, isId) && !isName) return;
  if (text === '') throw new Failure('usage', 'An id cannot be empty', {hint: 'use an id that a list command prints'});
  const usual = hasLeadingZeros(text) ? 'ids have no leading zeros' : 'use an id that a list command prints';
  const advice = text.includes(',') ? 'separate ids with spaces' : usual;
  throw new Failure('usage', `"${shorten(text, shownLength)}" is not an id`, {
    hint: isName ? `names are only for accounts; ${advice}` : advice,
  });
}

/**
 * The path of a request, in which each field is one encoded segment. {@link checkValues} checks the ids.
 * @throws Failure `usage` for a field that is missing, or would be another path
 */
function pathOf({path, pathFields}: Endpoint, given: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema = pathFields[name];
    const text = String(given[name] ?? '');
    if ((schema && factsOf(schema)?.isId) !== undefined || isSegment(text)) return encodeURIComponent(text);
    const what = text.trim() === '' ? 'empty' : JSON.stringify(shorten(text, shownLength));
    throw new Failure('usage', `${name.replaceAll('_', ' ')} cannot be ${what}`, {
      hint: 'it becomes a part of a path: use one word',
    });
  });
}

/** @throws Failure `usage` for a field that must be an id and is not, or that has known values and is empty, as after an unset variable */
function checkValues(fields: Fields, given: Readonly<Record<string, unknown>>, body: Readonly<Record<string, unknown>>): void {
  for (const [name, schema] of Object.entries(fields)) {
    const facts = factsOf(schema);
    const {isId, known} = facts ?? {};
    if (given[name] === undefined) continue;
    for (const value of [given[name]].flat()) {
      // An account may still go by its name here: it is looked up later.
      if (isId !== undefined) refuseNoIdentifier(value, isId, namedKind(facts, body) !== undefined);
      if (known !== undefined && String(value).trim() === '')
        throw new Failure('usage', `${name.replaceAll('_', ' ')} cannot be empty`, {hint: `known values: ${known.join(', ')}`});
    }
  }
}

/** Schemas are cached: building one costs more than the rest of a small request. */
const schemaOf = oncePer((fields: Fields) => z.looseObject(fields));

/** Numbers that are held as text are checked as numbers. */
function check(part: string, fields: Fields, given: Readonly<Record<string, unknown>>): void {
  if (Object.keys(fields).length === 0) return;
  const isAllText = Object.values(given).every((value) => typeof value === 'string');
  const plain: unknown = isAllText ? given : JSON.parse(JSON.stringify(given));
  const result = z.safeParse(schemaOf(fields), plain);
  if (result.success) return;
  const wrong = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issueWords(issue, plain)}`);
  throw new Failure('usage', `Invalid ${part}: ${wrong.join('; ')}`);
}

function queryText(name: string, value: unknown): string {
  const isPlain = typeof value !== 'object' || value === null;
  const text = value === true ? '1' : value === false ? '0' : isPlain ? String(value) : JSON.stringify(value);
  if (!text.isWellFormed()) throw new Failure('usage', `${name} is not valid text`);
  return text;
}

/** Lists become `name[]`, as servers expect in queries and forms. */
export function queryPairs(query: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value.map((item) => [`${name}[]`, queryText(name, item)]) : [[name, queryText(name, value)]];
  });
}

function withSecondNames(fields: Fields, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const full: Record<string, unknown> = {...body};
  for (const [name, schema] of Object.entries(fields)) {
    const second = factsOf(schema)?.alsoAs;
    if (second !== undefined && name in body && !(second in body)) full[second] = body[name];
  }
  return full;
}

function secretsIn(fields: Fields, body: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, schema]) => {
    const value = body[name];
    return factsOf(schema)?.secret === true && typeof value === 'string' ? [value] : [];
  });
}

function encodeBody(endpoint: Endpoint, body: Readonly<Record<string, unknown>>): RequestBody {
  const files = endpoint.files;
  if (files === undefined) return {json: withSecondNames(endpoint.body, body)};
  return {
    multipart: Object.entries(body).flatMap(([name, value]): (readonly [string, FileField | string])[] =>
      files.includes(name) ? [[name, {file: String(value)}]] : queryPairs({[name]: value}),
    ),
  };
}

function kindIn({actsOn, pathFields, query, body}: Endpoint): string | undefined {
  const kindsOf = (fields: Fields) =>
    Object.values(fields).flatMap((schema) => {
      const known = factsOf(schema);
      return known?.of?.one ?? (known?.names === 'conversation' ? known.names : []);
    });
  // Ids in the path come first: where an object that a body names is missing, servers refuse the request in words.
  const inPath = kindsOf(pathFields);
  const all = new Set(inPath.length > 0 ? inPath : [...kindsOf(query), ...kindsOf(body)]);
  const [only] = all.size === 1 ? all : [];
  return actsOn?.items?.one ?? only;
}

function aboutIn({answersAbout}: Endpoint, {path, query, body}: PlainInput): ExpectedAbout[] {
  if (answersAbout === undefined) return [];
  const {field, at, mayBeMissing} = answersAbout;
  const asked = path?.[field] ?? query?.[field] ?? body?.[field];
  return asked === undefined ? [] : [{at, is: String(asked), mayBeMissing}];
}

/**
 * The request of an endpoint.
 * @param about what its answer has to be about, besides what its record says
 * @throws Failure `usage` when the input does not match the record
 */
export function requestFor(endpoint: Endpoint, input: PlainInput, about: readonly ExpectedAbout[] = []): Request {
  const {path = {}, query = {}, body = {}} = input;
  check('path', endpoint.pathFields, path);
  check('query', endpoint.query, query);
  check('body', endpoint.body, body);
  checkValues(endpoint.pathFields, path, body);
  checkValues(endpoint.query, query, body);
  checkValues(endpoint.body, body, body);
  const hasBody = Object.keys(body).length > 0;
  const expected = [...aboutIn(endpoint, input), ...about];
  return {
    method: endpoint.method,
    path: pathOf(endpoint, path),
    query: queryPairs({...endpoint.always, ...query}),
    headers: {...endpoint.headers},
    ...(hasBody && {body: encodeBody(endpoint, body)}),
    token: endpoint.anonymous === true ? 'never' : 'required',
    repeat: endpoint.repeat,
    isWrite: isWrite(endpoint),
    ...(endpoint.countedApart && {countedApart: true}),
    ...(endpoint.hasStandIn && {hasStandIn: true}),
    ...(namesNothing(endpoint, query) && {namesNothing: true}),
    ...(endpoint.errors && {errors: {own: endpoint.errors, path}}),
    ...(endpoint.scope !== null && {scope: endpoint.scope}),
    kind: kindIn(endpoint),
    ...(endpoint.lookWith !== undefined && {lookWith: endpoint.lookWith(input)}),
    ...(expected.length > 0 && {about: expected}),
    ...(endpoint.proof !== undefined && {proof: (answer) => endpoint.proof?.(answer, input) === true}),
    ...(endpoint.isGoneAnswer !== undefined && {isGone: (words) => endpoint.isGoneAnswer?.(words, input) === true}),
    secrets: secretsIn(endpoint.body, body),
  };
}

/** Makes a request whose answer may leave out what it is about, for commands that only show the answer. */
export function onlyShown(request: Request): Request {
  const about = request.about?.map((one) => ({...one, mayBeMissing: true as const}));
  return {...request, ...(about && {about})};
}

/** Whether a read names no object, because it asks for a list or settings that every account has. */
function namesNothing({method, pathFields, query}: Endpoint, given: Readonly<Record<string, unknown>>): boolean {
  const isObject = (name: string) => {
    const schema = query[name];
    const facts = schema && factsOf(schema);
    return facts?.isId !== undefined || namedKind(facts) !== undefined;
  };
  return method === 'GET' && Object.keys(pathFields).length === 0 && !Object.keys(given).some(isObject);
}

export function target(request: Pick<Request, 'path' | 'query'>): string {
  const query = request.query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return query === '' ? request.path : `${request.path}?${query}`;
}
