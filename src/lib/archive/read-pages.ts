/** Reads the messages of a conversation, page by page. */
import {listMessages} from '../api/direct.js';
import {pageParameters} from '../api/page-parameters.js';
import {getThread} from '../api/thread.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {pagesOf, type Page} from '../client/paging.js';
import {requestFor} from '../client/request.js';
import {compareIds} from '../json/compare-ids.js';
import {booleanAt} from '../json/path.js';
import {itemLinesAt} from '../json/slices.js';
import {messageIn, sentAt, type Message} from './message.js';
import type {Bound, Order} from './reading.js';

/** Messages a request; servers allow no more. */
export const pageSize = 50;

/** Which messages are read. */
export interface Range {
  /** Only messages newer than this one. */
  readonly above?: string | undefined;
  /** Only messages sent at this time or later. */
  readonly since?: Date | undefined;
  /** Only so many, the newest. */
  readonly most?: number | undefined;
}

export interface Source {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Called with every answer. */
  readonly observe?: ((answer: Answer) => void) | undefined;
  /** Called where an inbox changed in each of several readings, so that conversations of it may be missing. */
  readonly noteMoved?: ((inbox: string) => void) | undefined;
  /** Called where messages since a time are read, and dates do not fall with ids. */
  readonly noteDisorder?: (() => void) | undefined;
}

/** Messages that came together, at least one, oldest first. At the end: from where on everything was read; undefined where that is not known. */
export type Pages = AsyncGenerator<readonly Message[], Bound | null | undefined, undefined>;

/** What has to be read from the newest message back, because nothing says where it begins. */
export const orderOf = ({since, most}: Range): Order => (since === undefined && most === undefined ? 'up' : 'down');

function badPage(host: string, what: string): Failure {
  return new Failure('bad_answer', `${host}: ${what}`, {reason: 'shape'});
}

/** Messages that cannot be kept. Reading goes on without them, and fails in the end. */
class WithoutId {
  #wereThere = false;
  readonly #host: string;

  constructor(host: string) {
    this.#host = host;
  }

  /** The others, oldest first. */
  messagesIn(lines: readonly string[]): Message[] {
    const messages = lines.flatMap((line) => messageIn(line) ?? []);
    this.#wereThere ||= messages.length < lines.length;
    return messages.toSorted((one, other) => compareIds(one.id, other.id));
  }

  /** @throws Failure `bad_answer` if there were any */
  refuse(): void {
    if (this.#wereThere) throw badPage(this.#host, 'some messages have no id; the others are kept');
  }
}

async function* pages(id: string, query: Readonly<Record<string, string>>, {client, signal, observe}: Source): AsyncGenerator<Page> {
  const request = requestFor(listMessages, {path: {id}, query: {...query, limit: String(pageSize)}});
  let last: Answer | undefined;
  for await (const page of pagesOf(client, {request, endpoint: listMessages, signal})) {
    last = page.answer;
    observe?.(page.answer);
    yield page;
  }
  if (last !== undefined && booleanAt(last.value, ['meta', 'has_more']) !== false)
    throw badPage(client.host, 'there are more messages, and the response does not say where');
}

/** Servers take no smaller one. */
const lowestBound = '1';

/** Ids of messages have 19 digits. Only where they are this short, one could be as low as the lowest bound. */
const shortId = 4;

/** From the oldest message to the newest, so that none is missed that comes meanwhile. */
async function* pagesUp(id: string, {above}: Range, source: Source, withoutId: WithoutId): Pages {
  const {host} = source.client;
  let newest = above;
  for await (const page of pages(id, {[pageParameters.from]: above ?? lowestBound}, source)) {
    const messages = withoutId.messagesIn(page.lines);
    const [oldest] = messages;
    if (oldest === undefined) continue;
    if (newest !== undefined && compareIds(oldest.id, newest) <= 0) throw badPage(host, 'the next page does not lead to newer messages');
    if (newest === undefined && oldest.id.length < shortId) yield* lowestMessages(id, source, withoutId);
    newest = messages.at(-1)?.id;
    yield messages;
  }
  return above === undefined ? null : {id: above, isWithin: false};
}

/** What no lower bound shows, because it is the bound. */
async function* lowestMessages(id: string, source: Source, withoutId: WithoutId) {
  for await (const page of pages(id, {[pageParameters.before]: '2'}, source)) {
    const messages = withoutId.messagesIn(page.lines);
    if (messages.length > 0) yield messages;
  }
}

/** Where reading back to a time ends. Ids grow with time, but a server can give a message any date. */
class Horizon {
  readonly #since: Date | undefined;
  readonly #noteDisorder: (() => void) | undefined;
  /** When the last message was sent of those that have a date. */
  #last = Number.POSITIVE_INFINITY;
  #isInOrder = true;
  /** Whole pages in a row. */
  #olderPages = 0;

  constructor({since}: Range, {noteDisorder}: Source) {
    this.#since = since;
    this.#noteDisorder = noteDisorder;
  }

  isBeyond({text}: Message): boolean {
    return this.#since !== undefined && Number(sentAt(JSON.parse(text))) < this.#since.getTime();
  }

  /**
   * @param messages of the next page, oldest first
   * @returns whether nothing that was sent since then is to be expected below it
   */
  isReached(messages: readonly Message[]): boolean {
    if (this.#since === undefined) return false;
    for (const {text} of messages.toReversed()) {
      const date = sentAt(JSON.parse(text))?.getTime() ?? this.#last;
      if (date > this.#last && this.#isInOrder) this.#noteDisorder?.();
      this.#isInOrder &&= date <= this.#last;
      this.#last = date;
    }
    this.#olderPages = messages.every((message) => this.isBeyond(message)) ? this.#olderPages + 1 : 0;
    return this.#olderPages > (this.#isInOrder ? 0 : 1);
  }
}

/** From the newest message back, as far as is asked for. */
async function* pagesDown(id: string, range: Range, source: Source, withoutId: WithoutId): Pages {
  const {host} = source.client;
  const {above, most = Number.POSITIVE_INFINITY} = range;
  const horizon = new Horizon(range, source);
  let lowest: string | undefined;
  let count = 0;
  /** The last ones, as long as all of them were sent before the time that is asked for. */
  let older: readonly Message[] = [];
  for await (const page of pages(id, {}, source)) {
    const messages = withoutId.messagesIn(page.lines);
    const newest = messages.at(-1);
    if (newest === undefined) continue;
    if (lowest !== undefined && compareIds(newest.id, lowest) >= 0) throw badPage(host, 'the next page does not lead to older messages');
    lowest = messages[0]?.id;
    const known = messages.findLast(({id: own}) => above !== undefined && compareIds(own, above) <= 0);
    const fresh = known === undefined ? messages : messages.slice(messages.indexOf(known) + 1);
    const isOver = horizon.isReached(fresh) || known !== undefined;
    const read = [...fresh, ...older];
    const start = read.findIndex((message) => !horizon.isBeyond(message));
    const wanted = start === -1 ? [] : read.slice(start).slice(-(most - count));
    older = start === -1 ? read : read.slice(0, start);
    count += wanted.length;
    if (wanted.length > 0) yield wanted;
    if (count >= most && wanted[0] !== undefined) return {id: wanted[0].id, isWithin: true};
    const below = older.at(-1) ?? known;
    if (isOver && below !== undefined) return {id: below.id, isWithin: false};
  }
  const below = older.at(-1);
  return below === undefined ? null : {id: below.id, isWithin: false};
}

/** The messages of a conversation. @throws Failure */
export async function* messagePages(id: string, range: Range, source: Source): Pages {
  const withoutId = new WithoutId(source.client.host);
  const end = yield* (orderOf(range) === 'up' ? pagesUp : pagesDown)(id, range, source, withoutId);
  withoutId.refuse();
  return end;
}

/** Threads of older servers: the last messages, and earlier ones only as far as asking for them brings new ones. */
export interface Thread {
  /** The first answer. */
  readonly text: string;
  readonly messages: readonly Message[];
  /** @throws Failure `bad_answer` if there were messages that cannot be kept */
  readonly refuseWithoutId: () => void;
}

/** Pages that bring something new; a thread has eight messages a page. */
const maxThreadPages = 1000;

export async function readThread(pid: string, range: Range, source: Source): Promise<Thread> {
  const {above, most} = range;
  const {client, observe} = source;
  const horizon = new Horizon(range, source);
  const withoutId = new WithoutId(client.host);
  const found = new Map<string, Message>();
  let first: string | undefined;
  let before: string | undefined;
  for (let page = 0; page < maxThreadPages; page += 1) {
    const query = {pid, ...(before !== undefined && {[pageParameters.before]: before})};
    const answer = await client.call(getThread, {query});
    observe?.(answer);
    first ??= answer.text;
    const fresh = withoutId.messagesIn(itemLinesAt(answer.text, ['messages']) ?? []).filter(({id}) => !found.has(id));
    for (const message of fresh) found.set(message.id, message);
    const [oldest] = fresh;
    if (oldest === undefined || horizon.isReached(fresh) || (most !== undefined && found.size >= most)) break;
    if (before !== undefined && compareIds(oldest.id, before) >= 0) break;
    before = oldest.id;
  }
  const messages = [...found.values()]
    .toSorted((one, other) => compareIds(one.id, other.id))
    .filter((message) => (above === undefined || compareIds(message.id, above) > 0) && !horizon.isBeyond(message))
    .slice(most === undefined ? 0 : -most);
  return {text: first ?? '{}', messages, refuseWithoutId: () => withoutId.refuse()};
}
