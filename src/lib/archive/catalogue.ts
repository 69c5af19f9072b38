/** The conversations of an archive: what stands in the folder of each, and `conversations.ndjson`, which is made of that. */
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import type {Failure} from '../client/failure.js';
import {writeWhole} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import {inOrder} from '../run/queue.js';
import {Damaged} from './failures.js';
import {finishEarlier} from './kept.js';
import {linesOf} from './lines.js';
import {accountFiles, ConversationPlace, isConversationName, nameOf} from './places.js';
import {lineOf, parseLine, readRecord, type ConversationRecord} from './record.js';

/** Folders that are read at the same time. */
const concurrency = 8;

interface Found {
  readonly place: ConversationPlace;
  readonly record: ConversationRecord | undefined;
  readonly damage: Failure | undefined;
  readonly hasReading: boolean;
}

/** @param finishes whether what an earlier run began is finished */
async function found(place: ConversationPlace, finishes: boolean): Promise<Found> {
  const names = await readdir(place.folder);
  const isNamed = (path: string) => names.some((name) => join(place.folder, name) === path);
  try {
    if (finishes && (isNamed(place.whole) || isNamed(place.next))) await finishEarlier(place);
    return {place, record: await readRecord(place), damage: undefined, hasReading: isNamed(place.reading)};
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return {place, record: undefined, damage: error, hasReading: false};
  }
}

/** What `conversations.ndjson` says, where a folder does not. Lines that no run writes say nothing. @throws Failure `local` */
async function listed(folder: string): Promise<Map<string, ConversationRecord>> {
  const lines = new Map<string, ConversationRecord>();
  for await (const text of linesOf(join(folder, accountFiles.conversations))) {
    try {
      const record = parseLine(text);
      lines.set(nameOf(record.facts.id), record);
    } catch {
      // It is written anew from what is in the folders.
    }
  }
  return lines;
}

interface CatalogueOptions {
  /** Whether what earlier runs began is finished. Default: true. */
  readonly finishes?: boolean;
}

export class Catalogue {
  readonly #folder: string;
  readonly #records = new Map<string, ConversationRecord>();
  readonly #damage = new Map<string, Failure>();
  /** Conversations of which a run that was killed left what it had read. */
  readonly unmerged: ConversationPlace[] = [];
  /** Conversations that are listed, and whose folders are not there. */
  readonly lost: ConversationRecord[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param folder of the account @throws Failure `local` for what cannot be read */
  static async open(folder: string, {finishes = true}: CatalogueOptions = {}): Promise<Catalogue> {
    const catalogue = new Catalogue(folder);
    const entries = await readdir(folder, {withFileTypes: true});
    const places = entries
      .filter((entry) => entry.isDirectory() && isConversationName(entry.name))
      .map(({name}) => new ConversationPlace(folder, name));
    const known = await listed(folder);
    const reading = inOrder(places, (place) => found(place, finishes), {concurrency, stop: new AbortController().signal});
    for await (const {place, record = known.get(place.name), damage, hasReading} of reading) {
      known.delete(place.name);
      if (damage !== undefined) catalogue.#damage.set(place.name, damage);
      if (record !== undefined) catalogue.#records.set(record.facts.id, record);
      if (hasReading) catalogue.unmerged.push(place);
    }
    catalogue.lost.push(...known.values());
    return catalogue;
  }

  /** @throws Failure for one that is damaged */
  get(id: string): ConversationRecord | undefined {
    const damage = this.#damage.get(nameOf(id));
    if (damage !== undefined) throw damage;
    return this.#records.get(id);
  }

  /** By the newest message, newest first. */
  get records(): ConversationRecord[] {
    return [...this.#records.values()].toSorted(
      ({facts: one}, {facts: other}) => (other.last_at ?? '').localeCompare(one.last_at ?? '') || compareIds(other.id, one.id),
    );
  }

  set(record: ConversationRecord): void {
    this.#records.set(record.facts.id, record);
  }

  /** Writes what people and programs read first. */
  async write(): Promise<void> {
    const {records} = this;
    function* lines(): Generator<string> {
      for (const record of records) yield lineOf(record);
    }
    await writeWhole(join(this.#folder, accountFiles.conversations), lines(), {durable: false});
  }
}
