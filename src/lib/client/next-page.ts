/** Finds the next page of a list: by Link header, cursor or ids. */
import type {Endpoint} from '../api/endpoint.js';
import {isHeld, isMoving, pageParameters} from '../api/page-parameters.js';
import {at, identifierAt} from '../json/path.js';
import type {Answer} from './answer.js';
import {Failure} from './failure.js';
import type {Request} from './request.js';

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
