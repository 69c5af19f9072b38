/** A list that is looked at again and again: each new item once, the oldest first, and none left out. */
import {identifierAt} from '../json/path.js';
import type {Answer} from './answer.js';
import type {Client} from './client.js';
import {Failure} from './failure.js';
import {pagesOf, type ListRequest} from './paging.js';
import {copied} from './paging.js';

export interface WatchOptions {
  /** The newest item that is known: only what is above it is new. `0` is below all; undefined: the newest that there is at the start. */
  readonly since: string | undefined;
  /** Waits until the list is looked at again. @param failures how many looks in a row came to nothing; the last one's failure */
  readonly pause: (failures: number, failure: Failure | undefined) => Promise<void>;
  /** Waits before another page of the same look is asked for. @param pages how many the look has had */
  readonly breathe?: ((pages: number) => Promise<void>) | undefined;
  /** Any mismatch of an answer from its documented shape ends it. */
  readonly strict?: boolean | undefined;
}

export interface WatchedItem {
  readonly id: string;
  readonly text: string;
}

/** What came between two looks, or a part of it. */
export interface Batch {
  /** Oldest first. */
  readonly items: readonly WatchedItem[];
  /** Where to go on after these. */
  readonly since: string;
  readonly answers: readonly Answer[];
}

const belowAll = '0';

/** What is kept of a look whose oldest item comes last: pages beyond are dropped, the newest first, and looked at again. */
const mostKept = 10_000;
const mostCharacters = 16_000_000;

/** Pages of one look; a list of more has no end. */
const mostPages = 10_000;

function isAbove(one: string, other: string): boolean {
  return BigInt(one) > BigInt(other);
}

function watched(text: string, host: string): WatchedItem {
  const id = identifierAt(text, ['id']);
  if (id !== undefined && /^\d+$/.test(id)) return {id, text};
  throw new Failure('bad_answer', `${host}: an item has no usable id`, {reason: 'shape'});
}

function oldest(items: readonly WatchedItem[]): string | undefined {
  return items.reduce<string | undefined>((least, {id}) => (least === undefined || isAbove(least, id) ? id : least), undefined);
}

function newest(items: readonly WatchedItem[], since: string): string {
  return items.reduce((most, {id}) => (isAbove(id, most) ? id : most), since);
}

/** When the server says that it is. */
function momentOf({headers}: Answer): number {
  return Date.parse(headers['date'] ?? '');
}

function isFrom(moment: number, {text}: WatchedItem): boolean {
  // Servers round their own time down to seconds.
  return !(Date.parse(identifierAt(text, ['created_at']) ?? '') < moment);
}

/** Whether it may be over by the next look. */
function isPassing({code, details}: Failure, strict: boolean): boolean {
  if (code === 'rate_limited') return details.reason !== 'wait_too_long';
  return code === 'unavailable' || (code === 'bad_answer' && !strict);
}

/** The last pages of a list, as far as there is room for them. */
class LastPages {
  readonly #pages: (readonly WatchedItem[])[] = [];
  #count = 0;
  #characters = 0;
  hasDropped = false;

  add(items: readonly WatchedItem[]): void {
    // A text that is part of a page would keep the whole page.
    this.#pages.push(items.map(({id, text}) => ({id, text: copied(text)})));
    this.#weigh(items, 1);
    while ((this.#count > mostKept || this.#characters > mostCharacters) && this.#pages.length > 1) {
      this.#weigh(this.#pages.shift() ?? [], -1);
      this.hasDropped = true;
    }
  }

  get items(): readonly WatchedItem[] {
    return this.#pages.flat();
  }

  #weigh(items: readonly WatchedItem[], sign: 1 | -1): void {
    this.#count += sign * items.length;
    for (const {text} of items) this.#characters += sign * text.length;
  }
}

class Watch {
  readonly #client: Client;
  readonly #list: ListRequest;
  readonly #breathe: (pages: number) => Promise<void>;
  since: string | undefined;
  /** Whether the last look found more than it kept. */
  isBehind = false;
  /** When a list that began empty was empty. */
  #emptyAt: number | undefined;

  constructor(client: Client, list: ListRequest, {since, breathe = async () => {}}: Pick<WatchOptions, 'breathe' | 'since'>) {
    this.#client = client;
    this.#list = list;
    this.#breathe = breathe;
    this.since = since;
  }

  /** Finds out where to begin. */
  async begin(): Promise<Batch> {
    if (this.since !== undefined) return {items: [], since: this.since, answers: []};
    // Of any type: a page of only some can be empty where older ones exist.
    const query = this.#list.request.query.filter(([name]) => name !== 'types[]');
    for await (const {answer, items} of this.#pages(query)) {
      const since = newest(
        items.map((text) => watched(text, this.#client.host)),
        belowAll,
      );
      if (since === belowAll) this.#emptyAt = momentOf(answer);
      this.since = since;
      return {items: [], since, answers: [answer]};
    }
    return {items: [], since: (this.since = belowAll), answers: []};
  }

  /** What has come since the last look. */
  async *look(): AsyncGenerator<Batch, void, undefined> {
    const {paging, request} = this.#list;
    const since = this.since ?? belowAll;
    const query = since === belowAll ? request.query : [...request.query, ['min_id', since] as const];
    // Pages that go up hold the oldest first; of the others the oldest is on the last one.
    const goesUp = paging.by === 'bounds' && since !== belowAll;
    const kept = new LastPages();
    let pages = 0;
    let lowest: string | undefined;
    for await (const {answer, items: texts} of this.#pages(query)) {
      const items = texts.map((text) => watched(text, this.#client.host));
      pages += 1;
      if (goesUp) {
        const before = this.since ?? belowAll;
        yield this.#batch(items, [answer]);
        if (items.length > 0 && !isAbove(this.since ?? belowAll, before)) throw this.#noWay('newer');
      } else {
        const least = oldest(items);
        if (least !== undefined && lowest !== undefined && !isAbove(lowest, least)) throw this.#noWay('older');
        lowest = least ?? lowest;
        kept.add(items);
        yield this.#batch([], [answer]);
        if (pages >= mostPages) throw this.#noWay('older');
      }
      await this.#breathe(pages);
    }
    this.isBehind = kept.hasDropped;
    if (!goesUp) yield this.#batch(kept.items, []);
  }

  #noWay(where: string): Failure {
    const {method, path} = this.#list.request;
    return new Failure('bad_answer', `${this.#client.host}: the next page does not lead to ${where} items`, {
      method,
      path,
      reason: 'shape',
    });
  }

  #batch(newestFirst: readonly WatchedItem[], answers: readonly Answer[]): Batch {
    const found = newestFirst.toReversed();
    // A server that begins with an empty list may only not have had it at hand.
    const emptyAt = this.#emptyAt;
    const items = emptyAt === undefined ? found : found.filter((item) => isFrom(emptyAt, item));
    if (found.length > 0) this.#emptyAt = undefined;
    this.since = newest(found, this.since ?? belowAll);
    return {items, since: this.since, answers};
  }

  #pages(query: ListRequest['request']['query']) {
    return pagesOf(this.#client, {...this.#list, request: {...this.#list.request, query}});
  }
}

/**
 * Looks at a list until its signal comes. Begins with an empty batch that says where it begins. Goes on after failures
 * that may pass, but for the first.
 * @throws Failure
 */
export async function* watch(
  client: Client,
  list: ListRequest,
  {since, pause, breathe, strict = false}: WatchOptions,
): AsyncGenerator<Batch, void, undefined> {
  const watching = new Watch(client, list, {since, breathe});
  yield await watching.begin();
  let hasLooked = since === undefined;
  if (hasLooked) await pause(0, undefined);
  for (let failures = 0; ;) {
    let failure: Failure | undefined;
    try {
      do yield* watching.look();
      while (watching.isBehind);
      hasLooked = true;
    } catch (error) {
      if (!hasLooked || !(error instanceof Failure) || !isPassing(error, strict)) throw error;
      failure = error;
    }
    failures = failure === undefined ? 0 : failures + 1;
    await pause(failures, failure);
  }
}
