/** Reads a list as a stream of pages, by Link header, cursor, ids or numbers, without going round in circles and without items that came before. */
import {createHash} from 'node:crypto';
import type {Endpoint, PlainInput} from '../api/endpoint.js';
import {isHeld, isMoving, pageParameters} from '../api/page-parameters.js';
import {at, identifierAt, rowsAt} from '../json/path.js';
import type {Answer} from './answer.js';
import type {Client} from './client.js';
import {requestFor, target, type Request} from './request.js';
import {Failure} from './failure.js';

/** How many pages in a row may at least bring nothing new, before a list counts as going round in circles. */
const minStalePages = 10;
/** Servers that filter after paging send many empty pages; after this many in a row the list fails. */
const maxEmptyPages = 1000;

export interface Page {
  readonly answer: Answer;
  /** The new items within the requested bounds, with every digit of their numbers. */
  readonly items: readonly unknown[];
  /** How many rows are null, because their items are gone. */
  readonly nulls: number;
  /** How many rows are items, known ones and those out of bounds, too. */
  readonly count: number;
  readonly hasNext: boolean;
}

export interface ListRequest {
  readonly request: Request;
  /** The record of the list. Without `paging`, the list is one page. */
  readonly endpoint: Pick<Endpoint, 'output' | 'paging' | 'query' | 'rows'>;
  readonly most?: number | undefined;
  /** Only items newer than this id, where the server takes no such bound. */
  readonly newerThan?: string | undefined;
  /** Ends the wait for a page; the list then fails with its reason, a Failure. */
  readonly signal?: AbortSignal | undefined;
}

/** A failed page after the first, with the cursor to resume from. */
export class PageFailure extends Failure {
  constructor(
    readonly failure: Failure,
    readonly cursor: string,
    readonly pages: number,
  ) {
    super(failure.code, failure.message, failure.details);
  }
}

/**
 * The request that resumes an interrupted list.
 * @throws Failure `usage` for an invalid cursor, or one of another list
 */
export function resumeAt(request: Request, cursor: string): Request {
  const hint = 'use the cursor that an interrupted list printed';
  const [, path, search = ''] = /^(\/[^?#\s]*)\?([^#\s]+)$/.exec(cursor) ?? [];
  const query = [...new URLSearchParams(search)];
  if (path === undefined || query.some(([name, value]) => name === '' || value === ''))
    throw new Failure('usage', 'The cursor is not valid', {hint});
  if (path !== request.path) throw new Failure('usage', `The cursor belongs to another list: ${path}`, {hint});
  return {...request, query};
}

const noList = ({method, path}: Request, host: string): Failure =>
  new Failure('bad_answer', `${host}: the response contains no list`, {method, path, reason: 'shape'});

/** How many rows are null, in lists where a null row stands for an item that is gone. */
const nullsIn = (rows: readonly unknown[], {paging}: ListRequest['endpoint']): number =>
  paging?.nulls === undefined ? 0 : rows.filter((row) => row === null).length;

/** How long servers take to fill a cache, in milliseconds. */
const fillTime = 1000;

/** The answer to the first request of a list, read once more where the server had yet to fill the list. */
async function firstAnswer(client: Client, {request, endpoint, signal}: ListRequest): Promise<Answer> {
  const {paging, rows = []} = endpoint;
  const ask = () => raceAbort(client.send(request, endpoint.output()), signal);
  const answer = await ask();
  const isWholeList = request.query.every(([name]) => name === pageParameters.size);
  if (paging?.fillsLater !== true || !isWholeList || rowsAt(answer.exact, rows)?.length !== 0) return answer;
  // A list with a next page has been filled: the items of its first page were left out.
  if (nextPosition(endpoint, answer, request, request) !== undefined) return answer;
  return (await raceAbort(client.wait(fillTime), signal)) ? ask() : answer;
}

/** How many empty pages to skip in search of one with items. */
const maxPassedOver = 10;

export interface FirstPage {
  readonly answer: Answer;
  /** How many items are in the answer; undefined where it has no list. */
  readonly count: number | undefined;
  /** How many pages without items came before. */
  readonly passedOver: number;
  /** How many rows are null, on skipped pages, too. */
  readonly nulls: number;
  /** Whether another page follows; `maybe`: it may be empty. */
  readonly more: 'maybe' | 'no' | 'yes';
  /** The number of items on all pages, as the server reports it. */
  readonly total: number | undefined;
}

/** How many items a full page has; infinite where pages of a list have no fixed size. */
function sizeOf({request, endpoint: {paging}}: ListRequest): number {
  if (paging?.pageSize === undefined) return Number.POSITIVE_INFINITY;
  const [, asked = paging.pageSize] = request.query.find(([name]) => name === pageParameters.size) ?? [];
  return Math.min(Number(asked), paging.pageSize);
}

/**
 * The first page of a list that has items, or the last one requested: servers that filter after paging send empty
 * pages before others.
 */
export async function firstPage(client: Client, list: ListRequest): Promise<FirstPage> {
  const {paging, rows} = list.endpoint;
  if (paging === undefined) {
    const answer = await client.send(list.request, list.endpoint.output());
    return {answer, count: rowsAt(answer.exact, rows ?? [])?.length, passedOver: 0, nulls: 0, more: 'no', total: undefined};
  }
  let [passedOver, nulls] = [0, 0];
  try {
    for await (const page of pagesOf(client, list)) {
      const {answer, count, hasNext} = page;
      nulls += page.nulls;
      if (count !== 0 || !hasNext || passedOver === maxPassedOver) {
        const {value: total} = at(answer.value, paging.total ?? []);
        const more = hasNext ? (count >= sizeOf(list) ? 'yes' : 'maybe') : 'no';
        return {answer, count, passedOver, nulls, more, total: typeof total === 'number' ? total : undefined};
      }
      passedOver += 1;
    }
  } catch (error) {
    throw error instanceof PageFailure ? error.failure : error;
  }
  throw new Error('A list has a first page');
}

/** A cursor is path and query of a page, safe inside single quotes. */
function cursorOf(position: PagePosition): string {
  return target(position).replaceAll("'", '%27');
}

/** Knows, while a list is read, which items are new and whether to go on. */
class Reading {
  readonly #list: ListRequest;
  readonly #host: string;
  readonly #bounds: ListBounds;
  readonly #items = new RecentKeys();
  readonly #positions = new RecentKeys();
  #given = 0;
  #pages = 0;
  #fresh = 0;
  /** How many pages since then had known items only, and how many had none. */
  #stale = 0;
  #empty = 0;
  /** How many pages since then had nothing but rows that are null. */
  #hollow = 0;
  #isPastBounds = false;

  constructor(list: ListRequest, host: string) {
    this.#list = list;
    this.#host = host;
    this.#bounds = new ListBounds(list.request, isPagedUpwards(list.endpoint, list.request), list.newerThan);
    this.#positions.add(target(list.request));
  }

  get pages(): number {
    return this.#pages;
  }

  /**
   * @returns the page, and the next one; or the failure that follows it, when the answer says that there is more and names no usable page
   * @throws Failure `bad_answer` when the answer has no list, or after too many empty pages
   */
  take(
    answer: Answer,
    asked: PagePosition,
  ): {readonly page: Omit<Page, 'hasNext'>; readonly next: PagePosition | undefined; readonly failure?: Failure | undefined} {
    const {request, endpoint, most = Number.POSITIVE_INFINITY} = this.#list;
    const {rows = []} = endpoint;
    const values = rowsAt(answer.exact, rows);
    if (values === undefined) throw noList(request, this.#host);
    const nulls = nullsIn(values, endpoint);
    let reachesBounds = false;
    const fresh = values.filter((value) => {
      if (value === null && nulls > 0) return false;
      const key = keyOf(value);
      const {isWithin, isBeyond} = this.#bounds.check(key);
      reachesBounds ||= isBeyond;
      return isWithin && this.#items.add(key);
    });
    const page = {answer, items: fresh.slice(0, most - this.#given), nulls, count: values.length - nulls};
    this.#count(values.length, nulls, page.items.length);
    // Numbered pages are in the order of time, so items of one second may be in any order of their ids, even across pages.
    this.#isPastBounds ||= reachesBounds;
    const isHollow = nulls > 0 && nulls === values.length;
    const isOver = this.#isPastBounds && (endpoint.paging?.by !== 'number' || (page.items.length === 0 && !isHollow));
    if (isOver || this.#given >= most) return {page, next: undefined};
    const next = nextPosition(endpoint, answer, asked, request, this.#empty);
    if (next !== undefined && this.#bounds.excludes(next)) return {page, next: undefined};
    const lost = next === undefined ? ', and does not say where' : this.#knownFrom(next);
    if (lost === undefined && this.#empty + this.#hollow >= maxEmptyPages)
      throw this.#badAnswer(`${maxEmptyPages} empty pages in a row, and more to follow`);
    return {
      page,
      next: lost === undefined ? next : undefined,
      ...(lost !== undefined &&
        saysMore(endpoint, answer, next) && {failure: this.#badAnswer(`the response says that there is more${lost}`)}),
    };
  }

  #count(found: number, nulls: number, fresh: number): void {
    this.#given += fresh;
    this.#pages += 1;
    if (fresh > 0) {
      this.#fresh += 1;
      this.#stale = 0;
      this.#empty = 0;
      this.#hollow = 0;
    } else if (found > nulls) {
      this.#stale += 1;
    } else if (found > 0) {
      this.#hollow += 1;
      this.#empty = 0;
    } else {
      this.#empty += 1;
    }
  }

  /** Why a position leads back to pages that were read, if it does. A list that grows meanwhile repeats at most as many pages as it had. */
  #knownFrom(next: PagePosition): string | undefined {
    if (!this.#positions.add(target(next))) return ', and names a page that was read already';
    const hasNews = this.#list.endpoint.paging?.endsAtKnown !== true || this.#fresh === 0 || this.#stale + this.#empty === 0;
    return hasNews && this.#stale <= Math.max(minStalePages, this.#fresh) ? undefined : ', and names pages that were read already';
  }

  #badAnswer(what: string): Failure {
    const {method, path} = this.#list.request;
    return new Failure('bad_answer', `${this.#host}: ${what}`, {method, path, reason: 'shape'});
  }
}

/** Settles like the promise, or fails with the signal's reason. */
export async function raceAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  // After an abort nobody looks at the result: its error must not end the process.
  promise.catch(() => {});
  signal.throwIfAborted();
  const {promise: aborted, reject} = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, {once: true});
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/**
 * The pages of a list, each requested when it is read, up to `most` items. Ends where the server says so,
 * and at a cycle of links, which servers make of the last page.
 * @throws PageFailure when a page after the first fails, or the answer names no page to go on with and says that there is one; Failure when the first fails
 */
export async function* pagesOf(client: Client, list: ListRequest): AsyncGenerator<Page, void, undefined> {
  const {request, endpoint, signal} = list;
  const schema = endpoint.output();
  const reading = new Reading(list, client.host);

  async function readPage(asked: PagePosition) {
    const {path, query} = asked;
    const read = () => raceAbort(client.send({...request, path, query}, schema), signal);
    return reading.take(await (reading.pages === 0 ? firstAnswer(client, list) : read()), asked);
  }

  let position: PagePosition | undefined = request;
  while (position !== undefined) {
    const asked: PagePosition = position;
    const {page, next, failure} = await readPage(asked).catch((error: unknown) => {
      if (reading.pages === 0 || !(error instanceof Failure)) throw error;
      throw new PageFailure(error, cursorOf(asked), reading.pages);
    });
    position = next;
    yield {...page, hasNext: next !== undefined};
    if (failure !== undefined) throw new PageFailure(failure, cursorOf(asked), reading.pages);
  }
}

/**
 * The items of all pages of a list, with every digit of their numbers.
 * @throws Failure when a page failed or is not a list; there are no partial results
 */
export async function everyItem(client: Client, list: Endpoint, input: PlainInput = {}): Promise<unknown[]> {
  const {paging, rows = [], path} = list;
  const request = requestFor(list, input);
  const items: unknown[] = [];
  if (paging !== undefined) {
    for await (const page of pagesOf(client, {request, endpoint: list})) for (const item of page.items) items.push(item);
    return items;
  }
  const {exact} = await client.send(request, list.output());
  const found = rowsAt(exact, rows);
  if (found === undefined) throw new Failure('bad_answer', `${client.host}: the response is not a list`, {path});
  return [...found];
}

/** How many keys are remembered, and as many before them at most, to bound memory. */
const remembered = 10_000;

/** The key of an item: its id, or else its text. */
export const keyOf = (item: unknown): string => (typeof item === 'string' ? item : (identifierAt(item, ['id']) ?? JSON.stringify(item)));

/** Keys with more characters are remembered by their digest. */
const maxKeyLength = 200;

/** The last keys of items or pages, to find repetitions. */
export class RecentKeys {
  #newer = new Set<string>();
  #older: ReadonlySet<string> = new Set();

  /** Adds a key. @returns whether it was new */
  add(text: string): boolean {
    const key = text.length > maxKeyLength ? createHash('sha256').update(text).digest('base64') : text;
    if (this.#newer.has(key) || this.#older.has(key)) return false;
    if (this.#newer.size >= remembered) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    this.#newer.add(key);
    return true;
  }
}

type PagedList = Pick<Endpoint, 'paging' | 'query'>;

export type PagePosition = Pick<Request, 'path' | 'query'>;
type PageQuery = PagePosition['query'];

const someServer = 'https://server.invalid';

/** Links may number the items of a list: `types[0]` means `types[]`. */
function plainName(name: string): string {
  return name.replace(/\[\d+\]$/, '[]');
}

const parameter = /;\s*([^\s=;,]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]*))/g;
const link = new RegExp(`<([^<>]*)>((?:\\s*${parameter.source})*)`, 'g');

function relationsIn(parameters: string): string[] {
  const [, , quoted, bare = ''] = [...parameters.matchAll(parameter)].find(([, name]) => name?.toLowerCase() === 'rel') ?? [];
  return (quoted ?? bare).toLowerCase().split(/\s+/);
}

/** Whether a cursor leads to earlier or to later pages; undefined where it does not say. */
function directionOf(cursor: string | null): 'back' | 'forward' | undefined {
  try {
    const {present, value} = at(JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString()), ['_pointsToNextItems']);
    return present && typeof value === 'boolean' ? (value ? 'forward' : 'back') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The next page in a `Link` header. In lists of followers servers call it `prev`, so what the cursor says counts more than the name. Only
 * path and query of a link are used.
 */
function linkedPosition(header: string, asked: PagePosition): PagePosition | undefined {
  for (const [, address = '', parameters = ''] of header.matchAll(link)) {
    const relations = relationsIn(parameters);
    const url = ['next', 'prev'].some((one) => relations.includes(one)) ? URL.parse(address.trim(), someServer + asked.path) : null;
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    const direction = directionOf(url.searchParams.get('cursor')) ?? (relations.includes('next') ? 'forward' : 'back');
    if (direction === 'forward') return {path: url.pathname, query: [...url.searchParams]};
  }
  return undefined;
}

/** The page that a link names, with the parameters of the list that the link leaves out. */
function mergePosition(linked: PagePosition, asked: PagePosition, first: PagePosition, {query}: PagedList): PagePosition {
  const bounds = first.query.filter(([name]) => isHeld(plainName(name), query));
  const fixed = new Set(bounds.map(([name]) => plainName(name)));
  const given = linked.query.filter(([name]) => !fixed.has(plainName(name)));
  const known = new Set([...fixed, ...given.map(([name]) => plainName(name))]);
  const others = asked.query.filter(([name]) => !known.has(plainName(name)) && !isMoving(plainName(name)));
  return {path: linked.path, query: [...bounds, ...others, ...given]};
}

function movePosition({path, query}: PagePosition, name: string, value: string): PagePosition {
  return {path, query: [...query.filter(([other]) => other !== name), [name, value]]};
}

function pageAfter(asked: PagePosition, parameter: string): PagePosition {
  const number = numberIn(asked.query.find(([name]) => name === parameter)?.[1]) ?? 1n;
  return movePosition(asked, parameter, String(number + 1n));
}

/**
 * An identifier as text: numbers may be larger than JavaScript can represent.
 * @throws Failure `bad_answer` for an identifier that no request can carry
 */
function identifier({exact}: Answer, path: readonly string[]): string | undefined {
  const said = identifierAt(exact, path);
  if (said === undefined || said === '') return undefined;
  if (!said.isWellFormed()) throw new Failure('bad_answer', `The response cannot be used: ${path.join('.')} is not valid text`);
  return said;
}

/** Whether the pages go from older items to newer ones. They do where a lower bound is given: servers prefer it to an upper one. */
export function isPagedUpwards({paging}: PagedList, {query}: PagePosition): boolean {
  return paging?.by === 'bounds' && query.some(([name]) => name === pageParameters.from);
}

/**
 * The page after this answer; undefined at the end.
 * @param asked the page of this answer
 * @param first the first page, with the parameters that hold for the whole list
 * @param empty how many pages in a row had no items, this one included
 * @throws Failure `bad_answer` when the answer names a next page that cannot be asked for
 */
export function nextPosition(
  list: PagedList,
  answer: Answer,
  asked: PagePosition,
  first: PagePosition,
  empty = 0,
): PagePosition | undefined {
  const {paging} = list;
  if (paging === undefined) return undefined;
  if (paging.by === 'number') return empty < paging.maxEmpty ? pageAfter(asked, paging.parameter) : undefined;
  if (paging.by === 'link') {
    const linked = linkedPosition(answer.headers['link'] ?? '', asked);
    return linked && mergePosition(linked, asked, first, list);
  }
  if (paging.more !== undefined && at(answer.value, paging.more).value === false) return undefined;
  const isUp = isPagedUpwards(list, first);
  const path = paging.by === 'cursor' ? paging.next : isUp ? paging.newest : paging.oldest;
  const name = paging.by === 'cursor' ? paging.parameter : isUp ? pageParameters.from : pageParameters.before;
  const mark = identifier(answer, path);
  return mark === undefined ? undefined : movePosition(asked, name, mark);
}

/**
 * Whether an answer says that more items follow. A list that then names no usable page is broken, and not at its end. A link does not say
 * so, because the last page may link to itself, and neither do lists that are known to repeat themselves.
 * @param next the position that the answer names
 */
export function saysMore({paging}: PagedList, {value}: Answer, next: PagePosition | undefined): boolean {
  if (paging === undefined || paging.endsAtKnown === true || (paging.by !== 'bounds' && paging.by !== 'cursor')) return false;
  return paging.more === undefined ? next !== undefined : at(value, paging.more).value === true;
}

function numberIn(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d+$/.test(text) ? BigInt(text) : undefined;
}

function bounds(query: PageQuery, ...names: readonly string[]): bigint[] {
  return query.flatMap(([name, value]) => (names.includes(name) ? (numberIn(value) ?? []) : []));
}

function greatest(numbers: readonly bigint[]): bigint | undefined {
  return numbers.reduce<bigint | undefined>((most, number) => (most === undefined || number > most ? number : most), undefined);
}

const within = {isWithin: true, isBeyond: false} as const;

/** The requested bounds of a list. Servers apply one bound at a time, so both are applied here. */
export class ListBounds {
  readonly #above: bigint | undefined;
  readonly #below: bigint | undefined;
  readonly #isUp: boolean;

  /**
   * @param isUp whether the pages go from the oldest item to the newest
   * @param newerThan a further lower bound, which is not sent
   */
  constructor({query}: PagePosition, isUp: boolean, newerThan?: string) {
    const above = [...query, ...(newerThan === undefined ? [] : [[pageParameters.since, newerThan] as const])];
    this.#above = greatest(bounds(above, pageParameters.from, pageParameters.since));
    [this.#below] = bounds(query, pageParameters.before);
    this.#isUp = isUp;
  }

  /** Whether an item is within the bounds, and whether all later items are beyond them. */
  check(key: string): {readonly isWithin: boolean; readonly isBeyond: boolean} {
    if (this.#above === undefined && this.#below === undefined) return within;
    const id = numberIn(key);
    const isTooLow = id !== undefined && this.#above !== undefined && id <= this.#above;
    const isTooHigh = id !== undefined && this.#below !== undefined && id >= this.#below;
    return {isWithin: !isTooLow && !isTooHigh, isBeyond: this.#isUp ? isTooHigh : isTooLow};
  }

  /** Whether a page begins beyond the bounds. */
  excludes({query}: PagePosition): boolean {
    const [above, below] = [this.#above, this.#below];
    if (this.#isUp) return below !== undefined && bounds(query, pageParameters.from).some((from) => from + 1n >= below);
    return above !== undefined && bounds(query, pageParameters.before).some((from) => from - 1n <= above);
  }
}
