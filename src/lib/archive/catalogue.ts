/** The conversations of an archive: what stands in the folder of each, and `conversations.ndjson`, which is made of that. */
import type {Dirent} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {Failure, localFailure} from '../client/failure.js';
import {writeWhole} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import {inOrder} from '../run/index.js';
import {Damaged, repairHint} from './failures.js';
import {conversations, inAccount, inConversation, inTheWay} from './in-the-way.js';
import {finishEarlier} from './kept.js';
import {linesOfFile} from './lines.js';
import {accountFiles, ConversationPlace, isConversationName, nameOf} from './places.js';
import {lineOf, parseConversationLine, readRecord, type ConversationRecord} from './record.js';

/** Folders that are read at the same time. */
const concurrency = 8;

/** A folder of a conversation. */
export interface KnownConversation {
  readonly place: ConversationPlace;
  /** Undefined where neither the folder nor `conversations.ndjson` says what it is. */
  readonly record: ConversationRecord | undefined;
  readonly damage: Damaged | undefined;
  /** Whether there is a file of messages, or their index. */
  readonly hasMessages: boolean;
  /** Whether a run that was killed left what it had read. */
  readonly hasReading: boolean;
}

/** What is in the folder of a conversation. @throws Damaged for something else in its place, or in it */
async function presentIn(place: ConversationPlace, one: Dirent): Promise<Dirent[]> {
  const refuse = (odd: string | undefined) => {
    if (odd !== undefined) throw new Damaged(odd);
  };
  refuse(inTheWay(dirname(place.folder), [one], conversations));
  const present = await readdir(place.folder, {withFileTypes: true}).catch((error: unknown) => {
    throw new Damaged(localFailure(`Cannot read ${place.folder}`, error).message);
  });
  refuse(inTheWay(place.folder, present, inConversation));
  return present;
}

/** @param finishes whether what an earlier run began is finished */
async function found(place: ConversationPlace, one: Dirent, finishes: boolean): Promise<KnownConversation> {
  const nothing = {place, record: undefined, damage: undefined, hasMessages: false, hasReading: false};
  try {
    const present = await presentIn(place, one);
    const isThere = (path: string) => present.some(({name}) => join(place.folder, name) === path);
    if (finishes && (isThere(place.whole) || isThere(place.next))) await finishEarlier(place);
    return {
      ...nothing,
      record: await readRecord(place),
      hasMessages: isThere(place.messages) || isThere(place.index),
      hasReading: isThere(place.reading),
    };
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return {...nothing, damage: error};
  }
}

/** The folders of conversations, and what is in their place. */
const placesIn = async (folder: string): Promise<Dirent[]> =>
  (await readdir(folder, {withFileTypes: true})).filter(({name}) => isConversationName(name));

/** What `conversations.ndjson` says, where a folder does not. Lines that no run writes say nothing. @throws Failure `local` */
async function listed(folder: string): Promise<Map<string, ConversationRecord>> {
  const lines = new Map<string, ConversationRecord>();
  for await (const text of linesOfFile(join(folder, accountFiles.conversations))) {
    try {
      const record = parseConversationLine(text);
      lines.set(nameOf(record.facts.id), record);
    } catch {
      // It is written anew from what is in the folders.
    }
  }
  return lines;
}

function byNewest({record: one}: KnownConversation, {record: other}: KnownConversation): number {
  const order = (other?.facts.last_at ?? '').localeCompare(one?.facts.last_at ?? '');
  return order || compareIds(other?.facts.id ?? '', one?.facts.id ?? '');
}

interface CatalogueOptions {
  /** Whether what earlier runs began is finished. Default: true. */
  readonly finishes?: boolean;
}

export class Catalogue {
  readonly #folder: string;
  readonly #known = new Map<string, KnownConversation>();
  readonly #listed: ReadonlyMap<string, ConversationRecord>;

  private constructor(folder: string, lines: ReadonlyMap<string, ConversationRecord>) {
    this.#folder = folder;
    this.#listed = lines;
  }

  /** @param folder of the account @throws Failure `local` for what cannot be read, and where something is in the way */
  static async open(folder: string, {finishes = true}: CatalogueOptions = {}): Promise<Catalogue> {
    const entries = await readdir(folder, {withFileTypes: true});
    const odd = inTheWay(folder, entries, inAccount);
    if (odd !== undefined) throw new Failure('local', odd, {hint: repairHint('move it aside and go on', folder)});
    const catalogue = new Catalogue(folder, await listed(folder));
    const read = (one: Dirent) => found(new ConversationPlace(folder, one.name), one, finishes);
    const reading = inOrder(await placesIn(folder), read, {concurrency, stop: new AbortController().signal});
    for await (const known of reading) catalogue.#add(known);
    return catalogue;
  }

  #add(known: KnownConversation): void {
    const {name} = known.place;
    this.#known.set(name, {...known, record: known.record ?? this.#listed.get(name)});
  }

  /** Reads a folder again that was repaired. */
  async again(place: ConversationPlace): Promise<KnownConversation | undefined> {
    const one = (await placesIn(this.#folder)).find(({name}) => name === place.name);
    this.#known.delete(place.name);
    if (one !== undefined) this.#add(await found(place, one, true));
    return this.#known.get(place.name);
  }

  /** By the newest message, newest first; those of which nothing is known come last. */
  get all(): readonly KnownConversation[] {
    return [...this.#known.values()].toSorted(byNewest);
  }

  /** Conversations that are listed, and whose folders are not there. */
  get lost(): readonly ConversationRecord[] {
    return [...this.#listed].filter(([name]) => !this.#known.has(name)).map(([, record]) => record);
  }

  /** @throws Damaged for one whose folder cannot be used */
  get(id: string): ConversationRecord | undefined {
    const {damage, record} = this.find(id) ?? {};
    if (damage !== undefined) throw damage;
    return record;
  }

  /** What is known of a conversation, whatever is damaged of it. */
  find(id: string): KnownConversation | undefined {
    return this.#known.get(nameOf(id));
  }

  /** In the same order. */
  get records(): ConversationRecord[] {
    return this.all.flatMap(({record}) => record ?? []);
  }

  set(record: ConversationRecord): void {
    const place = ConversationPlace.of(this.#folder, record.facts.id);
    const known = this.#known.get(place.name) ?? {place, damage: undefined, hasMessages: true, hasReading: false};
    this.#known.set(place.name, {...known, record});
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
