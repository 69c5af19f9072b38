/** Merges what was read of a conversation with what is kept of it. */
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import {compareIds} from '../json/compare-ids.js';
import {entryLine, versionOf, type MessageEntry, type MediumEntry} from './entry.js';
import {beginNext, keptMessages, replaceKept, type KeptMessage} from './kept.js';
import {LineWriter} from './lines.js';
import {mayHaveMedia, mediaIn, saysTheSame, sentAt, type Message} from './message.js';
import {Peekable} from './peekable.js';
import {keptFiles, type ConversationPlace} from './places.js';
import {furthest, joinedRanges, boundAfter, type Interval} from './ranges.js';
import type {Reading} from './reading.js';
import {contentOf, nothingKept, seenConversation, type ConversationRecord, type KeptCounts} from './record.js';

/** What a run changed. */
export interface ChangeCounts {
  readonly new: number;
  /** Messages that say something else than before. */
  readonly changed: number;
  /** Messages that the server does not show any more since this run. */
  readonly gone: number;
  /** Messages that were taken out of the archive. */
  readonly dropped: number;
  readonly new_media: number;
  /** Files that could not be fetched this time. */
  readonly failed_media: number;
  /** Why, of the first of them. */
  readonly media_errors: readonly MediumError[];
  /** Files that were left out this time, by a limit. */
  readonly skipped_media: number;
  /** Why, of the first of them. */
  readonly media_skipped: readonly MediumSkipped[];
}

interface OfMedium {
  readonly message_id: string;
  readonly media_id: string;
}

interface MediumError extends OfMedium {
  readonly error: string;
}

interface MediumSkipped extends OfMedium {
  readonly skipped: string;
}

/** Of each kind. */
const maxReasons = 100;

/** What two runs changed, one after the other. */
export function sumOf(one: ChangeCounts, other: ChangeCounts): ChangeCounts {
  return {
    new: one.new + other.new,
    changed: one.changed + other.changed,
    gone: one.gone + other.gone,
    dropped: one.dropped + other.dropped,
    new_media: one.new_media + other.new_media,
    failed_media: one.failed_media + other.failed_media,
    media_errors: [...one.media_errors, ...other.media_errors].slice(0, maxReasons),
    skipped_media: one.skipped_media + other.skipped_media,
    media_skipped: [...one.media_skipped, ...other.media_skipped].slice(0, maxReasons),
  };
}

export const nothingChanged: ChangeCounts = {
  new: 0,
  changed: 0,
  gone: 0,
  dropped: 0,
  new_media: 0,
  failed_media: 0,
  media_errors: [],
  skipped_media: 0,
  media_skipped: [],
};

type Mutable<Counts> = {-readonly [Name in keyof Counts]: Counts[Name]};

/** A message and what is known of it. */
export interface Merged {
  readonly message: Message;
  readonly entry: MessageEntry;
}

/** What is known of a message, from the archive, from the server, or from both. */
interface Pair {
  readonly kept: KeptMessage | undefined;
  readonly seen: Message | undefined;
}

/** Both lists are sorted. */
async function* pairs(messages: AsyncGenerator<KeptMessage, void, undefined>, reading: Reading): AsyncGenerator<Pair, void, undefined> {
  await using kept = await Peekable.of(messages);
  await using seen = await Peekable.of(reading.messages());
  for (;;) {
    const [old, now] = [kept.head, seen.head];
    if (old === undefined && now === undefined) return;
    const order = old === undefined ? 1 : now === undefined ? -1 : compareIds(old.id, now.id);
    yield {kept: order <= 0 ? old : undefined, seen: order >= 0 ? now : undefined};
    if (order <= 0) await kept.next();
    if (order >= 0) await seen.next();
  }
}

/** The messages of a conversation that a run looked for, and that the server did not show. Others may have been marked by a run before. */
export interface Gone {
  readonly count: number;
  readonly covers: readonly Interval[];
}

/** Messages that a server may have lost at once, before what it does not show elsewhere is read again. */
const mayLose = 20;

class Merge {
  readonly changes: Mutable<ChangeCounts> = {...nothingChanged};
  readonly #reading: Reading;
  #seenCount = 0;
  /** Messages that a page should show, and those of them that were there when they were read last. */
  #unseenCount = 0;
  #lostCount = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** What the pages say is not there. */
  get gone(): Gone {
    return {count: this.#unseenCount, covers: this.#reading.covers};
  }

  async *of(all: AsyncIterable<Pair>): AsyncGenerator<Merged, void, undefined> {
    for await (const {kept, seen} of all) {
      const merged = seen === undefined ? kept && this.#unseen(kept) : this.#seen(kept, seen);
      if (merged !== undefined) yield merged;
    }
  }

  /**
   * Whether the server showed nothing of what it had, or suddenly too little: then it may not have shown what was never read either, and nothing counts as
   * read. A later run settles that.
   */
  get isDoubtful(): boolean {
    return this.#lostCount > mayLose || (this.#unseenCount > 0 && this.#seenCount === 0);
  }

  #seen(kept: KeptMessage | undefined, message: Message): Merged {
    const {at} = this.#reading.header;
    this.#seenCount += 1;
    const before = kept?.entry;
    const isChanged = kept !== undefined && !saysTheSame(kept.text, message.text);
    if (kept === undefined) this.changes.new += 1;
    if (isChanged) this.changes.changed += 1;
    const versions = [...(before?.versions ?? []), ...(isChanged ? [versionOf(kept.text, at)] : [])];
    const {id} = message;
    return {message, entry: {id, firstSeen: before?.firstSeen ?? at, lastSeen: at, versions, media: before?.media ?? []}};
  }

  #unseen(kept: KeptMessage): Merged {
    const {at, marks} = this.#reading.header;
    const {message, entry} = mergedOf(kept, at);
    const isCovered = this.#reading.isCovered(kept.id);
    const isLost = isCovered && entry.missingSince === undefined;
    if (isCovered) this.#unseenCount += 1;
    if (isLost) this.#lostCount += 1;
    if (!marks || !isCovered) return {message, entry};
    if (isLost) this.changes.gone += 1;
    return {message, entry: {...entry, missingSince: entry.missingSince ?? at}};
  }
}

/** A message as it is kept. @param at since when it is known, where the index has lost it */
export function mergedOf({id, text, entry}: KeptMessage, at: string): Merged {
  return {message: {id, text}, entry: entry ?? {id, firstSeen: at, lastSeen: at, versions: [], media: []}};
}

class Counting {
  readonly counts: Mutable<KeptCounts> = {...nothingKept};
  /** Whether a message that the server shows has files. */
  hasMedia = false;

  add({message, entry}: Merged): void {
    const {counts} = this;
    counts.messages += 1;
    if (entry.missingSince !== undefined) counts.missing += 1;
    else this.hasMedia ||= mayHaveMedia(message.text);
    for (const {file, length = 0} of entry.media) {
      counts[file === undefined ? 'absent_media' : 'media'] += 1;
      counts.bytes += length;
    }
    counts.first_id ??= message.id;
    counts.last_id = message.id;
    counts.last_at = sentAt(JSON.parse(message.text))?.toISOString() ?? counts.last_at;
  }
}

/** Writes the page of a conversation beside its new files, which are in this folder. */
export type WritePage = (folder: string, record: ConversationRecord) => Promise<void>;

/** A conversation whose files were replaced. */
interface Rewritten {
  readonly record: ConversationRecord;
  /** Whether a message that the server shows has files. */
  readonly hasMedia: boolean;
}

/** Replaces what is kept of a conversation by these messages, oldest first, all of it or nothing. @param recordOf asked after the last message */
export async function rewrite(
  place: ConversationPlace,
  recordOf: () => ConversationRecord,
  messages: AsyncIterable<Merged>,
  writePage: WritePage,
): Promise<Rewritten> {
  const next = await beginNext(place);
  const counting = new Counting();
  let written: ConversationRecord;
  try {
    await using texts = await LineWriter.create(join(next, keptFiles.messages));
    await using index = await LineWriter.create(join(next, keptFiles.index));
    for await (const merged of messages) {
      await texts.write(`${merged.message.text}\n`);
      await index.write(entryLine(merged.entry));
      counting.add(merged);
    }
    const [ofTexts, ofIndex] = await Promise.all([texts.end(), index.end()]);
    const files = {[keptFiles.messages]: ofTexts, [keptFiles.index]: ofIndex};
    const {text, facts} = recordOf();
    written = {text, facts: {...facts, ...counting.counts}, files};
    await writePage(next, written);
    await using own = await LineWriter.create(join(next, keptFiles.record));
    await own.write(contentOf(written));
    await own.end();
  } catch (error) {
    // A full disk needs the room.
    await rm(next, {recursive: true, force: true});
    throw error;
  }
  await replaceKept(place, written);
  return {record: written, hasMedia: counting.hasMedia};
}

/** What is known of a conversation after a reading, but for its messages. @param isDoubtful whether nothing new is taken for read */
function recordAfter(before: ConversationRecord | undefined, reading: Reading, isDoubtful: boolean): ConversationRecord {
  const {seen, at, asked, reads} = reading.header;
  const record = seenConversation(seen, before, at);
  const covers = isDoubtful ? [] : reading.covers;
  const ranges = covers.reduce<ConversationRecord['facts']['ranges']>((all, one) => joinedRanges(all, one), record.facts.ranges);
  const bound = furthest(record.facts.bound, asked);
  const {newest} = reading;
  const top = ranges.at(-1);
  if (reading.isEnded && !isDoubtful && top !== undefined) {
    return {...record, facts: {...record.facts, ranges, newest, bound: boundAfter(bound, reads, top.from)}};
  }
  return {...record, facts: {...record.facts, ranges, newest, bound}};
}

/**
 * Replaces what is kept by what it comes to with what was read. Messages are marked as missing only where a page answers for them.
 * @param before what is known of the conversation
 * @param kept by default all that is kept, of which every line has to be one that a run has written
 */
export async function mergeReading(
  place: ConversationPlace,
  before: ConversationRecord | undefined,
  reading: Reading,
  {writePage, kept = keptMessages(place)}: {readonly writePage: WritePage; readonly kept?: ReturnType<typeof keptMessages>},
): Promise<Rewritten & {readonly changes: ChangeCounts; readonly gone: Gone}> {
  const merge = new Merge(reading);
  const rewritten = await rewrite(place, () => recordAfter(before, reading, merge.isDoubtful), merge.of(pairs(kept, reading)), writePage);
  await rm(place.reading, {force: true});
  return {...rewritten, changes: merge.changes, gone: merge.gone};
}

/** What came of fetching the files of a conversation. */
export async function mergeMedia(
  place: ConversationPlace,
  record: ConversationRecord,
  found: ReadonlyMap<string, MediumEntry>,
  {at, writePage}: {readonly at: string; readonly writePage: WritePage},
): Promise<{readonly record: ConversationRecord; readonly changes: ChangeCounts}> {
  const errors: MediumError[] = [];
  const skips: MediumSkipped[] = [];
  const changes: Mutable<ChangeCounts> = {...nothingChanged, media_errors: errors, media_skipped: skips};
  const count = (of: OfMedium, {file, error, skipped}: MediumEntry) => {
    if (file !== undefined) changes.new_media += 1;
    if (error !== undefined) changes.failed_media += 1;
    if (error !== undefined && errors.length < maxReasons) errors.push({...of, error});
    if (skipped !== undefined) changes.skipped_media += 1;
    if (skipped !== undefined && skips.length < maxReasons) skips.push({...of, skipped});
  };
  async function* messages(): AsyncGenerator<Merged, void, undefined> {
    for await (const kept of keptMessages(place)) {
      const {message, entry} = mergedOf(kept, at);
      const known = new Map(entry.media.map((medium) => [medium.id, medium]));
      for (const {id} of mediaIn(message.text)) {
        const medium = found.get(id);
        if (medium === undefined) continue;
        // What is known of a file stays, whatever happened since.
        if (medium.file !== undefined || known.get(id)?.file === undefined) known.set(id, medium);
        count({message_id: message.id, media_id: id}, medium);
      }
      yield {message, entry: {...entry, media: [...known.values()]}};
    }
  }
  return {record: (await rewrite(place, () => record, messages(), writePage)).record, changes};
}
