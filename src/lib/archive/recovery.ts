/** Brings conversations in order before anything is read: what runs left that were killed and, where that is asked for, what is damaged. */
import {readdir, rm} from 'node:fs/promises';
import {absent} from '../files/system-error.js';
import {identifierAt} from '../json/path.js';
import {counted} from '../json/text.js';
import type {Catalogue, KnownConversation} from './catalogue.js';
import {isMeant} from './check.js';
import {Damaged, LaterVersion, OfAnother} from './failures.js';
import {clearWay, inConversation, moveAside} from './in-the-way.js';
import {checkKept, keepDamaged, keptMessages, readableMessages, type KeptMessage} from './kept.js';
import {linesOfFile} from './lines.js';
import {mergedOf, mergeReading, rewrite, type ChangeCounts, type Merged, type WritePage} from './merge.js';
import {Peekable} from './peekable.js';
import {nameOf, workFiles, type ConversationPlace} from './places.js';
import {Reading} from './reading.js';
import {bareRecord, nothingRead, type ConversationRecord} from './record.js';

interface RecoveryOptions {
  /** Ids, or names of the only other person; undefined: all. */
  readonly named: readonly string[] | undefined;
  /** The time of the run, ISO 8601, and as part of names. */
  readonly at: string;
  readonly stamp: string;
  readonly writePage: WritePage;
  readonly warn: (text: string) => void;
}

async function* merged(messages: AsyncIterable<KeptMessage>, at: string): AsyncGenerator<Merged, void, undefined> {
  for await (const message of messages) yield mergedOf(message, at);
}

/** What a conversation is, by its messages alone. @returns undefined where these do not say it */
async function recordByMessages(place: ConversationPlace, at: string): Promise<ConversationRecord | undefined> {
  for await (const {text} of keptMessages(place, 'readable')) {
    const own = [identifierAt(text, ['conversation_id']), place.name].find((id) => id !== undefined && nameOf(id) === place.name);
    // Messages of threads are known by an id of their own to reports.
    const type = identifierAt(text, ['reportId']) === undefined ? 'conversation' : 'thread';
    return own === undefined ? undefined : bareRecord(own, type, at);
  }
  return undefined;
}

async function hasMessages(place: ConversationPlace): Promise<boolean> {
  await using messages = await Peekable.of(keptMessages(place, 'readable'));
  return messages.head !== undefined;
}

/** The reading that a killed run left; one that no run wrote for this conversation is moved aside. */
async function leftReading(place: ConversationPlace, {stamp, warn}: RecoveryOptions): Promise<Reading | undefined> {
  const reading = await Reading.open(place.reading);
  if (reading !== undefined && nameOf(reading.header.seen.id) === place.name) return reading;
  await using lines = await Peekable.of(linesOfFile(place.reading));
  if (lines.head !== undefined)
    warn(`${place.reading} is damaged: it is kept as ${await moveAside(place.folder, workFiles.reading, stamp)}`);
  else await rm(place.reading, {force: true});
  return undefined;
}

export class Recovery {
  readonly #catalogue: Catalogue;
  readonly #options: RecoveryOptions;
  /** What came from runs that were killed, by the ids of conversations. */
  readonly changes = new Map<string, ChangeCounts>();

  constructor(catalogue: Catalogue, options: RecoveryOptions) {
    this.#catalogue = catalogue;
    this.#options = options;
  }

  /** Merges what runs left that were killed, and takes conversations up again of which only the messages are left. */
  async recover(): Promise<void> {
    const {at, writePage} = this.#options;
    for (const {place, damage, hasReading, hasMessages, record} of this.#catalogue.all) {
      if (damage !== undefined) continue;
      try {
        const reading = hasReading ? await leftReading(place, this.#options) : undefined;
        const before = record ?? (hasMessages && reading === undefined ? await recordByMessages(place, at) : undefined);
        if (reading === undefined && before === record) continue;
        await checkKept(place, record);
        if (reading !== undefined) this.#merged(await mergeReading(place, before, reading, {writePage}));
        else if (before !== undefined)
          this.#catalogue.set((await rewrite(place, () => before, merged(keptMessages(place), at), writePage)).record);
      } catch (error) {
        // It is told when the conversation has its turn.
        if (!(error instanceof Damaged)) throw error;
      }
    }
  }

  /** Takes what is readable of damaged conversations, also of those that the server does not show. The damaged files stay beside it. */
  async repair(): Promise<void> {
    const {named} = this.#options;
    for (const known of this.#catalogue.all) {
      if (!isMeant(known, named)) continue;
      try {
        await this.#repair(known);
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
      }
    }
  }

  async #repair(found: KnownConversation): Promise<void> {
    const {place} = found;
    const {stamp, warn} = this.#options;
    // One that cannot be read is told when it has its turn.
    if ((await readdir(place.folder).catch(() => undefined)) === undefined) return;
    const moved = await clearWay(place.folder, inConversation, stamp);
    for (const text of moved) warn(text);
    const {record, damage} = (moved.length > 0 ? await this.#catalogue.again(place) : found) ?? found;
    if (damage instanceof LaterVersion) return;
    if (damage === undefined) {
      try {
        return await checkKept(place, record);
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
      }
    }
    await this.#replace(place, record, damage instanceof OfAnother);
    await this.#catalogue.again(place);
  }

  /** @param isOfAnother whether the files are those of another conversation */
  async #replace(place: ConversationPlace, record: ConversationRecord | undefined, isOfAnother: boolean): Promise<void> {
    const {at, stamp, writePage, warn} = this.#options;
    const files = await keepDamaged(place, stamp, isOfAnother);
    const reading = await leftReading(place, this.#options);
    const before = (record && {...record, facts: {...record.facts, ...nothingRead}}) ?? (await recordByMessages(place, at));
    let count = 0;
    async function* readable() {
      for await (const message of readableMessages(place, isOfAnother)) {
        count += 1;
        yield message;
      }
    }
    if (reading !== undefined) this.#merged(await mergeReading(place, before, reading, {writePage, kept: readable()}));
    else if (before !== undefined) await rewrite(place, () => before, merged(readable(), at), writePage);
    else if (await hasMessages(place)) return;
    else for (const path of [place.messages, place.index]) await rm(path).catch(absent);
    const where = files.length === 0 ? '' : `; the damaged files are kept as ${files.join(' and ')}`;
    const all = record === undefined ? '' : ` of ${record.facts.messages}`;
    warn(`conversation ${record?.facts.id ?? place.name}: ${counted(count, 'message')}${all} could be read${where}`);
  }

  #merged({record, changes}: {readonly record: ConversationRecord; readonly changes: ChangeCounts}): void {
    this.#catalogue.set(record);
    this.changes.set(record.facts.id, changes);
  }
}
