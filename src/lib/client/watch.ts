/** Polls a list, and yields each new item once, the oldest first, without gaps. */
import {choosesItems, pageParameters} from '../api/page-parameters.js';
import {identifierAt, compareIds} from '../json/path.js';
import type {Answer} from './answer.js';
import type {Client} from './client.js';
import {Failure} from './failure.js';
import {pagesOf, type ListRequest} from './paging.js';

export interface WatchOptions {
  /** The id of the newest known item. `0` is below all ids. Default: the newest item at the start. */
  readonly since: string | undefined;
  /** Waits until the next poll. @param failures how many polls failed in a row @param failure the last failure */
  readonly pause: (failures: number, failure: Failure | undefined) => Promise<void>;
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
  readonly items: readonly WatchedItem[];
  readonly since: string;
  readonly answers: readonly Answer[];
  /** The ids between which items may be missing: more came than are held at once, or than a page that has a number. */
  readonly mayLack?: {readonly after: string; readonly upTo: string};
}

const belowAll = '0';

/** A poll holds at most this many new items: of numbered pages, which are small, fewer. */
const maxNew = 10_000;
const maxNumbered = 200;

function readWatchedItem(value: unknown, host: string): WatchedItem {
  const id = identifierAt(value, ['id']);
  if (id !== undefined && /^\d+$/.test(id)) return {id, value};
  throw new Failure('bad_answer', `${host}: an item has no usable id`, {reason: 'shape'});
}

function newest(items: readonly WatchedItem[], since: string): string {
  return items.reduce((most, {id}) => (compareIds(id, most) > 0 ? id : most), since);
}

/** Whether the next poll may succeed after this failure. */
function isPassing({code, details}: Failure, strict: boolean): boolean {
  if (code === 'rate_limited') return details.reason !== 'wait_too_long';
  return code === 'unavailable' || (code === 'bad_answer' && !strict);
}

/**
 * Polls a list once, or until its signal aborts. Begins with an empty batch that has the starting id. Once a poll has succeeded, it continues
 * after failures that may pass.
 * @throws Failure
 */
export async function* watch(
  client: Client,
  list: ListRequest,
  {since: given, pause, strict = false, isOnce = false}: WatchOptions,
): AsyncGenerator<Batch, void, undefined> {
  const {endpoint, request} = list;
  const by = endpoint.paging?.by;
  let since = given ?? belowAll;

  async function* pagesWith(query: ListRequest['request']['query'], newerThan?: string) {
    const pages = pagesOf(client, {...list, newerThan, request: {...request, query}});
    for await (const page of pages) yield {...page, items: page.items.map((item) => readWatchedItem(item, client.host))};
  }

  /** Servers may sort by time, and list the items of one second in any order. */
  function toBatch(found: Iterable<WatchedItem>, answers: readonly Answer[] = []): Batch {
    const items = [...found].sort((one, other) => compareIds(one.id, other.id));
    since = newest(items, since);
    return {items, since, answers};
  }

  /** The first page, with items of every type: a page of chosen types can be empty although older items exist. */
  async function begin(): Promise<Batch> {
    const query = request.query.filter(([name]) => !choosesItems(name, endpoint.query));
    const {value: page} = await pagesWith(query).next();
    if (page === undefined) throw new Error('A list has a first page');
    since = newest(page.items, belowAll);
    return {items: [], since, answers: [page.answer]};
  }

  async function* poll(): AsyncGenerator<Batch, void, undefined> {
    const newerThan = since === belowAll ? undefined : since;
    const isSent = newerThan !== undefined && pageParameters.from in endpoint.query;
    const query = isSent ? [...request.query, [pageParameters.from, newerThan] as const] : request.query;
    // Upward pages start with the oldest items; others end with them.
    if (by !== 'bounds' || newerThan === undefined) return yield* pollDown(query, newerThan);
    for await (const {answer, items} of pagesWith(query, newerThan)) yield toBatch(items, [answer]);
  }

  /** From the newest item to the first known one. Items that leave the list meanwhile can hide others, which moved to a page that was read. */
  async function* pollDown(query: ListRequest['request']['query'], newerThan: string | undefined): AsyncGenerator<Batch, void, undefined> {
    const after = since;
    const found: WatchedItem[] = [];
    let pagesWithNews = 0;
    for await (const {answer, items} of pagesWith(query, newerThan)) {
      if (items.length > 0) pagesWithNews += 1;
      found.push(...items);
      yield toBatch([], [answer]);
      if (found.length > (by === 'number' ? maxNumbered : maxNew)) break;
    }
    const isSure = by === 'number' ? pagesWithNews < 2 : found.length <= maxNew;
    const batch = toBatch(found);
    yield isSure ? batch : {...batch, mayLack: {after, upTo: batch.since}};
  }

  yield given === undefined ? await begin() : toBatch([]);
  let hasPolled = given === undefined;
  if (hasPolled && isOnce) return;
  if (hasPolled) await pause(0, undefined);
  for (let failures = 0; ;) {
    let failure: Failure | undefined;
    try {
      yield* poll();
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
