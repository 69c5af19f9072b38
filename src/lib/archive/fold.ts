/** What the lines of a log come to: a conversation as it is archived. */
import * as z from 'zod/mini';
import {isObject} from '../api/schema.js';
import {textAt} from '../json/path.js';
import {contentOf, mayHaveMedia, mediaIn} from './message.js';
import {gapsOf, joinedRanges, type Gap, type Interval, type Range} from './ranges.js';
import {identifierIn, itemTextsAt, memberText, textWith} from './texts.js';

const id = z.string().check(z.minLength(1));
const time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'expected a time'));
const edge = z.object({id, isWithin: z.boolean()});
const covers = z.object({from: z.nullable(edge), to: edge, toEnd: z.optional(z.literal(true))});
const maybe = z.optional;
const isTrue = z.literal(true);

/** `conversation` of servers of 2026, `thread` of older ones: each has ids of its own. */
const type = z.enum(['conversation', 'thread']);
export type ConversationType = z.infer<typeof type>;

const mediumShape = z.object({
  /** The message that it came with. */
  of: id,
  id,
  /** Where it is, in the folder of the conversation. */
  file: maybe(z.string().check(z.regex(/^media\/[\da-f]+(?:-\d+)?\.\w+$/))),
  /** What its bytes show. */
  type: maybe(z.string()),
  /** Bytes. */
  length: maybe(z.number()),
  sha256: maybe(z.string()),
  /** Why it is not there. */
  why: maybe(z.string()),
});

/** What is known of a file. */
export type Medium = z.infer<typeof mediumShape>;

/** The lines of a log, but for those of messages. */
const lineShape = z.union([
  z.object({media: mediumShape}),
  z.object({page: z.number(), known: z.number(), covers: maybe(covers), newest: maybe(isTrue)}),
  z.object({gone: id}),
  z.object({back: id}),
  z.object({person: z.object({id, account: z.looseObject({})})}),
  z.object({end: time}),
  z.object({run: time, id, type, conversation: maybe(z.looseObject({}))}),
]);

/** Why a line is no line of a log. */
export class NoLine extends Error {}

export interface Person {
  readonly acct: string;
  readonly name: string;
}

export function personIn(account: unknown): Person {
  const acct = textAt(account, ['acct']) ?? textAt(account, ['username']) ?? '';
  return {acct, name: (textAt(account, ['display_name']) ?? textAt(account, ['name'])) || acct};
}

/** The others in a conversation, or the one in a thread: by their ids, as the server wrote them. */
export function peopleIn(text: string, of: ConversationType): Map<string, string> {
  const all = of === 'thread' ? [withoutLists(text)] : (itemTextsAt(text, ['participants']) ?? []);
  return new Map(all.flatMap((one) => [[identifierIn(one, ['id']) ?? '', one] as const]).filter(([key]) => key !== ''));
}

/** A thread is an account with more members. */
const withoutLists = (text: string): string => textWith(text, (_, value) => !Array.isArray(value));

/** A message as it was at a time. */
interface Version {
  /** Where its line is in the log, in bytes. */
  readonly offset: number;
  readonly length: number;
  /** The time of the run that read it. */
  readonly at: string;
  readonly before: Version | undefined;
}

export interface ArchivedMessage {
  readonly id: string;
  readonly version: Version;
  readonly content: string;
  /** The ids of the media of all its versions, and of the newest one. */
  readonly media: Set<string>;
  readonly ownMedia: readonly string[];
  /** Since when the server does not show it any more. */
  readonly missingSince: string | undefined;
}

const none: readonly string[] = [];
const noMedia = new Set<string>();

const messageStart = '{"id":';
const textStart = ',"message":';

/** The line of a message. @param text one line of JSON */
export const messageLine = (message: string, text: string): string => `${messageStart}${JSON.stringify(message)}${textStart}${text}}`;

/** The text of a message as the server wrote it. @param body a line that {@link messageLine} made */
export function messageText(body: string, message: string): string {
  return body.slice(messageStart.length + JSON.stringify(message).length + textStart.length, -1);
}

export class ArchivedConversation {
  /** The id that the log states; undefined where it states none. */
  id: string | undefined;
  type: ConversationType = 'conversation';
  /** As the server wrote it when it last changed; a thread without its messages. */
  text: string | undefined;
  readonly people = new Map<string, Person>();
  /** In the order in which they were first read. */
  readonly messages = new Map<string, ArchivedMessage>();
  readonly media = new Map<string, Medium>();
  ranges: readonly Range[] = [];
  /** Whether the last run that read pages reached the newest message. */
  newest = false;
  /** The time of the last run; undefined before the first one. */
  at: string | undefined;

  /** @param body a line without its proof @param span where it is in the log @throws NoLine */
  add(body: string, span: {readonly offset: number; readonly length: number}): void {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      throw new NoLine();
    }
    if (body.startsWith(messageStart)) return this.#addMessage(body, value, span);
    const found = lineShape.safeParse(value);
    if (!found.success) throw new NoLine();
    const line = found.data;
    if ('media' in line) this.#addMedium(line.media);
    else if ('page' in line) {
      this.newest = line.newest === true;
      if (line.covers !== undefined) this.ranges = joinedRanges(this.ranges, line.covers satisfies Interval);
    } else if ('gone' in line) this.#mark(line.gone, this.at);
    else if ('back' in line) this.#mark(line.back, undefined);
    else if ('person' in line) this.people.set(line.person.id, personIn(line.person.account));
    else if ('run' in line) {
      this.at = line.run;
      this.id ??= line.id;
      if (this.id !== line.id) throw new NoLine();
      this.type = line.type;
      if (line.conversation !== undefined) this.text = memberText(body, 'conversation');
    }
  }

  #addMessage(body: string, value: unknown, {offset, length}: {readonly offset: number; readonly length: number}): void {
    const {id: own, message} = isObject(value) ? value : {};
    if (typeof own !== 'string' || !isObject(message)) throw new NoLine();
    const text = messageText(body, own);
    const known = this.messages.get(own);
    const ownMedia = mayHaveMedia(text) ? mediaIn(text).map(({id: medium}) => medium) : none;
    const media = known === undefined && ownMedia.length === 0 ? noMedia : new Set([...(known?.media ?? []), ...ownMedia]);
    const version = {offset, length, at: this.at ?? '', before: known?.version};
    this.messages.set(own, {id: own, version, content: contentOf(text, message), media, ownMedia, missingSince: undefined});
  }

  #addMedium(medium: Medium): void {
    this.media.set(medium.id, medium);
    const message = this.messages.get(medium.of);
    if (message === undefined) throw new NoLine();
    if (!message.media.has(medium.id)) this.messages.set(medium.of, {...message, media: new Set([...message.media, medium.id])});
  }

  #mark(message: string, since: string | undefined): void {
    const known = this.messages.get(message);
    if (known === undefined) throw new NoLine();
    this.messages.set(message, {...known, missingSince: since});
  }

  /** What was not read, from the oldest messages to the newest. */
  get gaps(): readonly Gap[] {
    return gapsOf(this.ranges, this.newest);
  }

  /** Whether the server does not show all of it: one from before 2026 shows the first and the last messages of a thread. */
  get isIncomplete(): boolean {
    return this.type === 'thread' && this.gaps.length > 0;
  }

  /** The others in it, as `@bob`. */
  get handles(): string[] {
    return [...this.people.values()].map(({acct}) => `@${acct}`);
  }

  /** Whether it is among those that are named: by ids, or by the only other person. @param named undefined: all are */
  isNamed(named: readonly string[] | undefined): boolean {
    const [handle, ...others] = this.handles;
    return (
      named === undefined || (this.id !== undefined && named.includes(this.id)) || (others.length === 0 && named.includes(handle ?? ''))
    );
  }
}
