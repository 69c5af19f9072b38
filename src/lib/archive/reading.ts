/**
 * What one run read of a conversation, written down as it came: pages of messages, and the files that were fetched for them. It is
 * merged with what is kept when it is over; a run that was killed leaves it to the next one.
 */
import type {FileHandle} from 'node:fs/promises';
import * as z from 'zod/mini';
import {Failure} from '../client/failure.js';
import {openToRead} from '../files/read-file.js';
import {openToWrite} from '../files/whole-file.js';
import {itemLinesAt} from '../json/slices.js';
import {mediumShape, time, type MediumEntry} from './entry.js';
import {placedLinesOf, writeAll} from './lines.js';
import {messageIn, type Message} from './message.js';

const headerShape = z.object({reading: z.literal(1), at: time, order: z.enum(['down', 'up'])});

/** From where on everything was read; null: from the beginning. */
export interface Bound {
  readonly id: string;
  /** Whether the message of this id is part of it. */
  readonly isWithin: boolean;
}

const endShape = z.object({end: z.nullable(z.object({id: z.string(), isWithin: z.boolean()}))});
const mediaShape = z.object({media: z.record(z.string(), mediumShape)});
const retriedShape = z.object({retried: z.record(z.string(), mediumShape)});

export interface ReadPage {
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly media: ReadonlyMap<string, MediumEntry>;
}

/** Which way pages come: from the oldest messages to the newest, or back. */
export type Order = 'down' | 'up';

export class ReadingWriter implements AsyncDisposable {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @param at the time of the run */
  static async create(path: string, {at, order}: {readonly at: string; readonly order: Order}): Promise<ReadingWriter> {
    const writer = new ReadingWriter(await openToWrite(path, 'replace'));
    await writer.#write(JSON.stringify({reading: 1, at, order}));
    return writer;
  }

  /** @param messages oldest first */
  page(messages: readonly Message[]): Promise<void> {
    return this.#write(`{"page":[${messages.map(({text}) => text).join(',')}]}`);
  }

  /** What was fetched for the last page. */
  media(entries: readonly MediumEntry[]): Promise<void> {
    return this.#write(JSON.stringify({media: Object.fromEntries(entries.map((entry) => [entry.id, entry]))}));
  }

  /** What was fetched for messages that are not read again. */
  retried(entries: readonly MediumEntry[]): Promise<void> {
    return this.#write(JSON.stringify({retried: Object.fromEntries(entries.map((entry) => [entry.id, entry]))}));
  }

  /** Everything was read without an error. @param from null: from the beginning */
  async end(from: Bound | null): Promise<void> {
    await this.#write(JSON.stringify({end: from}));
    await this.#file.datasync();
  }

  async #write(line: string): Promise<void> {
    await writeAll(this.#file, `${line}\n`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}

interface Place {
  readonly start: number;
  readonly length: number;
}

/** Where a page is in the file, and what was fetched for it. */
interface PlacedPage {
  readonly messages: Place;
  media: Place | undefined;
}

/** What an earlier run, or this one, wrote down. */
export class Reading {
  readonly at: string;
  /** Undefined: it was not read to its end. */
  readonly end: {readonly from: Bound | null} | undefined;
  /** What was fetched for messages that were not read again. */
  readonly retried: ReadonlyMap<string, MediumEntry>;
  readonly #path: string;
  readonly #pages: readonly PlacedPage[];

  private constructor(path: string, pages: readonly PlacedPage[], {at, end, retried}: Pick<Reading, 'at' | 'end' | 'retried'>) {
    this.#path = path;
    this.at = at;
    this.#pages = pages;
    this.end = end;
    this.retried = retried;
  }

  /** @returns undefined where there is none, or nothing that a run wrote */
  static async open(path: string): Promise<Reading | undefined> {
    try {
      return await Reading.#opened(path);
    } catch (error) {
      if (error instanceof Failure) throw error;
      return undefined;
    }
  }

  static async #opened(path: string): Promise<Reading | undefined> {
    let header: z.infer<typeof headerShape> | undefined;
    let end: Reading['end'];
    let retried: Reading['retried'] = new Map();
    const pages: PlacedPage[] = [];
    for await (const {text, start, length} of placedLinesOf(path)) {
      // A line that no run wrote is found before anything is merged.
      const value: unknown = JSON.parse(text);
      if (header === undefined) header = headerShape.parse(value);
      else if (text.startsWith('{"page":')) pages.push({messages: {start, length}, media: undefined});
      else if (text.startsWith('{"end":')) end = {from: endShape.parse(value).end};
      else if (text.startsWith('{"retried":')) retried = new Map(Object.entries(retriedShape.parse(value).retried));
      else {
        const last = pages.at(-1);
        mediaShape.parse(value);
        if (last !== undefined) last.media = {start, length};
      }
    }
    if (header === undefined) return undefined;
    return new Reading(path, header.order === 'up' ? pages : pages.toReversed(), {at: header.at, end, retried});
  }

  /** From the oldest messages to the newest. */
  async *pages(): AsyncGenerator<ReadPage, void, undefined> {
    await using file = await openToRead(this.#path);
    const textAt = async ({start, length}: Place) => {
      const bytes = Buffer.alloc(length);
      await file.read(bytes, 0, length, start);
      return bytes.toString('utf8');
    };
    for (const {messages, media} of this.#pages) {
      const texts = itemLinesAt(await textAt(messages), ['page']) ?? [];
      const entries = media === undefined ? {} : mediaShape.parse(JSON.parse(await textAt(media))).media;
      yield {messages: texts.flatMap((text) => messageIn(text) ?? []), media: new Map(Object.entries(entries))};
    }
  }
}
