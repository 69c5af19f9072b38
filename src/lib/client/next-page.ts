/** Where the next page of a list is: each kind of list says it in its own way. */
import type {Paging} from '../api/endpoint.js';
import {at, identifierAt} from '../json/path.js';
import type {Answer} from './answer.js';
import type {Request} from './request.js';

/** Where a page is on its server. */
export type PagePlace = Pick<Request, 'path' | 'query'>;
export type PageQuery = PagePlace['query'];

/** What was asked of the whole list; a server that says otherwise on the next page is told again. */
const boundNames = new Set(['limit', 'min_id', 'since_id', 'types[]']);

/** What leads from page to page; of the last page it is worth nothing on the next. */
const movingNames = new Set(['cursor', 'max_id', 'page']);

const someServer = 'https://server.invalid';

/** `types[0]` is the same list as `types[]`. */
function plainName(name: string): string {
  return name.replace(/\[\d+\]$/, '[]');
}

const parameter = /;\s*([^\s=;,]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]*))/g;
const link = new RegExp(`<([^>]*)>((?:\\s*${parameter.source})*)`, 'g');

function relationsIn(parameters: string): string[] {
  const [, , quoted, bare = ''] = [...parameters.matchAll(parameter)].find(([, name]) => name?.toLowerCase() === 'rel') ?? [];
  return (quoted ?? bare).toLowerCase().split(/\s+/);
}

/** The `next` of a `Link` header: its path and query count, whatever server it names. */
function linkedPlace(header: string, asked: PagePlace): PagePlace | undefined {
  for (const [, address = '', parameters = ''] of header.matchAll(link)) {
    const url = relationsIn(parameters).includes('next') ? URL.parse(address.trim(), someServer + asked.path) : null;
    if (url !== null && /^https?:$/.test(url.protocol)) return {path: url.pathname, query: [...url.searchParams]};
  }
  return undefined;
}

/** The place that a link names, with what else was asked for. */
function merged(linked: PagePlace, asked: PagePlace, first: PagePlace): PagePlace {
  const bounds = first.query.filter(([name]) => boundNames.has(plainName(name)));
  const fixed = new Set(bounds.map(([name]) => plainName(name)));
  const given = linked.query.filter(([name]) => !fixed.has(plainName(name)));
  const known = new Set([...fixed, ...movingNames, ...given.map(([name]) => plainName(name))]);
  const kept = asked.query.filter(([name]) => !known.has(plainName(name)));
  return {path: linked.path, query: [...bounds, ...kept, ...given]};
}

function moved({path, query}: PagePlace, name: string, value: string): PagePlace {
  return {path, query: [...query.filter(([other]) => other !== name), [name, value]]};
}

/** Identifiers can be numbers that JavaScript does not hold; their text does. */
function identifier({value, text}: Answer, path: readonly string[]): string | undefined {
  const found = at(value, path).value;
  const said = typeof found === 'number' ? identifierAt(text, path) : found;
  return typeof said === 'string' && said !== '' ? said : undefined;
}

/** Whether the pages of a list go up, from a lower bound: servers let `min_id` win when both are given. */
export function goesUp(paging: Paging, {query}: PagePlace): boolean {
  return paging.by === 'bounds' && query.some(([name]) => name === 'min_id');
}

/**
 * The place of the page after this answer; undefined at the end.
 * @param asked where the answer came from
 * @param first where the list began, with the bounds that hold for all of it
 */
export function nextPlace(paging: Paging, answer: Answer, asked: PagePlace, first: PagePlace): PagePlace | undefined {
  if (paging.by === 'link') {
    const linked = linkedPlace(answer.headers['link'] ?? '', asked);
    return linked && merged(linked, asked, first);
  }
  if (paging.more !== undefined && at(answer.value, paging.more).value === false) return undefined;
  const isUp = goesUp(paging, first);
  const path = paging.by === 'cursor' ? paging.next : isUp ? paging.newest : paging.oldest;
  const name = paging.by === 'cursor' ? paging.parameter : isUp ? 'min_id' : 'max_id';
  const mark = identifier(answer, path);
  return mark === undefined ? undefined : moved(asked, name, mark);
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

/** The ids between which items of a list were asked for. Servers take one bound at a time, so they are kept here as well. */
export class ListBounds {
  readonly #above: bigint | undefined;
  readonly #below: bigint | undefined;
  readonly #isUp: boolean;

  /** @param isUp whether the pages go from the oldest item to the newest */
  constructor({query}: PagePlace, isUp: boolean) {
    this.#above = greatest(bounds(query, 'min_id', 'since_id'));
    [this.#below] = bounds(query, 'max_id');
    this.#isUp = isUp;
  }

  /** Whether an item was asked for, and whether those after it cannot have been. */
  place(key: string): {readonly isWithin: boolean; readonly isBeyond: boolean} {
    if (this.#above === undefined && this.#below === undefined) return within;
    const id = numberIn(key);
    const isTooLow = id !== undefined && this.#above !== undefined && id <= this.#above;
    const isTooHigh = id !== undefined && this.#below !== undefined && id >= this.#below;
    return {isWithin: !isTooLow && !isTooHigh, isBeyond: this.#isUp ? isTooHigh : isTooLow};
  }

  /** Whether a page can have nothing that was asked for, by where it begins. */
  excludes({query}: PagePlace): boolean {
    if (this.#isUp) return this.#below !== undefined && bounds(query, 'min_id').some((from) => from + 1n >= (this.#below ?? from));
    return this.#above !== undefined && bounds(query, 'max_id').some((from) => from - 1n <= (this.#above ?? from));
  }
}
