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
import {booleanAt, itemsAt, compareIds} from '../json/path.js';
import {messageIn, readSentAt, type ConversationType, type Message} from './message.js';
import {lowestId, type Interval, type Range} from './ranges.js';

/** How many messages to ask for in a request; servers allow no more. */
export const pageSize = 50;

export interface ReadingPlan {
  /** Ranges that need not be read again, the lowest first. */
  readonly known: readonly Range[];
  /** Only messages sent at this time or later, and others on the same pages; undefined means all messages. */
  readonly since?: Date | undefined;
  /** When an archived message was sent; undefined where that is unknown. */
  readonly dateOf: (id: string) => Date | undefined;
}

/** Messages that came together, oldest first. */
export interface ReadPage {
  readonly messages: readonly Message[];
  /** The conversation itself: a thread comes with its messages. */
  readonly conversation?: unknown;
  /** The range in which the page leaves no message out; undefined where the server does not make that certain. */
  readonly covers?: Interval | undefined;
  /** Whether there was no newer message than what was read so far. */
  readonly newest?: true | undefined;
}

export interface ArchiveSource {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly observe: (answer: Answer) => void;
  /** Called where an inbox changed in each of several readings, so that conversations of it may be missing. */
  readonly noteMoved: (inbox: string, readings: number) => void;
}

type Pages<Return = void> = AsyncGenerator<ReadPage, Return, undefined>;

const badPage = ({client: {host}}: ArchiveSource, what: string): Failure =>
  new Failure('bad_answer', `${host}: ${what}`, {reason: 'shape'});

/** What reading a conversation without messages gives: it counts as read, too. */
export const nothingThere: ReadPage = {messages: [], covers: {from: null, to: lowestId, toEnd: true}, newest: true};

/** Servers take no lower bound. */
const lowestBound = '1';

/** Pages in a row that have to be older than a date: dates need not follow ids, because other servers send messages late. */
const olderPages = 2;

const threadPageSize = 8;

const maxThreadPages = 1000;

/** Ids of messages mostly have 19 digits. Only where they are shorter than this can one be as low as the lowest bound. */
const shortId = 4;

class PageReader {
  readonly #id: string;
  readonly #plan: ReadingPlan;
  readonly #source: ArchiveSource;
  /** Pages in a row that are older than what is asked for. */
  #older = 0;
  /** Messages without an id cannot be archived. Reading goes on without them, and fails in the end. */
  #lacksIds = false;

  constructor(id: string, plan: ReadingPlan, source: ArchiveSource) {
    this.#id = id;
    this.#plan = plan;
    this.#source = source;
  }

  /** @throws Failure `bad_answer` in the end if there were messages that cannot be kept */
  async *pages(type: ConversationType): Pages {
    yield* type === 'thread' ? this.#threadPages() : this.#conversationPages();
    if (this.#lacksIds) throw badPage(this.#source, 'some messages have no id; the others are kept');
  }

  /** Reads from the newest message down, and skips the known ranges. */
  async *#conversationPages(): Pages {
    let below: string | undefined;
    for (const {from, to} of this.#plan.known.toReversed()) {
      if ((yield* this.#pagesDown(below, to)) || from === null || this.#isOlder(this.#plan.dateOf(from))) return;
      below = from;
    }
    yield* this.#pagesDown(below);
  }

  /** A message without a date may be from any time. */
  #isOlder(date: Date | undefined): boolean {
    const {since} = this.#plan;
    return since !== undefined && date !== undefined && date < since;
  }

  /** @returns whether messages were read as far back as the plan asks */
  #isEnough(messages: readonly Message[]): boolean {
    this.#older = messages.every(({value}) => this.#isOlder(readSentAt(value))) ? this.#older + 1 : 0;
    return this.#older >= olderPages;
  }

  /** The messages with ids, the oldest first. @returns also whether all have one: only then does the page show that nothing lies between them */
  #messagesIn(items: readonly unknown[]) {
    const messages = items.flatMap((item) => messageIn(item) ?? []).sort((one, other) => compareIds(one.id, other.id));
    const isWhole = messages.length === items.length;
    this.#lacksIds ||= !isWhole;
    return {messages, isWhole, oldest: messages[0], newest: messages.at(-1)};
  }

  /** The pages that have messages with ids. `isWholeSince`: whether no page between this one and the one before was left out. */
  async *#ask(before: string | undefined) {
    const {client, signal, observe} = this.#source;
    const bound = before === undefined ? {} : {[pageParameters.before]: before};
    const request = requestFor(listMessages, {path: {id: this.#id}, query: {...bound, limit: String(pageSize)}});
    let hasMore: boolean | undefined = false;
    let isWholeSince = true;
    for await (const {answer, items} of pagesOf(client, {request, endpoint: listMessages, signal})) {
      observe(answer);
      hasMore = booleanAt(answer.value, ['meta', 'has_more']);
      const {messages, isWhole, oldest, newest} = this.#messagesIn(items);
      isWholeSince &&= isWhole || oldest !== undefined;
      if (oldest === undefined || newest === undefined) continue;
      yield {messages, isWhole, oldest, newest, isWholeSince, isLast: hasMore === false};
      isWholeSince = true;
    }
    if (hasMore !== false) throw badPage(this.#source, 'there are more messages, and the response does not say where');
  }

  /** Reads back from a message, or from the newest one. @returns whether that is enough; false when it reached a known range */
  async *#pagesDown(before: string | undefined, floor?: string): Pages<boolean> {
    let low = before;
    for await (const {messages, isWhole, oldest, newest, isWholeSince, isLast} of this.#ask(before)) {
      if (low !== undefined && compareIds(newest.id, low) >= 0)
        throw badPage(this.#source, 'the next page does not lead to older messages');
      const isNewest = low === undefined;
      const to = isWholeSince ? (low ?? newest.id) : newest.id;
      const toEnd = isNewest && isWholeSince ? (true as const) : undefined;
      yield {
        messages,
        ...(isWhole && {covers: {from: isLast ? null : oldest.id, to, toEnd}}),
        ...(isNewest && {newest: true}),
      };
      low = oldest.id;
      if (isLast || this.#isEnough(messages)) return true;
      if (floor !== undefined && compareIds(low, floor) <= 0) return false;
    }
    yield low === undefined ? nothingThere : {messages: [], covers: {from: null, to: low}};
    return true;
  }

  /** Reads a thread of an older server: its last messages, its first ones, and those between as long as each answer has new ones. */
  async *#threadPages(): Pages {
    const {known, since} = this.#plan;
    const {client, observe} = this.#source;
    const floor = known.at(-1)?.to;
    const found = new Map<string, Message>();
    const covers: Interval[] = [];
    const ask = async (query: Readonly<Record<string, string>>) => {
      const answer = await client.call(getThread, {query: {pid: this.#id, ...query}});
      observe(answer);
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
      if (isInOrder && isWhole) covers.push({from: oldest.id, to: before ?? newest.id, toEnd: before === undefined || undefined});
      const isEnough = this.#isEnough(fresh);
      const isBack = before !== undefined && compareIds(oldest.id, before) >= 0;
      const isKnown = floor !== undefined && compareIds(oldest.id, floor) <= 0;
      if (isBack || isKnown || isEnough || count >= maxThreadPages) break;
      before = oldest.id;
      page = await ask({[pageParameters.before]: before});
    }
    if (since === undefined && known[0]?.from !== null) {
      const {messages, isWhole, oldest, newest} = await ask({[pageParameters.from]: lowestBound});
      if ((oldest?.id ?? lowestBound).length < shortId && !found.has(lowestBound)) await ask({[pageParameters.before]: '2'});
      // A full page with the newest message may be the last page again, from a server that takes no such bound.
      const isBeginning = messages.length < threadPageSize || !messages.some(({id}) => id === first.newest?.id);
      if (isBeginning && isWhole) covers.push({from: null, to: newest?.id ?? lowestBound});
    }
    // Some servers mix the messages of their pages.
    const messages = [...found.values()].sort((one, other) => compareIds(one.id, other.id));
    yield {conversation: first.conversation, messages, newest: true};
    for (const interval of covers) yield {messages: [], covers: interval};
  }
}

/** Reads the messages of a conversation that a plan asks for. @param id for a thread, the id of the other person @throws Failure */
export const readPages = (
  {id, type}: {readonly id: string; readonly type: ConversationType},
  plan: ReadingPlan,
  source: ArchiveSource,
): Pages => new PageReader(id, plan, source).pages(type);
