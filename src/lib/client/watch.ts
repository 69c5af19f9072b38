/** Polls a list, and yields each new item once, the oldest first, without gaps. */
import {choosesItems, pageParameters} from '../api/page-parameters.js';
import {identifierAt} from '../json/path.js';
import type {Answer} from './answer.js';
import type {Client} from './client.js';
import {Failure} from './failure.js';
import {compareIds} from '../json/compare-ids.js';
import {pagesOf, type ListRequest} from './paging.js';

export interface WatchOptions {
  /** The id of the newest known item. `0` is below all ids. Default: the newest item at the start. */
  readonly since: string | undefined;
  /** Waits until the next poll. @param failures how many polls failed in a row @param failure the last failure */
  readonly pause: (failures: number, failure: Failure | undefined) => Promise<void>;
  /** Waits before the next page of the same poll. @param pages the number of pages so far */
  readonly betweenPages?: ((pages: number) => Promise<void>) | undefined;
  /** Whether any schema mismatch ends the watch. */
  readonly strict?: boolean | undefined;
  /** Whether to end after the first poll, or, where `since` is not given, after finding the newest item. */
  readonly isOnce?: boolean | undefined;
}

interface WatchedItem {
  readonly id: string;
  readonly value: unknown;
}

/** The new items of a poll, or some of them. */
export interface Batch {
  /** Oldest first. */
  readonly items: readonly WatchedItem[];
  /** The id to resume after. */
  readonly since: string;
  readonly answers: readonly Answer[];
  /** The ids between which items may be missing, because too many new ones came. */
  readonly mayLack?: {readonly after: string; readonly upTo: string};
}

const belowAll = '0';

/** A poll holds at most this much until it has found its oldest item. Beyond that, the newest pages are dropped and polled again. */
const maxHeld = 10_000;
const maxCharacters = 16_000_000;

/** A poll of numbered pages finds at most this many new items. */
export const maxNumbered = 200;

/** A poll that needs more pages fails. */
const maxPages = 10_000;

function isAbove(one: string, other: string): boolean {
  return BigInt(one) > BigInt(other);
}

function readWatchedItem(value: unknown, host: string): WatchedItem {
  const id = identifierAt(value, ['id']);
  if (id !== undefined && /^\d+$/.test(id)) return {id, value};
  throw new Failure('bad_answer', `${host}: an item has no usable id`, {reason: 'shape'});
}

function oldest(items: readonly WatchedItem[]): string | undefined {
  return items.reduce<string | undefined>((least, {id}) => (least === undefined || isAbove(least, id) ? id : least), undefined);
}

function newest(items: readonly WatchedItem[], since: string): string {
  return items.reduce((most, {id}) => (isAbove(id, most) ? id : most), since);
}

/** Sorts by id: servers may sort by time, and list the items of one second in any order. */
function oldestFirst(items: readonly WatchedItem[]): WatchedItem[] {
  return items.toSorted((one, other) => compareIds(one.id, other.id));
}

/** Whether the next poll may succeed after this failure. */
function isPassing({code, details}: Failure, strict: boolean): boolean {
  if (code === 'rate_limited') return details.reason !== 'wait_too_long';
  return code === 'unavailable' || (code === 'bad_answer' && !strict);
}

/** The last pages of a poll, in bounded memory: earlier pages are dropped. */
class LastPages {
  readonly #pages: {readonly items: readonly WatchedItem[]; readonly length: number}[] = [];
  #count = 0;
  #characters = 0;
  hasDropped = false;

  /** @param length the characters of the answer */
  add(items: readonly WatchedItem[], length: number): void {
    this.#pages.push({items, length});
    this.#count += items.length;
    this.#characters += length;
    while ((this.#count > maxHeld || this.#characters > maxCharacters) && this.#pages.length > 1) {
      const dropped = this.#pages.shift();
      this.#count -= dropped?.items.length ?? 0;
      this.#characters -= dropped?.length ?? 0;
      this.hasDropped = true;
    }
  }

  get items(): readonly WatchedItem[] {
    return this.#pages.flatMap(({items}) => items);
  }
}

class Watch {
  readonly #client: Client;
  readonly #list: ListRequest;
  readonly #betweenPages: (pages: number) => Promise<void>;
  /** The id of the newest known item. */
  since: string;
  /** Whether the caller gave that id, so that the list need not be read for it. */
  readonly #isGiven: boolean;
  /** Whether the last poll dropped pages, which have to be polled again. */
  isBehind = false;

  constructor(client: Client, list: ListRequest, {since, betweenPages = async () => {}}: Pick<WatchOptions, 'betweenPages' | 'since'>) {
    this.#client = client;
    this.#list = list;
    this.#betweenPages = betweenPages;
    this.since = since ?? belowAll;
    this.#isGiven = since !== undefined;
  }

  async begin(): Promise<Batch> {
    if (this.#isGiven) return {items: [], since: this.since, answers: []};
    // Items of every type: a page of chosen types can be empty although older items exist.
    const {request, endpoint} = this.#list;
    const query = request.query.filter(([name]) => !choosesItems(name, endpoint.query));
    for await (const {answer, items} of this.#pages(query)) {
      const since = newest(
        items.map((item) => readWatchedItem(item, this.#client.host)),
        belowAll,
      );
      this.since = since;
      return {items: [], since, answers: [answer]};
    }
    throw new Error('A list has a first page');
  }

  async *poll(): AsyncGenerator<Batch, void, undefined> {
    const {endpoint, request} = this.#list;
    const {since} = this;
    const newerThan = since === belowAll ? undefined : since;
    const isSent = newerThan !== undefined && pageParameters.from in endpoint.query;
    const query = isSent ? [...request.query, [pageParameters.from, newerThan] as const] : request.query;
    // Upward pages start with the oldest items; others end with them.
    const goesUp = endpoint.paging?.by === 'bounds' && since !== belowAll;
    if (goesUp) return yield* this.#pollUp(query, newerThan);
    yield* endpoint.paging?.by === 'number' ? this.#pollNumbered(query, newerThan) : this.#pollDown(query, newerThan);
  }

  async *#pollUp(query: ListRequest['request']['query'], newerThan: string | undefined): AsyncGenerator<Batch, void, undefined> {
    let pages = 0;
    for await (const {answer, items} of this.#pages(query, newerThan)) {
      const before = this.since;
      pages += 1;
      yield this.#batch(this.#watched(items), [answer]);
      if (items.length > 0 && !isAbove(this.since, before)) throw this.#noWay('newer');
      await this.#betweenPages(pages);
    }
    this.isBehind = false;
  }

  async *#pollDown(query: ListRequest['request']['query'], newerThan: string | undefined): AsyncGenerator<Batch, void, undefined> {
    const newest = new LastPages();
    let pages = 0;
    let lowest: string | undefined;
    for await (const {answer, items: page} of this.#pages(query, newerThan)) {
      const items = this.#watched(page);
      pages += 1;
      const least = oldest(items);
      if (least !== undefined && lowest !== undefined && !isAbove(lowest, least)) throw this.#noWay('older');
      lowest = least ?? lowest;
      newest.add(items, answer.text.length);
      yield this.#batch([], [answer]);
      if (pages >= maxPages) throw this.#noWay('older');
      await this.#betweenPages(pages);
    }
    this.isBehind = newest.hasDropped;
    yield this.#batch(newest.items, []);
  }

  /**
   * When an item leaves a list of numbered pages, those after it move up, possibly to a page that was read before. So the pages are read
   * again until no item has left since the reading before, which was then complete.
   */
  async *#pollNumbered(query: ListRequest['request']['query'], newerThan: string | undefined): AsyncGenerator<Batch, void, undefined> {
    const {since} = this;
    const found = new Map<string, WatchedItem>();
    let before: ReadonlySet<string> | undefined;
    let pages = 0;
    for (;;) {
      const first = pages + 1;
      // Items that came after the first reading are left to the next poll.
      const top = before && newest([...found.values()], belowAll);
      const ids = new Set<string>();
      let isOnePage = false;
      for await (const {answer, items: page, reachesBounds} of this.#pages(query, newerThan)) {
        pages += 1;
        isOnePage ||= pages === first && reachesBounds;
        for (const item of this.#watched(page)) {
          if (top !== undefined && isAbove(item.id, top)) continue;
          ids.add(item.id);
          found.set(item.id, item);
        }
        yield this.#batch([], [answer]);
        if (pages >= maxPages) throw this.#noWay('older');
        if (ids.size > maxNumbered) {
          const batch = this.#batch([...found.values()], []);
          return yield {...batch, mayLack: {after: since, upTo: batch.since}};
        }
        await this.#betweenPages(pages);
      }
      if (isOnePage || ids.size === 0 || before?.isSubsetOf(ids) === true) return yield this.#batch([...found.values()], []);
      before = ids;
    }
  }

  #watched(items: readonly unknown[]): WatchedItem[] {
    return items.map((item) => readWatchedItem(item, this.#client.host));
  }

  #noWay(where: string): Failure {
    const {method, path} = this.#list.request;
    return new Failure('bad_answer', `${this.#client.host}: the next page does not lead to ${where} items`, {
      method,
      path,
      reason: 'shape',
    });
  }

  #batch(newItems: readonly WatchedItem[], answers: readonly Answer[]): Batch {
    const items = oldestFirst(newItems);
    this.since = newest(items, this.since);
    return {items, since: this.since, answers};
  }

  #pages(query: ListRequest['request']['query'], newerThan?: string) {
    return pagesOf(this.#client, {...this.#list, newerThan, request: {...this.#list.request, query}});
  }
}

/**
 * Polls a list once, or until its signal aborts. Begins with an empty batch that has the starting id. Once a poll has succeeded, it continues
 * after failures that may pass.
 * @throws Failure
 */
export async function* watch(
  client: Client,
  list: ListRequest,
  {since, pause, betweenPages, strict = false, isOnce = false}: WatchOptions,
): AsyncGenerator<Batch, void, undefined> {
  const watching = new Watch(client, list, {since, betweenPages});
  yield await watching.begin();
  let hasPolled = since === undefined;
  if (hasPolled && isOnce) return;
  if (hasPolled) await pause(0, undefined);
  for (let failures = 0; ;) {
    let failure: Failure | undefined;
    try {
      do yield* watching.poll();
      while (watching.isBehind);
      if (isOnce) return;
      hasPolled = true;
    } catch (error) {
      if (!hasPolled || !(error instanceof Failure) || !isPassing(error, strict)) throw error;
      failure = error;
    }
    failures = failure === undefined ? 0 : failures + 1;
    await pause(failures, failure);
  }
}
