/** The conversations of an archive: `conversations.ndjson`. */
import type {FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {Failure} from '../client/failure.js';
import {openToWrite, writeWhole} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import {identifierAt, textAt} from '../json/path.js';
import {fieldTexts, itemTextsAt, kindOf} from '../json/slices.js';
import {time} from './entry.js';
import {linesOf, wholeLength, writeAll} from './lines.js';
import {nothingKept, type KeptCounts} from './merge.js';
import {accountFiles, nameOf} from './places.js';

const count = z.int().check(z.nonnegative());
const person = z.object({acct: z.string(), name: z.string()});

const shape = z.object({
  id: z.string(),
  type: z.enum(['conversation', 'thread']),
  folder: z.string(),
  first_seen: time,
  last_seen: time,
  missing_since: z.optional(time),
  incomplete: z.boolean(),
  /** Set until a run has read it to its end. */
  unfinished: z.optional(z.literal(true)),
  messages: count,
  missing: count,
  media: count,
  bytes: count,
  absent_media: count,
  first_id: z.nullable(z.string()),
  last_id: z.nullable(z.string()),
  last_at: z.nullable(time),
  people: z.record(z.string(), person),
});

export type Person = z.infer<typeof person>;

export type ConversationFacts = Readonly<z.infer<typeof shape>>;

export interface CatalogueEntry {
  readonly facts: ConversationFacts;
  /** The conversation as the server wrote it, on one line; a thread without its messages. */
  readonly text: string;
}

/** `conversation` of servers of 2026, `thread` of older ones: each has ids of its own. */
export type ConversationType = ConversationFacts['type'];

function peopleIn(text: string, type: ConversationType): Record<string, Person> {
  const value: unknown = JSON.parse(text);
  if (type === 'thread') {
    const id = identifierAt(text, ['id']);
    const acct = textAt(value, ['username']) ?? '';
    return id === undefined ? {} : {[id]: {acct, name: textAt(value, ['name']) ?? acct}};
  }
  const people = (itemTextsAt(text, ['participants']) ?? []).map((item): [string, Person] => {
    const one: unknown = JSON.parse(item);
    const acct = textAt(one, ['acct']) ?? '';
    return [identifierAt(item, ['id']) ?? '', {acct, name: textAt(one, ['display_name']) || acct}];
  });
  return Object.fromEntries(people);
}

/** A conversation that was seen just now. @param before what is known of it */
export function seenConversation(
  {id, type, text}: {readonly id: string; readonly type: ConversationType; readonly text: string},
  before: CatalogueEntry | undefined,
  now: string,
): CatalogueEntry {
  const {missing_since: _, ...known} = before?.facts ?? {...nothingKept, first_seen: now, people: {}, missing_since: undefined};
  const facts = {
    ...known,
    id,
    type,
    folder: nameOf(id),
    last_seen: now,
    incomplete: type === 'thread',
    // Those who have left stay known: their messages name them by ids.
    people: {...known.people, ...peopleIn(text, type)},
  };
  return {facts, text};
}

/** @param isRead whether a run has read it as far as it was to */
export function readAsFar({facts: {unfinished, ...facts}, text}: CatalogueEntry, isRead: boolean): CatalogueEntry {
  const isNew = facts.messages === 0;
  return {facts: {...facts, ...(!isRead && (isNew || unfinished === true) && {unfinished: true as const})}, text};
}

export const withCounts = ({facts, text}: CatalogueEntry, counts: KeptCounts): CatalogueEntry => ({facts: {...facts, ...counts}, text});

const lineOf = ({facts, text}: CatalogueEntry): string => `${JSON.stringify(facts).slice(0, -1)},"conversation":${text}}\n`;

function parseLine(line: string): CatalogueEntry {
  const facts = shape.parse(JSON.parse(line));
  const text = fieldTexts(line).get('conversation') ?? '';
  if (kindOf(text) !== 'object') throw new Error('no conversation');
  return {facts, text};
}

/** While it is open, changes are appended, and the last line of a conversation counts; in the end each has one line. */
export class Catalogue implements AsyncDisposable {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #entries: Map<string, CatalogueEntry>;

  private constructor(path: string, file: FileHandle, entries: Map<string, CatalogueEntry>) {
    this.#path = path;
    this.#file = file;
    this.#entries = entries;
  }

  /** @param folder of the account @throws Failure `local` for what no export writes */
  static async open(folder: string): Promise<Catalogue> {
    const path = join(folder, accountFiles.conversations);
    const entries = new Map<string, CatalogueEntry>();
    let line = 0;
    for await (const text of linesOf(path)) {
      line += 1;
      try {
        const entry = parseLine(text);
        if (entry.facts.folder !== nameOf(entry.facts.id)) throw new Error('another folder');
        entries.set(entry.facts.id, entry);
      } catch {
        throw new Failure('local', `${path} is damaged at line ${line}: nothing was sent`, {hint: 'remove this line, or restore the file'});
      }
    }
    const file = await openToWrite(path, 'append');
    // Behind a line that a kill cut off nothing can be appended.
    await file.truncate(await wholeLength(path));
    return new Catalogue(path, file, entries);
  }

  get(id: string): CatalogueEntry | undefined {
    return this.#entries.get(id);
  }

  /** By the newest message, newest first. */
  get entries(): CatalogueEntry[] {
    return [...this.#entries.values()].toSorted(
      ({facts: one}, {facts: other}) => (other.last_at ?? '').localeCompare(one.last_at ?? '') || compareIds(other.id, one.id),
    );
  }

  async set(entry: CatalogueEntry): Promise<void> {
    this.#entries.set(entry.facts.id, entry);
    await writeAll(this.#file, lineOf(entry));
  }

  /** Leaves one line for each conversation. */
  async tidy(): Promise<void> {
    const entries = this.entries;
    function* lines(): Generator<string> {
      for (const entry of entries) yield lineOf(entry);
    }
    await writeWhole(this.#path, lines());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
