/** Merges what was read of a conversation with what is kept of it. */
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {compareIds} from '../json/compare-ids.js';
import {entryLine, versionOf, type Entry, type MediumEntry} from './entry.js';
import {beginNext, keptMessages, replaceKept, type KeptMessage} from './kept.js';
import {LineWriter} from './lines.js';
import {KeptMedia} from './media-file.js';
import {mediaIn, saysTheSame, sentAt, type Message} from './message.js';
import {Peekable} from './peekable.js';
import {keptFiles, type ConversationPlace} from './places.js';
import type {Bound, Reading} from './reading.js';

/** What is kept of a conversation. */
export interface KeptCounts {
  readonly messages: number;
  /** Messages that the server does not show any more. */
  readonly missing: number;
  /** Files, and their bytes. */
  readonly media: number;
  readonly bytes: number;
  /** Files that could not be fetched yet. */
  readonly absent_media: number;
  readonly first_id: string | null;
  readonly last_id: string | null;
  /** When the newest message was sent. */
  readonly last_at: string | null;
}

/** What a run changed. */
export interface ChangeCounts {
  readonly new: number;
  /** Messages that say something else than before. */
  readonly changed: number;
  /** Messages that the server does not show any more since this run. */
  readonly gone: number;
  /** Messages that were forgotten. */
  readonly dropped: number;
  readonly new_media: number;
  /** Files that could not be fetched this time. */
  readonly failed_media: number;
  /** Why, of the first of them. */
  readonly media_errors: readonly MediumError[];
}

export interface MediumError {
  readonly message_id: string;
  readonly media_id: string;
  readonly error: string;
}

const maxMediaErrors = 100;

/** What two runs changed, one after the other. */
export function sumOf(one: ChangeCounts, other: ChangeCounts): ChangeCounts {
  return {
    new: one.new + other.new,
    changed: one.changed + other.changed,
    gone: one.gone + other.gone,
    dropped: one.dropped + other.dropped,
    new_media: one.new_media + other.new_media,
    failed_media: one.failed_media + other.failed_media,
    media_errors: [...one.media_errors, ...other.media_errors].slice(0, maxMediaErrors),
  };
}

export const nothingKept: KeptCounts = {
  messages: 0,
  missing: 0,
  media: 0,
  bytes: 0,
  absent_media: 0,
  first_id: null,
  last_id: null,
  last_at: null,
};

export const nothingChanged: ChangeCounts = {new: 0, changed: 0, gone: 0, dropped: 0, new_media: 0, failed_media: 0, media_errors: []};

type Mutable<Counts> = {-readonly [Name in keyof Counts]: Counts[Name]};

interface Observed {
  readonly message: Message;
  readonly media: ReadonlyMap<string, MediumEntry>;
}

/** What is known of a message, from the archive, from the server, or from both. */
interface Pair {
  readonly kept: KeptMessage | undefined;
  readonly seen: Observed | undefined;
}

async function* observedIn(reading: Reading): AsyncGenerator<Observed, void, undefined> {
  for await (const {messages, media} of reading.pages()) for (const message of messages) yield {message, media};
}

/** Both lists are sorted. */
async function* pairs(place: ConversationPlace, reading: Reading): AsyncGenerator<Pair, void, undefined> {
  await using kept = await Peekable.of(keptMessages(place));
  await using seen = await Peekable.of(observedIn(reading));
  for (;;) {
    const [old, now] = [kept.head, seen.head];
    if (old === undefined && now === undefined) return;
    const order = old === undefined ? 1 : now === undefined ? -1 : compareIds(old.id, now.message.id);
    yield {kept: order <= 0 ? old : undefined, seen: order >= 0 ? now : undefined};
    if (order <= 0) await kept.next();
    if (order >= 0) await seen.next();
  }
}

function isBelow(id: string, {id: bound, isWithin}: Bound): boolean {
  const order = compareIds(id, bound);
  return isWithin ? order < 0 : order <= 0;
}

/** Each once. What is known of a file stays, whatever happened since. */
async function mergedMedia(files: KeptMedia, kept: readonly MediumEntry[], {message, media}: Observed): Promise<MediumEntry[]> {
  const known = new Map(kept.map((entry) => [entry.id, entry]));
  for (const {id} of mediaIn(message.text)) {
    const before = known.get(id);
    const found = media.get(id);
    if (found?.file !== undefined) known.set(id, found);
    else if (before?.file === undefined) {
      // A run that was killed may have fetched it.
      const entry = (await files.entryOf(id)) ?? found ?? before;
      if (entry !== undefined) known.set(id, entry);
    }
  }
  return [...known.values()];
}

interface Merged {
  readonly message: Message;
  readonly entry: Entry;
}

class Merge {
  readonly kept: Mutable<KeptCounts> = {...nothingKept};
  readonly #errors: MediumError[] = [];
  readonly changes: Mutable<ChangeCounts> = {...nothingChanged, media_errors: this.#errors};
  /** Files of messages that are forgotten. */
  readonly dropped: string[] = [];
  readonly #files: KeptMedia;
  readonly #reading: Reading;
  readonly #dropsMissing: boolean;

  constructor(files: KeptMedia, reading: Reading, dropsMissing: boolean) {
    this.#files = files;
    this.#reading = reading;
    this.#dropsMissing = dropsMissing;
  }

  /** @returns undefined for a message that is forgotten */
  async of({kept, seen}: Pair): Promise<Merged | undefined> {
    const merged = seen === undefined ? kept && this.#unseen(kept) : await this.#seen(kept, seen);
    if (merged !== undefined) this.#count(merged);
    return merged;
  }

  async #seen(kept: KeptMessage | undefined, seen: Observed): Promise<Merged> {
    const {at} = this.#reading;
    const {message} = seen;
    const before = kept?.entry;
    const media = await mergedMedia(this.#files, before?.media ?? [], seen);
    const known = new Set(before?.media.flatMap(({file}) => file ?? []));
    // A file that was damaged has the name that it had.
    const isFetched = ({id}: MediumEntry) => seen.media.get(id)?.file !== undefined;
    this.changes.new_media += media.filter((medium) => medium.file !== undefined && (!known.has(medium.file) || isFetched(medium))).length;
    for (const {id} of mediaIn(message.text)) this.#countFailed(message.id, seen.media.get(id));
    const isChanged = kept !== undefined && !saysTheSame(kept.text, message.text);
    if (kept === undefined) this.changes.new += 1;
    if (isChanged) this.changes.changed += 1;
    const versions = [...(before?.versions ?? []), ...(isChanged ? [versionOf(kept.text, at)] : [])];
    return {message, entry: {id: message.id, firstSeen: before?.firstSeen ?? at, lastSeen: at, versions, media}};
  }

  #unseen(kept: KeptMessage): Merged | undefined {
    const {at, end} = this.#reading;
    const {id, text} = kept;
    const known = kept.entry ?? {id, firstSeen: at, lastSeen: at, versions: [], media: []};
    const entry = {...known, media: known.media.map((medium) => this.#retried(id, medium))};
    const isGone = end !== undefined && (end.from === null || !isBelow(id, end.from));
    if (!isGone) return {message: {id, text}, entry};
    if (this.#dropsMissing) {
      this.changes.dropped += 1;
      this.dropped.push(...entry.media.flatMap(({file}) => file ?? []));
      return undefined;
    }
    if (entry.missingSince === undefined) this.changes.gone += 1;
    return {message: {id, text}, entry: {...entry, missingSince: entry.missingSince ?? at}};
  }

  #retried(message: string, medium: MediumEntry): MediumEntry {
    const found = medium.file === undefined ? this.#reading.retried.get(medium.id) : undefined;
    if (found?.file !== undefined) this.changes.new_media += 1;
    this.#countFailed(message, found);
    return found ?? medium;
  }

  #countFailed(message: string, medium: MediumEntry | undefined): void {
    if (medium?.error === undefined) return;
    this.changes.failed_media += 1;
    if (this.#errors.length < maxMediaErrors) this.#errors.push({message_id: message, media_id: medium.id, error: medium.error});
  }

  #count({message, entry}: Merged): void {
    const {kept} = this;
    kept.messages += 1;
    if (entry.missingSince !== undefined) kept.missing += 1;
    for (const {file, length = 0, error} of entry.media) {
      if (file !== undefined) kept.media += 1;
      kept.bytes += length;
      if (file === undefined && error !== undefined) kept.absent_media += 1;
    }
    kept.first_id ??= message.id;
    kept.last_id = message.id;
    kept.last_at = sentAt(JSON.parse(message.text))?.toISOString() ?? kept.last_at;
  }
}

export interface MergeOptions {
  /** Whether messages that the server does not show any more are forgotten. */
  readonly dropsMissing: boolean;
  /** Writes the page of the conversation beside the new files, which are in this folder. */
  readonly writePage: (folder: string, counts: KeptCounts) => Promise<void>;
}

/** Removes the files of messages that are forgotten, unless others have them too. */
async function removeFiles(place: ConversationPlace, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const unused = new Set(files);
  for await (const {entry} of keptMessages(place)) for (const {file = ''} of entry?.media ?? []) unused.delete(file);
  for (const file of unused) await rm(join(place.folder, file), {force: true});
}

/**
 * Replaces what is kept by what it comes to with what was read. Messages are marked as missing, or forgotten, only where the whole range
 * was read.
 */
export async function mergeReading(
  place: ConversationPlace,
  reading: Reading,
  {dropsMissing, writePage}: MergeOptions,
): Promise<{readonly kept: KeptCounts; readonly changes: ChangeCounts}> {
  const next = await beginNext(place);
  const merge = new Merge(await KeptMedia.in(place), reading, dropsMissing);
  try {
    await using messages = await LineWriter.create(join(next, keptFiles.messages));
    await using index = await LineWriter.create(join(next, keptFiles.index));
    for await (const pair of pairs(place, reading)) {
      const merged = await merge.of(pair);
      if (merged === undefined) continue;
      await messages.write(`${merged.message.text}\n`);
      await index.write(entryLine(merged.entry));
    }
    await messages.end();
    await index.end();
    await writePage(next, merge.kept);
  } catch (error) {
    // A full disk needs the room.
    await rm(next, {recursive: true, force: true});
    throw error;
  }
  await replaceKept(place);
  await rm(place.reading, {force: true});
  await removeFiles(place, merge.dropped);
  return {kept: merge.kept, changes: merge.changes};
}
