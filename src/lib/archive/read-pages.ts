/** Reads the messages of a conversation, page by page. */
import {listMessages} from '../api/direct.js';
import {pageParameters} from '../api/page-parameters.js';
import {membersOf} from '../api/schema.js';
import {getThread} from '../api/thread.js';
import type {Answer} from '../client/answer.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {pagesOf} from '../client/paging.js';
import {requestFor} from '../client/request.js';
import {compareIds} from '../json/compare-ids.js';
import {booleanAt, itemsAt} from '../json/path.js';
import {messageIn, readSentAt, type ConversationType, type Message} from './message.js';
import {lowestId, type Interval, type Range} from './ranges.js';

/** Messages a request; servers allow no more. */
export const pageSize = 50;

/** Which messages are read. */
export interface ReadingPlan {
  /** What need not be read again, from the lowest to the highest. */
  readonly known: readonly Range[];
  /** Only messages sent at this time or later, and those that come on a page with them; undefined: all. */
  readonly since?: Date | undefined;
  /** When a message was sent that is archived. */
  readonly dateOf: (id: string) => Date | undefined;
  /** Called where dates do not follow ids, so that more was read. */
  readonly tell: () => void;
}

/** Messages that came together, oldest first. */
export interface ReadPage {
  readonly messages: readonly Message[];
  /** A thread comes with its messages. */
  readonly conversation?: unknown;
  /** The ids that it answers for; undefined where a server does not say what lies between its messages. */
  readonly covers?: Interval | undefined;
  /** Whether there was no newer message than what was read so far. */
  readonly newest?: true | undefined;
}

export interface ArchiveSource {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Called with every answer. */
  readonly observe?: ((answer: Answer) => void) | undefined;
  /** Called where an inbox changed in each of several readings, so that conversations of it may be missing. */
  readonly noteMoved?: ((inbox: string) => void) | undefined;
}

type Pages<Return = void> = AsyncGenerator<ReadPage, Return, undefined>;

const badPage = ({client: {host}}: ArchiveSource, what: string): Failure =>
  new Failure('bad_answer', `${host}: ${what}`, {reason: 'shape'});

/** A conversation without messages is read, too. */
export const nothingThere: ReadPage = {messages: [], covers: {from: null, to: {id: lowestId, isWithin: true}, toEnd: true}, newest: true};

const nothingAbove = (id: string): ReadPage => ({
  messages: [],
  covers: {from: {id, isWithin: false}, to: {id, isWithin: true}, toEnd: true},
  newest: true,
});

/** Servers take no smaller one. */
const lowestBound = '1';

/** Pages in a row that have to be older than a date, where dates do not follow ids. */
const olderPages = 2;

/** How many messages of a thread one answer has. */
const threadPageSize = 8;

/** Pages that bring something new. */
const maxThreadPages = 1000;

/** Ids of messages mostly have 19 digits. Only where they are this short, one could be as low as the lowest bound. */
const shortId = 4;

/** How far back reading is to go, watched page by page. */
class Depth {
  readonly #since: number | undefined;
  #older = 0;
  #earliest = Number.POSITIVE_INFINITY;
  /** Whether dates do not follow ids: a message has a later date than one with a higher id. */
  isOutOfOrder = false;

  constructor(since: Date | undefined) {
    this.#since = since?.getTime();
  }

  /** @param dates of messages that follow each other, the oldest first */
  pass(dates: readonly (Date | undefined)[]): void {
    for (const date of dates.toReversed()) {
      if (date === undefined) continue;
      if (date.getTime() > this.#earliest) this.isOutOfOrder = true;
      this.#earliest = Math.min(date.getTime(), this.#earliest);
    }
    // A message without a date may be from any time, so it does not end the reading.
    const isOlder = dates.every((date) => date !== undefined && date.getTime() < (this.#since ?? 0));
    this.#older = isOlder ? this.#older + 1 : 0;
  }

  /** Whether what was read is enough. */
  get isEnough(): boolean {
    return this.#since !== undefined && this.#older >= (this.isOutOfOrder ? olderPages : 1);
  }
}

/** What one reading of a conversation knows. */
class PageReader {
  readonly #id: string;
  readonly #plan: ReadingPlan;
  readonly #source: ArchiveSource;
  readonly #depth: Depth;
  /** Messages without an id cannot be archived. Reading goes on without them, and fails in the end. */
  #lacksIds = false;

  constructor(id: string, plan: ReadingPlan, source: ArchiveSource) {
    this.#id = id;
    this.#plan = plan;
    this.#source = source;
    this.#depth = new Depth(plan.since);
  }

  /** @throws Failure `bad_answer` in the end if there were messages that cannot be kept */
  async *pages(type: ConversationType): Pages {
    yield* type === 'thread' ? this.#threadPages() : this.#conversationPages();
    if (this.#plan.since !== undefined && this.#depth.isOutOfOrder) this.#plan.tell();
    if (this.#lacksIds) throw badPage(this.#source, 'some messages have no id; the others are kept');
  }

  /** What lies between what is known, from the newest messages down; above it upwards, so that none is missed that comes meanwhile. */
  async *#conversationPages(): Pages {
    const {known, since, dateOf} = this.#plan;
    const rest = [...known];
    /** How far it is read from the newest message without a gap; null: to the beginning. */
    let low: string | null | undefined;
    if (since === undefined) {
      const top = rest.pop();
      yield* this.#pagesUp(top === undefined || top.to === lowestId ? null : top.to);
      low = top?.from ?? null;
    }
    while (low === undefined || (low !== null && !this.#depth.isEnough)) {
      const next = rest.pop();
      if (yield* this.#pagesDown(low, next?.to)) return;
      low = next?.from ?? null;
      if (low !== null) this.#depth.pass([dateOf(low)]);
    }
  }

  /** Those that can be kept, the oldest first. @returns also whether these are all: then the page answers for what is between them */
  #messagesIn(items: readonly unknown[]) {
    const messages = items.flatMap((item) => messageIn(item) ?? []).sort((one, other) => compareIds(one.id, other.id));
    const isWhole = messages.length === items.length;
    this.#lacksIds ||= !isWhole;
    return {messages, isWhole, oldest: messages[0], newest: messages.at(-1)};
  }

  /** The pages of which something can be kept. `isWholeSince`: whether nothing was left out between it and the one before. */
  async *#ask(query: Readonly<Record<string, string>>) {
    const {client, signal, observe} = this.#source;
    const request = requestFor(listMessages, {path: {id: this.#id}, query: {...query, limit: String(pageSize)}});
    let hasMore: boolean | undefined = false;
    let isWholeSince = true;
    for await (const {answer, items} of pagesOf(client, {request, endpoint: listMessages, signal})) {
      observe?.(answer);
      hasMore = booleanAt(answer.value, ['meta', 'has_more']);
      const {messages, isWhole, oldest, newest} = this.#messagesIn(items);
      isWholeSince &&= isWhole || oldest !== undefined;
      if (oldest === undefined || newest === undefined) continue;
      yield {messages, isWhole, oldest, newest, isWholeSince, isLast: hasMore === false};
      isWholeSince = true;
    }
    if (hasMore !== false) throw badPage(this.#source, 'there are more messages, and the response does not say where');
  }

  async *#pagesUp(above: string | null): Pages {
    let reached = above;
    for await (const {messages, isWhole, oldest, newest, isWholeSince} of this.#ask({[pageParameters.from]: above ?? lowestBound})) {
      if (reached !== null && compareIds(oldest.id, reached) <= 0)
        throw badPage(this.#source, 'the next page does not lead to newer messages');
      // The message at the bound itself is on no page above it.
      if (reached === null && oldest.id.length < shortId)
        for await (const lowest of this.#ask({[pageParameters.before]: '2'})) yield {messages: lowest.messages};
      const below = reached === null ? null : {id: reached, isWithin: false};
      const from = isWholeSince ? below : {id: oldest.id, isWithin: true};
      yield {messages, ...(isWhole && {covers: {from, to: {id: newest.id, isWithin: true}}})};
      reached = newest.id;
    }
    yield reached === null ? nothingThere : nothingAbove(reached);
  }

  /** From a message, or the newest one, back. @returns whether it is enough; otherwise what is known was reached */
  async *#pagesDown(before: string | undefined, floor: string | undefined): Pages<boolean> {
    let low = before;
    for await (const page of this.#ask(before === undefined ? {} : {[pageParameters.before]: before})) {
      const {messages, isWhole, oldest, newest, isWholeSince, isLast} = page;
      if (low !== undefined && compareIds(newest.id, low) >= 0)
        throw badPage(this.#source, 'the next page does not lead to older messages');
      const isNewest = low === undefined;
      const to = low === undefined || !isWholeSince ? {id: newest.id, isWithin: true} : {id: low, isWithin: false};
      const toEnd = isNewest && isWholeSince ? (true as const) : undefined;
      const from = isLast ? null : {id: oldest.id, isWithin: true};
      yield {messages, ...(isWhole && {covers: {from, to, toEnd}}), ...(isNewest && {newest: true})};
      low = oldest.id;
      this.#depth.pass(messages.map(({value}) => readSentAt(value)));
      if (isLast || this.#depth.isEnough) return true;
      if (floor !== undefined && compareIds(low, floor) <= 0) return false;
    }
    yield low === undefined ? nothingThere : {messages: [], covers: {from: null, to: {id: low, isWithin: false}}};
    return true;
  }

  /** Threads of older servers: the last messages, the first ones, and others only as far as asking for them brings new ones. */
  async *#threadPages(): Pages {
    const {known, since} = this.#plan;
    const {client, observe} = this.#source;
    const floor = known.at(-1)?.to;
    const found = new Map<string, Message>();
    const covers: Interval[] = [];
    const ask = async (query: Readonly<Record<string, string>>) => {
      const answer = await client.call(getThread, {query: {pid: this.#id, ...query}});
      observe?.(answer);
      const {messages: items, ...conversation} = membersOf(answer.exact);
      const page = this.#messagesIn(itemsAt(items, []) ?? []);
      const fresh = page.messages.filter(({id}) => !found.has(id));
      for (const message of fresh) found.set(message.id, message);
      return {conversation, ...page, fresh};
    };
    const first = await ask({});
    if (first.newest === undefined) return yield {conversation: first.conversation, ...nothingThere};
    let [page, before]: [typeof first, string | undefined] = [first, undefined];
    for (let count = 1; ; count += 1) {
      const {fresh, newest, isWhole} = page;
      const [oldest] = fresh;
      if (oldest === undefined || newest === undefined) break;
      // Some servers answer with newer messages, too: what lies between is not known.
      const isInOrder = before === undefined || compareIds(newest.id, before) < 0;
      const to = before === undefined ? {id: newest.id, isWithin: true} : {id: before, isWithin: false};
      if (isInOrder && isWhole) covers.push({from: {id: oldest.id, isWithin: true}, to, ...(before === undefined && {toEnd: true})});
      this.#depth.pass(fresh.map(({value}) => readSentAt(value)));
      const isBack = before !== undefined && compareIds(oldest.id, before) >= 0;
      const isKnown = floor !== undefined && compareIds(oldest.id, floor) <= 0;
      if (isBack || isKnown || this.#depth.isEnough || count >= maxThreadPages) break;
      before = oldest.id;
      page = await ask({[pageParameters.before]: before});
    }
    if (since === undefined && known[0]?.from !== null) {
      const {messages, isWhole, oldest, newest} = await ask({[pageParameters.from]: lowestBound});
      if ((oldest?.id ?? lowestBound).length < shortId && !found.has(lowestBound)) await ask({[pageParameters.before]: '2'});
      // A full page with the newest message may be the last page again, from a server that takes no such bound.
      const isBeginning = messages.length < threadPageSize || !messages.some(({id}) => id === first.newest?.id);
      if (isBeginning && isWhole) covers.push({from: null, to: {id: newest?.id ?? lowestBound, isWithin: true}});
    }
    // Some servers mix the messages of their pages.
    const messages = [...found.values()].sort((one, other) => compareIds(one.id, other.id));
    yield {conversation: first.conversation, messages, newest: true};
    for (const interval of covers) yield {messages: [], covers: interval};
  }
}

/** The messages of a conversation that a plan names. @param id of a thread that of the other person @throws Failure */
export const readPages = (
  {id, type}: {readonly id: string; readonly type: ConversationType},
  plan: ReadingPlan,
  source: ArchiveSource,
): Pages => new PageReader(id, plan, source).pages(type);
