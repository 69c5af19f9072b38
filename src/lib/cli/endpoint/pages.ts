/** The pages of lists: which ones flags ask for, how they are read, and what is said of them. */
import {type AccountInUse} from '../account-in-use.js';
import type {Endpoint} from '../../api/endpoint.js';
import {pageParameters} from '../../api/page-parameters.js';
import {factsOf} from '../../api/schema.js';
import type {Answer} from '../../client/answer.js';
import type {Client} from '../../client/client.js';
import {asFailure, Failure, isInterruption} from '../../client/failure.js';
import {firstPage, PageFailure, pagesOf, resumed, unlessAborted, type FirstPage} from '../../client/paging.js';
import type {Request} from '../../client/request.js';
import type {Selection} from '../../operations/selection.js';
import {singleQuoted} from '../../files/shell-word.js';
import {at} from '../../json/path.js';
import {isItem, itemsOf} from '../../json/slices.js';
import {counted} from '../../json/text.js';
import type {Connection} from '../connection.js';
import {hintFor} from '../errors.js';
import {plainFlag} from './fields.js';
import {defaultInterval, type followFlags, type GivenFlags, type pagingFlags} from '../flags.js';
import type {Member} from '../accounts.js';
import type {Session} from '../session.js';

export interface PagingChoice {
  /** The largest number of items. */
  readonly most: number | undefined;
  /** The first cursor. */
  readonly from: string | undefined;
}

type ListFlags = GivenFlags<typeof followFlags & typeof pagingFlags> & Readonly<Record<string, unknown>>;

/** Undefined for a single page. */
export function pagingChoice({all, max, 'resume-from': from}: GivenFlags<typeof pagingFlags>): PagingChoice | undefined {
  return all || max !== undefined || from !== undefined ? {most: max, from} : undefined;
}

/** All pages, unless something else is chosen. */
export const everyPage: PagingChoice = {most: undefined, from: undefined};

/** What `--follow` and `--since-file` ask for. */
export interface Following {
  /** Ends when what is new was printed. */
  readonly isOnce: boolean;
  /** Seconds. */
  readonly interval: number;
  /** The file that remembers the id of the last printed item. */
  readonly sinceFile: string | undefined;
  /** The largest number of items. */
  readonly most: number;
}

/** Flags that cannot be combined with --follow or --since-file. */
const notFollowed = ['all', 'page', 'resume-from', ...[pageParameters.before, pageParameters.since].map(plainFlag)];

/**
 * @returns undefined without `--follow` and `--since-file`
 * @throws Failure `usage` for flags that cannot be combined
 */
export function followingChoice(flags: ListFlags, {traits}: Session): Following | undefined {
  const {follow, interval, max = Number.POSITIVE_INFINITY, 'since-file': sinceFile} = flags;
  if (!follow && interval !== undefined) throw new Failure('usage', '--interval is for --follow');
  if (!follow && sinceFile === undefined) return undefined;
  const other = notFollowed.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw new Failure('usage', `--${follow ? 'follow' : 'since-file'} and --${other} cannot be used together`);
  if (follow && traits.isOneDocument) {
    throw new Failure('usage', '--follow cannot print one JSON document: the list has no end', {
      hint: 'use --output ndjson, which prints one item a line',
    });
  }
  return {isOnce: !follow, interval: interval ?? defaultInterval, sinceFile, most: max};
}

/** The parameters by which the user asked for a part of a list. */
function partsAsked({query}: Request, {query: fields}: Endpoint): string[] {
  return query.flatMap(([name]) => (fields[name] !== undefined && factsOf(fields[name])?.part === true ? name : []));
}

/** Says that there is more; undefined where a part was asked for. Whoever chose the size of the page is told where it is certain. */
function moreNote({count = 0, passedOver, more, total}: FirstPage, request: Request, endpoint: Endpoint): string | undefined {
  const asked = partsAsked(request, endpoint);
  const isSized = asked.includes(pageParameters.size);
  if (more === 'no' || asked.some((name) => name !== pageParameters.size) || (isSized && more === 'maybe')) return undefined;
  const shown = count > 0 ? `Showing ${count}${total === undefined ? '' : ` of ${total}`}` : `The first ${passedOver + 1} pages are empty`;
  if (count > 0 && total !== undefined) return `${shown}.`;
  return `${shown}; there ${more === 'yes' ? 'are' : 'may be'} more.`;
}

/** Says that rows are null; undefined where none are. */
export function nullsNote(count: number, {paging}: Endpoint): string | undefined {
  const [one, several] = paging?.nulls ?? [];
  return count === 0 || one === undefined ? undefined : `Passed over ${counted(count, one, several)}.`;
}

/**
 * A failed page with the advice how to go on; any other failure as it is.
 * @param profile to go on with, where the command uses several
 */
export function interruptedPage(error: Failure, inUse: AccountInUse, profile?: string): Failure {
  if (!(error instanceof PageFailure)) return error;
  const {failure, cursor, pages} = error;
  const on = profile === undefined ? '' : `--profile=${profile} `;
  const advice = [
    (isInterruption(failure) ? undefined : hintFor(failure, inUse)) ?? [],
    `continue with ${on}--resume-from ${singleQuoted(cursor)}`,
  ].flat();
  return failure.saying(`, after ${counted(pages, 'page')}`, {hint: advice.join('; then ')});
}

/** A page that is printed as its items. */
export interface ItemsPage {
  readonly answer: Answer;
  /** As JSON; made when they are read. */
  readonly items: readonly string[];
  /** Rows that are null. */
  readonly nulls: number;
}

/** A list, and how much of it is read. */
export interface ListSource {
  readonly endpoint: Endpoint;
  /** The request of its first page, as an account sends it. */
  readonly requestOf: (connection: Connection) => Promise<Request>;
  /** Undefined: the first page that has items. */
  readonly paging: PagingChoice | undefined;
  /** Chooses items from what was read; all pages are read then. */
  readonly selection?: (() => Selection) | undefined;
}

export async function firstPageOf(client: Client, connection: Connection, {endpoint, requestOf}: ListSource, signal?: AbortSignal) {
  const request = await requestOf(connection);
  const page = await unlessAborted(firstPage(client, {request, endpoint}), signal);
  return {...page, note: moreNote(page, request, endpoint)};
}

/** The list of one account while it is read as items. */
export class OpenList implements AsyncDisposable {
  readonly member: Member;
  readonly #source: ListSource;
  readonly #signal: AbortSignal;
  readonly #client: Client;
  #hasMore = false;
  #note: string | undefined;
  #printed = 0;
  #nulls = 0;
  #remark: string | undefined;
  #total: unknown;

  constructor(member: Member, source: ListSource, signal: AbortSignal) {
    this.member = member;
    this.#source = source;
    this.#signal = signal;
    this.#client = member.connection.newClient({signal});
  }

  /** Whether pages may follow that were not asked for. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** What there is to say of the list when it is printed. */
  get note(): string | undefined {
    const {paging} = this.#source;
    if (paging === undefined || paging.from !== undefined || typeof this.#total !== 'number') return this.#note;
    const isShort = this.#printed < Math.min(this.#total, paging.most ?? this.#total);
    return isShort ? `Showing ${this.#printed} of ${this.#total}; ${this.#client.host} does not list the others` : undefined;
  }

  /** What there is to say of what was left out: rows that are null, and items of which it is not known whether they are meant. */
  get omissions(): readonly string[] {
    return [nullsNote(this.#nulls, this.#source.endpoint), this.#remark].filter((text) => text !== undefined);
  }

  /** Page by page, each requested when it is read. @returns how it failed */
  async *pages(): AsyncGenerator<ItemsPage, Failure | undefined, undefined> {
    const {connection, unusable} = this.member;
    if (unusable !== undefined) return unusable;
    const {endpoint, paging, requestOf, selection} = this.#source;
    try {
      if (paging === undefined) return yield* this.#firstPage();
      const first = await requestOf(connection);
      const request = paging.from === undefined ? first : resumed(first, paging.from);
      const list = {request, endpoint, signal: this.#signal};
      if (selection === undefined) yield* pagesOf(this.#client, {...list, most: paging.most});
      else yield* this.#selected(pagesOf(this.#client, list), selection(), paging.most);
      return undefined;
    } catch (error) {
      return asFailure(error);
    }
  }

  async *#selected(pages: AsyncIterable<ItemsPage>, selection: Selection, most = Number.POSITIVE_INFINITY): AsyncGenerator<ItemsPage> {
    let left = most;
    for await (const {answer, items, nulls} of pages) {
      const values = items.map((text): unknown => JSON.parse(text));
      const kept = items.filter((_, index) => selection.keeps(values[index])).slice(0, left);
      left -= kept.length;
      this.#remark = selection.note;
      yield {answer, items: kept, nulls};
      if (left === 0 || selection.isOver(values)) return;
    }
  }

  async *#firstPage(): AsyncGenerator<ItemsPage, undefined, undefined> {
    const {answer, more, nulls, note} = await firstPageOf(this.#client, this.member.connection, this.#source, this.#signal);
    this.#hasMore = more !== 'no';
    this.#note = note;
    const {texts} = itemsOf(answer.text, this.#source.endpoint.rows);
    yield {answer, items: nulls === 0 ? texts : texts.filter(isItem), nulls};
  }

  /** To be called with each page that was printed. */
  wasPrinted({answer: {value}, items, nulls}: ItemsPage): void {
    const total = this.#source.endpoint.paging?.total;
    this.#printed += items.length;
    this.#nulls += nulls;
    this.#total = total && at(value, total).value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close();
  }
}
