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
import {messageIn, readSentAt, type Message} from './message.js';
import {lowestId, type Interval, type Range} from './ranges.js';
import {itemTextsAt, textWith} from './texts.js';

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
}

export const everything: ReadingPlan = {known: [], dateOf: () => undefined};

/** Messages that came together, oldest first. */
export interface ReadPage {
  readonly messages: readonly Message[];
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

export type Pages = AsyncGenerator<ReadPage, void, undefined>;

function badPage(host: string, what: string): Failure {
  return new Failure('bad_answer', `${host}: ${what}`, {reason: 'shape'});
}

/** Messages without an id cannot be archived. Reading goes on without them, and fails in the end. */
class WithoutId {
  #wereThere = false;
  readonly #host: string;

  constructor(host: string) {
    this.#host = host;
  }

  /** The others, oldest first. @returns also whether there are no others: then the page answers for what is between them */
  messagesIn(lines: readonly string[]): {readonly messages: readonly Message[]; readonly isWhole: boolean} {
    const messages = lines.flatMap((line) => messageIn(line) ?? []);
    const isWhole = messages.length === lines.length;
    this.#wereThere ||= !isWhole;
    return {messages: messages.toSorted((one, other) => compareIds(one.id, other.id)), isWhole};
  }

  /** @throws Failure `bad_answer` if there were any */
  refuse(): void {
    if (this.#wereThere) throw badPage(this.#host, 'some messages have no id; the others are kept');
  }
}

async function* pages(id: string, query: Readonly<Record<string, string>>, {client, signal, observe}: ArchiveSource): AsyncGenerator<Page> {
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
async function* pagesUp(id: string, above: string | null, source: ArchiveSource, withoutId: WithoutId): Pages {
  const {host} = source.client;
  let newest = above;
  let isKnownBelow = true;
  for await (const page of pages(id, {[pageParameters.from]: above ?? lowestBound}, source)) {
    const {messages, isWhole} = withoutId.messagesIn(page.items.map((item) => JSON.stringify(item)));
    const [oldest, last] = [messages[0], messages.at(-1)];
    isKnownBelow &&= isWhole || oldest !== undefined;
    if (oldest === undefined || last === undefined) continue;
    if (newest !== null && compareIds(oldest.id, newest) <= 0) throw badPage(host, 'the next page does not lead to newer messages');
    if (newest === null && oldest.id.length < shortId) yield* lowestMessages(id, source, withoutId);
    const below = newest === null ? null : {id: newest, isWithin: false};
    const covers = {from: isKnownBelow ? below : {id: oldest.id, isWithin: true}, to: {id: last.id, isWithin: true}};
    yield {messages, ...(isWhole && {covers})};
    isKnownBelow = true;
    newest = last.id;
  }
  yield newest === null ? nothingThere : nothingAbove(newest);
}

/** A conversation without messages is read, too. */
export const nothingThere: ReadPage = {messages: [], covers: {from: null, to: {id: lowestId, isWithin: true}, toEnd: true}, newest: true};

const nothingAbove = (id: string): ReadPage => ({
  messages: [],
  covers: {from: {id, isWithin: false}, to: {id, isWithin: true}, toEnd: true},
  newest: true,
});

/** What no lower bound shows, because it is the bound. */
async function* lowestMessages(id: string, source: ArchiveSource, withoutId: WithoutId): Pages {
  for await (const page of pages(id, {[pageParameters.before]: '2'}, source)) {
    const {messages} = withoutId.messagesIn(page.items.map((item) => JSON.stringify(item)));
    if (messages.length > 0) yield {messages};
  }
}

/** Pages in a row that have to be older than a date, where dates do not follow ids. */
const olderPages = 2;

/** How far back reading is to go, watched page by page. */
class Depth {
  readonly #since: number | undefined;
  readonly #dateOf: ReadingPlan['dateOf'];
  #older = 0;
  #earliest = Number.POSITIVE_INFINITY;
  /** Whether dates do not follow ids: a message has a later date than one with a higher id. */
  isOutOfOrder = false;

  constructor({since, dateOf}: Pick<ReadingPlan, 'dateOf' | 'since'>) {
    this.#since = since?.getTime();
    this.#dateOf = dateOf;
  }

  /** @param messages of a page, oldest first */
  pass(messages: readonly Message[]): void {
    if (this.#since !== undefined) this.#passDates(messages.map(({text}) => readSentAt(JSON.parse(text))?.getTime()));
  }

  /** Passes over a range that is known, down to its lowest message. */
  passKnown(low: string | null): void {
    if (this.#since !== undefined && low !== null) this.#passDates([this.#dateOf(low)?.getTime()]);
  }

  #passDates(dates: readonly (number | undefined)[]): void {
    const {POSITIVE_INFINITY: unknown} = Number;
    const times = dates.filter((time) => time !== undefined);
    for (const time of times.toReversed()) {
      if (time > this.#earliest) this.isOutOfOrder = true;
      this.#earliest = Math.min(time, this.#earliest);
    }
    // A message without a date may be from any time, so it does not end the reading.
    const isOlder = dates.every((time) => (time ?? unknown) < (this.#since ?? 0));
    this.#older = isOlder ? this.#older + 1 : 0;
  }

  /** Whether what was read is enough. */
  get isEnough(): boolean {
    return this.#since !== undefined && this.#older >= (this.isOutOfOrder ? olderPages : 1);
  }
}

/** From a message, or the newest one, back. @returns whether it is enough; otherwise what is known was reached */
async function* pagesDown(
  id: string,
  {before, floor, depth}: {readonly before: string | undefined; readonly floor: string | undefined; readonly depth: Depth},
  source: ArchiveSource,
  withoutId: WithoutId,
): AsyncGenerator<ReadPage, boolean, undefined> {
  const {host} = source.client;
  let low = before;
  let isKnownAbove = true;
  const query = before === undefined ? {} : {[pageParameters.before]: before};
  for await (const page of pages(id, query, source)) {
    const {messages, isWhole} = withoutId.messagesIn(page.items.map((item) => JSON.stringify(item)));
    const [oldest, newest] = [messages[0], messages.at(-1)];
    isKnownAbove &&= isWhole || oldest !== undefined;
    if (oldest === undefined || newest === undefined) continue;
    if (low !== undefined && compareIds(newest.id, low) >= 0) throw badPage(host, 'the next page does not lead to older messages');
    const isNewest = low === undefined && before === undefined;
    const to = low === undefined || !isKnownAbove ? {id: newest.id, isWithin: true} : {id: low, isWithin: false};
    const isLast = booleanAt(page.answer.value, ['meta', 'has_more']) === false;
    const covers = {from: isLast ? null : {id: oldest.id, isWithin: true}, to, ...(isNewest && isKnownAbove && {toEnd: true as const})};
    yield {messages, ...(isWhole && {covers}), ...(isNewest && {newest: true})};
    low = oldest.id;
    isKnownAbove = true;
    depth.pass(messages);
    if (isLast || depth.isEnough) return true;
    if (floor !== undefined && compareIds(low, floor) <= 0) return false;
  }
  if (low === undefined) yield nothingThere;
  else yield {messages: [], covers: {from: null, to: {id: low, isWithin: false}}};
  return true;
}

/**
 * The messages of a conversation that a plan names, with what lies between what is known.
 * @param tell called where dates do not follow ids, so that more was read
 * @throws Failure
 */
export async function* messagePages(id: string, {known, ...wanted}: ReadingPlan, source: ArchiveSource, tell = () => {}): Pages {
  const withoutId = new WithoutId(source.client.host);
  const depth = new Depth(wanted);
  const rest = [...known];
  /** How far it is read from the newest message without a gap; null: to the beginning. */
  let low: string | null | undefined;
  if (wanted.since === undefined) {
    const top = rest.pop();
    yield* pagesUp(id, top === undefined || top.to === lowestId ? null : top.to, source, withoutId);
    low = top?.from ?? null;
  }
  while (low === undefined || (low !== null && !depth.isEnough)) {
    const next = rest.pop();
    const isEnough: boolean = yield* pagesDown(id, {before: low, floor: next?.to, depth}, source, withoutId);
    if (isEnough) break;
    low = next?.from ?? null;
    depth.passKnown(low);
  }
  if (depth.isOutOfOrder) tell();
  withoutId.refuse();
}

/** A thread without its messages, which are in a file of their own. */
const withoutMessages = (text: string): string => textWith(text, (name) => name !== 'messages');

/** Threads of older servers: the last messages, the first ones, and others only as far as asking for them brings new ones. */
export interface Thread {
  /** The first answer without its messages. */
  readonly text: string;
  readonly pages: readonly ReadPage[];
  /** @throws Failure `bad_answer` if there were messages that cannot be kept */
  readonly refuseWithoutId: () => void;
}

/** How many messages of a thread one answer has. */
const threadPageSize = 8;

/** Pages that bring something new. */
const maxThreadPages = 1000;

/** @param tell called where dates do not follow ids, so that more was read */
export async function readThreadPages(
  pid: string,
  {known, ...wanted}: ReadingPlan,
  {client, observe}: ArchiveSource,
  tell = () => {},
): Promise<Thread> {
  const withoutId = new WithoutId(client.host);
  const depth = new Depth(wanted);
  const floor = known.at(-1)?.to;
  const found = new Map<string, Message>();
  const covers: Interval[] = [];
  const ask = async (query: Readonly<Record<string, string>>) => {
    const answer = await client.call(getThread, {query: {pid, ...query}});
    observe?.(answer);
    const {messages, isWhole} = withoutId.messagesIn(itemTextsAt(answer.text, ['messages']) ?? []);
    const fresh = messages.filter(({id}) => !found.has(id));
    for (const message of fresh) found.set(message.id, message);
    return {text: answer.text, messages, fresh, isWhole};
  };
  const first = await ask({});
  const text = withoutMessages(first.text);
  const newest = first.messages.at(-1)?.id;
  if (newest === undefined) return {text, pages: [nothingThere], refuseWithoutId: () => withoutId.refuse()};
  let [page, before]: [typeof first, string | undefined] = [first, undefined];
  for (let count = 1; ; count += 1) {
    const {fresh, messages, isWhole} = page;
    const [oldest, last] = [fresh[0]?.id, messages.at(-1)?.id];
    if (oldest === undefined || last === undefined) break;
    // Some servers answer with newer messages, too: what lies between is not known.
    const isInOrder = before === undefined || compareIds(last, before) < 0;
    const to = before === undefined ? {id: last, isWithin: true} : {id: before, isWithin: false};
    if (isInOrder && isWhole) covers.push({from: {id: oldest, isWithin: true}, to, ...(before === undefined && {toEnd: true})});
    depth.pass(fresh);
    const isBack = before !== undefined && compareIds(oldest, before) >= 0;
    const isKnown = floor !== undefined && compareIds(oldest, floor) <= 0;
    if (isBack || isKnown || depth.isEnough || count >= maxThreadPages) break;
    before = oldest;
    page = await ask({[pageParameters.before]: before});
  }
  if (wanted.since === undefined && known[0]?.from !== null) {
    const {messages, isWhole} = await ask({[pageParameters.from]: lowestBound});
    const [oldest = lowestBound, last = lowestBound] = [messages[0]?.id, messages.at(-1)?.id];
    if (oldest.length < shortId && !found.has(lowestBound)) await ask({[pageParameters.before]: '2'});
    // A full page with the newest message may be the last page again, from a server that takes no such bound.
    const isBeginning = messages.length < threadPageSize || !messages.some(({id}) => id === newest);
    if (isBeginning && isWhole) covers.push({from: null, to: {id: last, isWithin: true}});
  }
  if (depth.isOutOfOrder) tell();
  // Some servers mix the messages of their pages.
  const messages = [...found.values()].toSorted((one, other) => compareIds(one.id, other.id));
  const pages = [{messages, newest: true} as const, ...covers.map((interval) => ({messages: [], covers: interval}))];
  return {text, pages, refuseWithoutId: () => withoutId.refuse()};
}
