/** Exports conversations into an archive. */
import {Failure} from '../client/failure.js';
import {makeFolder} from '../files/folder.js';
import {writeWhole} from '../files/whole-file.js';
import {compareIds} from '../json/compare-ids.js';
import {identifierAt} from '../json/path.js';
import {fieldTexts} from '../json/slices.js';
import type {Accounts} from '../operations/accounts.js';
import {join} from 'node:path';
import type {ArchiveOwner} from './archive-folder.js';
import {Catalogue, readAsFar, seenConversation, withCounts, type CatalogueEntry} from './catalogue.js';
import {damagedMedia} from './damaged-media.js';
import type {MediumEntry} from './entry.js';
import {indexPage} from './index-page.js';
import {Damaged, ownFailure, RunWatch} from './failures.js';
import {keptMessages, repair} from './kept.js';
import {KeptMedia, removeParts} from './media-file.js';
import {MediaFetcher, type MediaOptions, type WantedMedium} from './media-fetch.js';
import {mergeReading, nothingChanged, nothingKept, sumOf, type ChangeCounts, type KeptCounts} from './merge.js';
import {isRequest, mediaIn, type Message} from './message.js';
import {writePage} from './page.js';
import {accountFiles, ConversationPlace} from './places.js';
import {messagePages, orderOf, readThread, type Range, type Source} from './read-pages.js';
import {Reading, ReadingWriter} from './reading.js';
import {targetsOf, type FoundConversation, type FoundThread, type Target, type Wanted} from './targets.js';

export interface ExportOptions extends Wanted {
  readonly source: Source;
  /** The folder of the account, which the caller has opened. */
  readonly folder: string;
  readonly owner: ArchiveOwner;
  /** Finds accounts by their names. */
  readonly accounts: () => Promise<Accounts>;
  readonly range: Omit<Range, 'above'>;
  /** Stops at the newest message that is known, and marks nothing as missing. */
  readonly onlyNew: boolean;
  /** Forgets messages that the server does not show any more. */
  readonly dropsMissing: boolean;
  /** Undefined: no media are fetched. */
  readonly media: MediaOptions | undefined;
  readonly now: Date;
  /** Called as the work goes on. */
  readonly progress: ExportProgress;
}

/** How far an export is. */
export interface ExportProgress {
  /** Conversations; undefined until they are listed. */
  total: number | undefined;
  done: number;
  failed: number;
  /** How much of the conversation that is read is read, from 0 to 1, as far as the ids of its messages tell. */
  part: number;
  messages: number;
  files: number;
}

export const noProgress = (): ExportProgress => ({total: undefined, done: 0, failed: 0, part: 0, messages: 0, files: 0});

/** What became of a conversation. */
export interface ConversationResult extends KeptCounts, ChangeCounts {
  /** Its id; as it was named where it was not found. */
  readonly id: string;
  readonly type: 'conversation' | 'thread';
  /** The others in it. */
  readonly with: readonly string[];
  /** Where it is; null where it is not in the archive. */
  readonly folder: string | null;
  /** Whether the server has earlier messages that it does not give. */
  readonly incomplete: boolean;
  /** Whether messages since a time were read, and their dates do not fall with their ids. */
  readonly dates_out_of_order: boolean;
  readonly failure: Failure | undefined;
}

class Export {
  readonly #options: ExportOptions;
  readonly #catalogue: Catalogue;
  readonly #media: MediaFetcher | undefined;
  readonly #at: string;
  /** Media of the conversation that is read, whose files are not what was fetched. */
  #damaged: ReadonlySet<string> = new Set();
  /** Those that are there. */
  #kept: KeptMedia | undefined;
  #isAccepted = true;
  /** What came from runs that were killed. */
  readonly #recovered = new Map<string, ChangeCounts>();
  /** Conversations whose dates do not fall with the ids of messages. */
  readonly #disordered = new Set<string>();

  constructor(options: ExportOptions, catalogue: Catalogue, media: MediaFetcher | undefined) {
    this.#options = options;
    this.#catalogue = catalogue;
    this.#media = media;
    this.#at = options.now.toISOString();
  }

  /** Merges what runs left that were killed. */
  async recover(): Promise<void> {
    for (const entry of this.#catalogue.entries) {
      const place = this.#placeOf(entry.facts.id);
      await repair(place);
      const reading = await Reading.open(place.reading);
      if (reading === undefined) continue;
      await removeParts(place);
      try {
        const {changes} = await this.#merge(place, readAsFar(entry, reading.end !== undefined), reading, false);
        this.#recovered.set(entry.facts.id, changes);
      } catch (error) {
        // It is told when the conversation has its turn.
        if (!(error instanceof Damaged)) throw error;
      }
    }
  }

  async *run(): AsyncGenerator<ConversationResult, void, undefined> {
    const {source, accounts, progress} = this.#options;
    const targets = await targetsOf(this.#options, source, accounts);
    progress.total = targets.length;
    const watch = new RunWatch();
    const seen = new Set<string>();
    for (const target of targets) {
      const result = await this.#export(target, seen);
      if (result === undefined) {
        progress.total -= 1;
        continue;
      }
      const {failure} = result;
      progress.part = 0;
      if (failure === undefined) progress.done += 1;
      else progress.failed += 1;
      yield result;
      if (watch.isEndedBy(failure)) throw failure;
    }
  }

  #sourceOf(id: string): Source {
    return {...this.#options.source, noteDisorder: () => this.#disordered.add(id)};
  }

  #placeOf(id: string): ConversationPlace {
    return new ConversationPlace(this.#options.folder, id);
  }

  /** @returns undefined for one that was exported under another name */
  async #export(target: Target, seen: Set<string>): Promise<ConversationResult | undefined> {
    let entry = target.id === undefined ? undefined : this.#catalogue.get(target.id);
    let changes = nothingChanged;
    let failure: Failure | undefined;
    try {
      const found = await target.find();
      if (seen.has(found.id)) return undefined;
      seen.add(found.id);
      const before = this.#catalogue.get(found.id);
      if (before !== undefined && before.facts.type !== found.type)
        throw new Failure('refused', `The archive has a ${before.facts.type} with the id ${found.id}: this ${found.type} is not exported`, {
          hint: 'choose another folder with --to',
        });
      entry = before;
      const read = found.type === 'thread' ? await this.#thread(found) : await this.#conversation(found);
      ({entry, changes, failure} = read);
    } catch (error) {
      failure = ownFailure(error, this.#options.folder);
    }
    if (failure !== undefined) entry = await this.#noted(entry, failure);
    return this.#resultOf(target, entry, changes, failure);
  }

  /** A conversation that is gone is marked. */
  async #noted(entry: CatalogueEntry | undefined, failure: Failure): Promise<CatalogueEntry | undefined> {
    if (entry === undefined || failure.code !== 'not_found' || entry.facts.missing_since !== undefined) return entry;
    const noted = {...entry, facts: {...entry.facts, missing_since: this.#at}};
    await this.#catalogue.set(noted);
    return noted;
  }

  async #begun(
    id: string,
    type: CatalogueEntry['facts']['type'],
    text: string,
  ): Promise<{entry: CatalogueEntry; place: ConversationPlace}> {
    const entry = seenConversation({id, type, text}, this.#catalogue.get(id), this.#at);
    const place = this.#placeOf(id);
    // What is in a folder that the list does not name would be lost from sight.
    await this.#catalogue.set(entry);
    await makeFolder(place.folder);
    return {entry, place};
  }

  async #conversation({id, text}: FoundConversation): Promise<Done> {
    const {range, onlyNew, progress} = this.#options;
    const {entry, place} = await this.#begun(id, 'conversation', text);
    const above = onlyNew ? (entry.facts.last_id ?? undefined) : undefined;
    const all = {...range, above};
    return this.#read(
      place,
      entry,
      async (writer) => {
        const pages = messagePages(id, all, this.#sourceOf(id));
        const newest = identifierAt(text, ['last_message', 'id']);
        let first: string | undefined;
        let lowest: string | undefined;
        let page = await pages.next();
        for (; page.done !== true; page = await pages.next()) {
          await this.#page(place, writer, page.value);
          first ??= page.value[0]?.id;
          lowest = orderOf(all) === 'down' ? page.value[0]?.id : first;
          progress.part = partOf(first, page.value.at(-1)?.id, newest);
        }
        if (above !== undefined || orderOf(all) === 'down') await this.#retry(place, writer, entry, lowest);
        // What is above the newest message that was known cannot be missing.
        if (page.value !== undefined && !onlyNew) await writer.end(page.value);
      },
      orderOf(all),
    );
  }

  async #thread({id}: FoundThread): Promise<Done> {
    const {range, onlyNew} = this.#options;
    const known = this.#catalogue.get(id)?.facts.last_id ?? undefined;
    const all = {...range, above: onlyNew ? known : undefined};
    const {text, messages, refuseWithoutId} = await readThread(id, all, this.#sourceOf(id));
    const {entry, place} = await this.#begun(id, 'thread', withoutMessages(text));
    const read = async (writer: ReadingWriter) => {
      await this.#page(place, writer, messages);
      refuseWithoutId();
    };
    return this.#read(place, entry, read, 'up');
  }

  /** What was read is kept, also where the reading failed. */
  async #read(
    place: ConversationPlace,
    entry: CatalogueEntry,
    read: (writer: ReadingWriter) => Promise<void>,
    order: 'down' | 'up',
  ): Promise<Done> {
    let failure: Failure | undefined;
    this.#damaged = this.#media !== undefined && !this.#options.onlyNew ? await damagedMedia(place) : new Set();
    this.#kept = await KeptMedia.in(place);
    this.#isAccepted = !isRequest(entry.text);
    {
      await using writer = await ReadingWriter.create(place.reading, {at: this.#at, order});
      await read(writer).catch((error: unknown) => {
        failure = ownFailure(error, place.folder);
      });
    }
    if (failure?.code === 'local') throw failure;
    const reading = await Reading.open(place.reading);
    if (reading === undefined) throw new Damaged(`${place.reading} is not what was written`);
    return {...(await this.#merge(place, readAsFar(entry, failure === undefined), reading, this.#options.dropsMissing)), failure};
  }

  async #merge(place: ConversationPlace, entry: CatalogueEntry, reading: Reading, dropsMissing: boolean) {
    const {owner} = this.#options;
    const {kept, changes} = await mergeReading(place, reading, {
      dropsMissing,
      writePage: (folder, counts) => writePage(folder, withCounts(entry, counts), owner),
    });
    const merged = withCounts(entry, kept);
    await this.#catalogue.set(merged);
    return {entry: merged, changes};
  }

  async #page(place: ConversationPlace, writer: ReadingWriter, messages: readonly Message[]): Promise<void> {
    const {progress} = this.#options;
    const media = this.#media;
    await writer.page(messages);
    progress.messages += messages.length;
    if (media === undefined) return;
    const all = messages.flatMap(({text}) => mediaIn(text));
    const wanted = all.filter(({id}) => this.#damaged.has(id) || this.#kept?.has(id) !== true);
    await this.#fetch(
      place,
      wanted.map((medium) => ({...medium, before: undefined})),
      media,
      (entries) => writer.media(entries),
    );
  }

  /** Tries files again that could not be fetched, of messages that this run does not read: those below the lowest one. */
  async #retry(place: ConversationPlace, writer: ReadingWriter, {facts}: CatalogueEntry, lowest: string | undefined): Promise<void> {
    const media = this.#media;
    if (media === undefined || facts.absent_media === 0) return;
    const wanted: WantedMedium[] = [];
    for await (const {id, text, entry} of keptMessages(place)) {
      if (lowest !== undefined && compareIds(id, lowest) >= 0) break;
      const failed = new Map(entry?.media.flatMap((one) => (one.error === undefined ? [] : [[one.id, one] as const])));
      if (failed.size === 0) continue;
      for (const medium of mediaIn(text)) {
        const before = failed.get(medium.id);
        if (before !== undefined) wanted.push({...medium, before});
      }
    }
    await this.#fetch(place, wanted, media, (entries) => writer.retried(entries));
  }

  async #fetch(
    place: ConversationPlace,
    wanted: readonly WantedMedium[],
    media: MediaFetcher,
    write: (entries: readonly MediumEntry[]) => Promise<void>,
  ): Promise<void> {
    if (wanted.length === 0) return;
    const {progress} = this.#options;
    const entries: MediumEntry[] = [];
    const done = (entry: MediumEntry) => {
      entries.push(entry);
      if (entry.file === undefined) return;
      this.#kept?.add(entry.file);
      progress.files += 1;
    };
    await media.fetchAll(wanted, {place, isAccepted: this.#isAccepted, at: this.#at, done});
    await write(entries);
  }

  #resultOf(target: Target, entry: CatalogueEntry | undefined, changes: ChangeCounts, failure: Failure | undefined): ConversationResult {
    const facts = entry?.facts;
    const {messages, missing, media, bytes, absent_media, first_id, last_id, last_at} = facts ?? nothingKept;
    return {
      id: facts?.id ?? target.name,
      type: target.type,
      with: Object.values(facts?.people ?? {}).map(({acct}) => `@${acct}`),
      folder: facts === undefined ? null : this.#placeOf(facts.id).folder,
      messages,
      missing,
      media,
      bytes,
      absent_media,
      first_id,
      last_id,
      last_at,
      ...sumOf(changes, this.#recovered.get(facts?.id ?? '') ?? nothingChanged),
      incomplete: facts?.incomplete ?? false,
      dates_out_of_order: this.#disordered.has(facts?.id ?? ''),
      failure,
    };
  }
}

/** How far an id is between two others. Ids grow with time. */
function partOf(...ids: readonly [first: string | undefined, reached: string | undefined, last: string | undefined]): number {
  const [first = 0, reached = 0, last = 0] = ids.map((id) => (/^\d{1,30}$/.test(id ?? '') ? Number(id) : 0));
  return last > first && reached > first ? Math.min(0.99, (reached - first) / (last - first)) : 0;
}

interface Done {
  readonly entry: CatalogueEntry;
  readonly changes: ChangeCounts;
  readonly failure: Failure | undefined;
}

/** A thread without its messages, which are in a file of their own. */
function withoutMessages(text: string): string {
  const fields = [...fieldTexts(text)].filter(([name]) => name !== 'messages');
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/**
 * Exports conversations, and tells of each. What was read is kept, whatever fails.
 * @throws Failure of what ends the run, after the result of the conversation that it met
 */
export async function* exportConversations(options: ExportOptions): AsyncGenerator<ConversationResult, void, undefined> {
  const {folder, owner, media} = options;
  try {
    await using catalogue = await Catalogue.open(folder);
    const size = catalogue.entries.reduce((sum, {facts: {bytes}}) => sum + bytes, 0);
    await using fetcher = media && new MediaFetcher(media, size);
    const run = new Export(options, catalogue, fetcher);
    await run.recover();
    let isOver = false;
    try {
      yield* run.run();
      isOver = true;
    } finally {
      await catalogue.tidy();
      await writeWhole(join(folder, accountFiles.index), indexPage(catalogue.entries, owner, isOver));
    }
  } catch (error) {
    throw ownFailure(error, folder);
  }
}
