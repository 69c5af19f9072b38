/** Builds an archived conversation from the lines of its log. */
import * as z from 'zod/mini';
import {isObject, membersOf} from '../api/schema.js';
import type {Span} from '../files/lines.js';
import {contentOf, type ConversationType, conversationTypes, mediaIn, parseLine, personIn, readSentAt, type Person} from './message.js';
import {gapsOf, joinedRanges, type Gap, type Range} from './ranges.js';

const id = z.string().check(z.minLength(1));
const time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'expected a time'));
const covers = z.object({from: z.nullable(id), to: id, toEnd: z.optional(z.literal(true))});
const maybe = z.optional;

const mediumShape = z.object({
  /** The id of the message that it came with. */
  of: id,
  id,
  /** Its path in the folder of the conversation; undefined where it could not be fetched. */
  file: maybe(z.string().check(z.regex(/^media\/[\da-f]+(?:-\d+)?\.\w+$/))),
  /** The type that its bytes show. */
  type: maybe(z.string()),
  /** Bytes. */
  length: maybe(z.number()),
  sha256: maybe(z.string()),
  /** Why there is no file. */
  why: maybe(z.string()),
});

export type Medium = z.infer<typeof mediumShape>;

/** The lines of a log, except those of messages. */
const lineShape = z.union([
  z.object({media: mediumShape}),
  z.object({page: z.number(), known: z.number(), covers: maybe(covers), newest: maybe(z.literal(true))}),
  z.object({gone: id}),
  z.object({back: id}),
  z.object({person: z.object({id, account: z.looseObject({})})}),
  z.object({end: time}),
  z.object({run: time, id, type: z.enum(conversationTypes), conversation: maybe(z.looseObject({}))}),
]);

/** One version of a message, by the place of its line in the log. */
export interface Version extends Span {
  /** The time of the run that read it. */
  readonly at: string;
  readonly before: Version | undefined;
}

export interface ArchivedMessage {
  readonly id: string;
  readonly version: Version;
  readonly content: string;
  readonly sent: Date | undefined;
  /** The ids of the media of all versions; `ownMedia` has those of the newest one. */
  readonly media: ReadonlySet<string>;
  readonly ownMedia: readonly string[];
  /** Since when the server does not show it any more. */
  readonly missingSince: string | undefined;
}

export class ArchivedConversation {
  /** The id that the log states; undefined where it states none. */
  id: string | undefined;
  type: ConversationType = 'conversation';
  /** As the server wrote it when it last changed, without messages; undefined where no run has seen it since its log was damaged. */
  shown: unknown;
  readonly people = new Map<string, Person>();
  /** In the order in which they were first read. */
  readonly messages = new Map<string, ArchivedMessage>();
  readonly media = new Map<string, Medium>();
  ranges: readonly Range[] = [];
  /** Whether the last run that read pages reached the newest message. */
  newest = false;
  /** The time of the last run; undefined before the first one. */
  at: string | undefined;

  /** @param body a line without its proof @param span its place in the log @returns false for a line that no run writes, which adds nothing */
  add(body: string, span: Span): boolean {
    let value: unknown;
    try {
      value = parseLine(body);
    } catch {
      return false;
    }
    const {id: own, message} = membersOf(value);
    // Most lines are messages, so they skip the shape, which is slower.
    if (typeof own === 'string' && own !== '' && isObject(message)) {
      this.#addMessage(own, message, span);
      return true;
    }
    const found = lineShape.safeParse(value);
    if (!found.success) return false;
    const line = found.data;
    if ('media' in line) return this.#addMedium(line.media);
    else if ('page' in line) {
      this.newest = line.newest === true;
      if (line.covers !== undefined) this.ranges = joinedRanges(this.ranges, line.covers);
    } else if ('gone' in line) return this.#mark(line.gone, this.at);
    else if ('back' in line) return this.#mark(line.back, undefined);
    else if ('person' in line) this.people.set(line.person.id, personIn(line.person.account));
    else if ('run' in line) {
      if (this.id !== undefined && this.id !== line.id) return false;
      [this.at, this.id, this.type] = [line.run, line.id, line.type];
      this.shown = line.conversation ?? this.shown;
    }
    return true;
  }

  #addMessage(message: string, value: unknown, {offset, length}: Span): void {
    const known = this.messages.get(message);
    const ownMedia = mediaIn(value).map(({id: medium}) => medium);
    this.messages.set(message, {
      id: message,
      version: {offset, length, at: this.at ?? '', before: known?.version},
      content: contentOf(value),
      sent: readSentAt(value),
      media: new Set([...(known?.media ?? []), ...ownMedia]),
      ownMedia,
      missingSince: undefined,
    });
  }

  #addMedium(medium: Medium): boolean {
    const message = this.messages.get(medium.of);
    if (message === undefined) return false;
    this.media.set(medium.id, medium);
    if (!message.media.has(medium.id)) this.messages.set(medium.of, {...message, media: new Set([...message.media, medium.id])});
    return true;
  }

  #mark(message: string, missingSince: string | undefined): boolean {
    const known = this.messages.get(message);
    if (known !== undefined) this.messages.set(message, {...known, missingSince});
    return known !== undefined;
  }

  get gaps(): readonly Gap[] {
    return gapsOf(this.ranges, this.newest);
  }

  /** The other people in it, as `@bob`. */
  get handles(): string[] {
    return [...this.people.values()].map(({acct}) => `@${acct}`);
  }
}
