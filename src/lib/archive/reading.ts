/**
 * What one run read of a conversation, written down as it came, page by page. It is merged with what is kept when it is over; a run that was
 * killed leaves it to the next one.
 */
import type {FileHandle} from 'node:fs/promises';
import * as z from 'zod/mini';
import {Failure} from '../client/failure.js';
import {openToRead} from '../files/read-file.js';
import {openToWrite} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import {fieldTexts, itemLinesAt, kindOf} from '../json/slices.js';
import {time} from './entry.js';
import {placedLinesOf, writeAll} from './lines.js';
import {messageIn, type Message} from './message.js';
import {addInterval, boundShape, isIn, type Bound, type Interval} from './ranges.js';
import type {SeenConversation} from './record.js';

/** Increased when the format changes. */
const version = 2;

const headerShape = z.object({
  reading: z.literal(version),
  at: time,
  id: z.string().check(z.minLength(1)),
  type: z.enum(['conversation', 'thread']),
  marks: z.boolean(),
  asked: z.optional(boundShape),
  reads: boundShape,
});

const edge = z.object({id: z.string().check(z.minLength(1)), isWithin: z.boolean()});
const pageShape = z.looseObject({
  covers: z.optional(z.object({from: z.nullable(edge), to: edge, toEnd: z.optional(z.literal(true))})),
  newest: z.optional(z.literal(true)),
});

/** What a run reads, and what for. */
interface ReadingHeader {
  /** The time of the run. */
  readonly at: string;
  readonly seen: SeenConversation;
  /** Whether messages that the server does not show are marked. */
  readonly marks: boolean;
  /** What the run asks for; undefined: nothing that was not asked for before. */
  readonly asked: Bound | undefined;
  /** How far back it reads. */
  readonly reads: Bound;
}

/** Messages that came together, oldest first. */
export interface ReadPage {
  readonly messages: readonly Message[];
  /** Undefined where a server does not say what lies between its messages. */
  readonly covers?: Interval | undefined;
  /** Whether there was no newer message than what was read so far. */
  readonly newest?: true | undefined;
}

export class ReadingWriter implements AsyncDisposable {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string, {at, seen: {id, type, text}, marks, asked, reads}: ReadingHeader): Promise<ReadingWriter> {
    const writer = new ReadingWriter(await openToWrite(path, 'replace'));
    const header = JSON.stringify({reading: version, at, id, type, marks, asked, reads});
    await writer.#write(`${header.slice(0, -1)},"conversation":${text}}`);
    return writer;
  }

  page({messages, ...facts}: ReadPage): Promise<void> {
    const known = JSON.stringify(facts);
    return this.#write(`{"page":[${messages.map(({text}) => text).join(',')}]${known === '{}' ? '' : `,${known.slice(1, -1)}`}}`);
  }

  /** Everything was read that was to be read. It is merged at once: a power failure costs what is read again. */
  end(): Promise<void> {
    return this.#write('{"end":true}');
  }

  async #write(line: string): Promise<void> {
    await writeAll(this.#file, `${line}\n`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}

/** Where a page is in the file, in bytes. */
interface PlacedPage {
  readonly start: number;
  readonly length: number;
  /** The first id of the page. */
  readonly first: string;
}

/** @throws Error for what no run writes */
function headerIn(line: string, value: unknown): ReadingHeader {
  const {at, id, type, marks, asked, reads} = headerShape.parse(value);
  const text = fieldTexts(line).get('conversation') ?? '';
  if (kindOf(text) !== 'object') throw new Error('no conversation');
  return {at, seen: {id, type, text}, marks, asked, reads};
}

/** @returns undefined for a line that no run wrote: the others are as good without it */
function pageIn(line: string) {
  try {
    const facts = pageShape.parse(JSON.parse(line));
    const ids = (itemLinesAt(line, ['page']) ?? []).flatMap((one) => messageIn(one)?.id ?? []);
    return {facts, ids};
  } catch {
    return undefined;
  }
}

interface Found extends ReadingHeader {
  readonly pages: readonly PlacedPage[];
  readonly covers: readonly Interval[];
  readonly isEnded: boolean;
  readonly newest: boolean;
}

/** What an earlier run, or this one, wrote down. */
export class Reading {
  readonly #path: string;
  readonly #found: Found;

  private constructor(path: string, found: Found) {
    this.#path = path;
    this.#found = found;
  }

  get header(): ReadingHeader {
    return this.#found;
  }

  /** What the pages answer for. */
  get covers(): readonly Interval[] {
    return this.#found.covers;
  }

  /** Whether everything was read that was to be read. */
  get isEnded(): boolean {
    return this.#found.isEnded;
  }

  get newest(): boolean {
    return this.#found.newest;
  }

  isCovered(id: string): boolean {
    return this.#found.covers.some((interval) => isIn(interval, id));
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
    let header: ReadingHeader | undefined;
    let [isEnded, newest] = [false, false];
    const pages: PlacedPage[] = [];
    const covers: Interval[] = [];
    let isCut = false;
    for await (const {text, start, length} of placedLinesOf(path)) {
      if (header === undefined) {
        header = headerIn(text, JSON.parse(text));
        continue;
      }
      isEnded = text === '{"end":true}';
      if (isEnded) continue;
      const page = pageIn(text);
      isCut ||= page === undefined;
      if (page === undefined) continue;
      const {facts, ids} = page;
      const [first] = ids;
      if (first !== undefined) pages.push({start, length, first});
      if (facts.covers !== undefined) addInterval(covers, facts.covers);
      newest ||= facts.newest === true;
    }
    if (header === undefined) return undefined;
    const sorted = pages.toSorted((one, other) => compareIds(one.first, other.first));
    return new Reading(path, {...header, pages: sorted, covers, isEnded: isEnded && !isCut, newest});
  }

  /** From the oldest to the newest, each once. */
  async *messages(): AsyncGenerator<Message, void, undefined> {
    await using file = await openToRead(this.#path);
    let last: string | undefined;
    for (const {start, length} of this.#found.pages) {
      const bytes = Buffer.alloc(length);
      await file.read(bytes, 0, length, start);
      for (const line of itemLinesAt(bytes.toString('utf8'), ['page']) ?? []) {
        const message = messageIn(line);
        if (message === undefined || (last !== undefined && compareIds(message.id, last) <= 0)) continue;
        last = message.id;
        yield message;
      }
    }
  }
}
