/** Exports conversations into an archive: the messages of all of them first, then their files. */
import {Failure} from '../client/failure.js';
import {makeFolder} from '../files/folder.js';
import type {AccountDirectory} from '../operations/accounts.js';
import {identifierAt} from '../json/path.js';
import type {ArchiveOwner} from './archive-folder.js';
import {Catalogue} from './catalogue.js';
import {fetchMedia} from './conversation-media.js';
import {Damaged, ownFailure, RunWatch} from './failures.js';
import {clearWay, conversations, inAccount} from './in-the-way.js';
import {writeOverview} from './index-page.js';
import {checkKept} from './kept.js';
import {MediaFetcher, type MediaOptions} from './media-fetch.js';
import {mergeReading, nothingChanged, sumOf, type ChangeCounts, type Gone, type WritePage} from './merge.js';
import {isRequest} from './message.js';
import {writePage} from './page.js';
import {ConversationPlace, stampOf} from './places.js';
import type {Bound, Gap} from './ranges.js';
import {messagePages, readThreadPages, type ReadingPlan, type ArchiveSource} from './read-pages.js';
import {Reading, ReadingWriter} from './reading.js';
import {Recovery} from './recovery.js';
import {
  otherHandles,
  isIncomplete,
  isUnfinished,
  nothingKept,
  notRead,
  writeRecord,
  type ConversationRecord,
  type KeptCounts,
  type SeenConversation,
} from './record.js';
import {targetsOf, type FoundConversation, type FoundThread, type RequestedConversation, type WantedConversations} from './targets.js';

/** Which messages are wanted. */
export interface WantedMessages {
  /** Only messages sent at this time or later. */
  readonly since?: Date | undefined;
}

export interface ExportOptions extends WantedConversations {
  readonly source: ArchiveSource;
  /** The folder of the account, which the caller has opened. */
  readonly folder: string;
  readonly owner: ArchiveOwner;
  /** Finds accounts by their names. */
  readonly accounts: () => Promise<AccountDirectory>;
  readonly range: WantedMessages;
  /** Reads only what was not read before, and marks nothing as missing. */
  readonly onlyNew: boolean;
  /** Takes what is readable of damaged conversations, and reads the rest again. */
  readonly repairs?: boolean | undefined;
  /** Undefined: no media are fetched. */
  readonly media: MediaOptions | undefined;
  readonly now: Date;
  /** Called as the work goes on. */
  readonly progress: ExportProgress;
  readonly warn: (text: string) => void;
  /** Told what a conversation lacks on the server, as far as it was read. */
  readonly lacks?: ((id: string, gone: Gone) => void) | undefined;
  /** Told what the run does, in words, where that changes. */
  readonly tell: (doing: string) => Promise<void>;
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
  /** Whether the server has messages that it does not give. */
  readonly incomplete: boolean;
  /** What was not read, from the oldest messages to the newest. */
  readonly not_read: readonly Gap[];
  /** Whether some of that was asked for. */
  readonly unfinished: boolean;
  /** Whether dates did not follow ids, so that more was read than --since asks for. */
  readonly dates_out_of_order: boolean;
  readonly failure: Failure | undefined;
}

/** A conversation whose messages were read, or could not be. */
interface Read {
  readonly target: RequestedConversation;
  readonly record: ConversationRecord | undefined;
  readonly changes: ChangeCounts;
  readonly failure: Failure | undefined;
  readonly hasMedia: boolean;
  readonly isOutOfOrder: boolean;
}

/** A conversation that is about to be read. */
interface Begun {
  readonly place: ConversationPlace;
  readonly before: ConversationRecord | undefined;
  /** What this run asks for; undefined: nothing that was not asked for before. */
  readonly asked: Bound | undefined;
  readonly plan: ReadingPlan;
}

/** Reads a conversation, and writes down what comes. @param tell called where dates do not follow ids */
type ReadPages = (writer: ReadingWriter, tell: () => void) => Promise<void>;

class Export {
  readonly #options: ExportOptions;
  readonly #catalogue: Catalogue;
  readonly #media: MediaFetcher | undefined;
  readonly #at: string;
  readonly #writePage: WritePage;
  readonly #recovery: Recovery;

  constructor(options: ExportOptions, catalogue: Catalogue, media: MediaFetcher | undefined) {
    this.#options = options;
    this.#catalogue = catalogue;
    this.#media = media;
    this.#at = options.now.toISOString();
    this.#writePage = (folder, record) => writePage(folder, record, options.owner);
    const {named, now, warn} = options;
    this.#recovery = new Recovery(catalogue, {named, at: this.#at, stamp: stampOf(now), writePage: this.#writePage, warn});
  }

  /** Brings in order what earlier runs left, before anything is read. */
  async prepare(): Promise<void> {
    if (this.#options.repairs === true) await this.#recovery.repair();
    await this.#recovery.recover();
  }

  /** @param isOver whether the run reached its end */
  async writeOverview(isOver: boolean): Promise<void> {
    const {folder, owner} = this.#options;
    await this.#catalogue.write();
    await writeOverview(folder, this.#catalogue.records, owner, isOver);
  }

  async *run(): AsyncGenerator<ConversationResult, void, undefined> {
    const {source, accounts, progress} = this.#options;
    const targets = await targetsOf(this.#options, source, accounts);
    progress.total = targets.length;
    const watch = new RunWatch();
    const seen = new Set<string>();
    /** Results come in the order of the targets. */
    const waiting: Read[] = [];
    let end: Failure | undefined;
    for (const target of targets) {
      const read = await this.#read(target, seen);
      if (read === undefined) {
        progress.total -= 1;
        continue;
      }
      progress.part = 0;
      progress[read.failure === undefined ? 'done' : 'failed'] += 1;
      if (waiting.length === 0 && !this.#wantsMedia(read)) yield this.#resultOf(read);
      else waiting.push(read);
      if (watch.isEndedBy(read.failure)) end = read.failure;
      if (end !== undefined) break;
    }
    if (waiting.length > 0) {
      await this.#options.tell('fetching files');
      // A kill from here on leaves all messages, and a page that leads to them.
      await this.writeOverview(false);
    }
    const fetched = new Map<Read | undefined, Read>();
    // Anybody can send a request, with files on a server that holds a run up.
    const turn = ({record}: Read) => Number(record !== undefined && isRequest(record.text));
    for (const read of waiting.toSorted((one, other) => turn(one) - turn(other))) {
      const whole = end === undefined ? await this.#withMedia(read) : read;
      fetched.set(read, whole);
      if (whole.failure !== read.failure && watch.isEndedBy(whole.failure)) end = whole.failure;
      for (let next = fetched.get(waiting[0]); next !== undefined; next = fetched.get(waiting[0])) {
        waiting.shift();
        yield this.#resultOf(next);
      }
    }
    if (end !== undefined) throw end;
  }

  /** @returns undefined for one that was exported under another name */
  async #read(target: RequestedConversation, seen: Set<string>): Promise<Read | undefined> {
    let place: ConversationPlace | undefined;
    const read = {target, record: undefined, changes: nothingChanged, failure: undefined, hasMedia: false, isOutOfOrder: false};
    try {
      if (target.id !== undefined) place = ConversationPlace.of(this.#options.folder, target.id);
      const found = await target.find();
      if (seen.has(found.id)) return undefined;
      seen.add(found.id);
      place = ConversationPlace.of(this.#options.folder, found.id);
      const done = {...read, ...(found.type === 'thread' ? await this.#thread(found) : await this.#conversation(found))};
      return done.failure === undefined ? done : {...done, record: await this.#noted(found.id, done.failure)};
    } catch (error) {
      const failure = ownFailure(error, this.#options.folder, {place});
      return {...read, failure, record: await this.#noted(target.id, failure)};
    }
  }

  /** A conversation that is gone is marked. */
  async #noted(id: string | undefined, failure: Failure): Promise<ConversationRecord | undefined> {
    const record = id === undefined ? undefined : this.#catalogue.find(id)?.record;
    if (id === undefined || failure.details.reason === 'damaged') return record;
    if (record === undefined || failure.code !== 'not_found' || record.facts.missing_since !== undefined) return record;
    const noted = {...record, facts: {...record.facts, missing_since: this.#at}};
    if (noted.files !== undefined) await writeRecord(ConversationPlace.of(this.#options.folder, id), noted);
    this.#catalogue.set(noted);
    return noted;
  }

  /** @throws Failure for a conversation that cannot be added to */
  async #begun({id, type}: Pick<SeenConversation, 'id' | 'type'>): Promise<Begun> {
    const place = ConversationPlace.of(this.#options.folder, id);
    const before = this.#catalogue.get(id);
    if (before !== undefined && before.facts.type !== type)
      throw new Failure('refused', `The archive has a ${before.facts.type} with the id ${id}: this ${type} is not exported`, {
        hint: 'choose another folder with --to',
      });
    await makeFolder(place.folder);
    await checkKept(place, before);
    return {place, before, ...this.#planFor(before)};
  }

  #planFor(before: ConversationRecord | undefined): Pick<Begun, 'asked' | 'plan'> {
    const {range, onlyNew} = this.#options;
    const {ranges = [], bound: known} = before?.facts ?? {};
    const isPart = range.since !== undefined;
    const asked = range.since !== undefined ? {since: range.since.toISOString()} : onlyNew && known !== undefined ? undefined : null;
    const bound = asked === undefined ? (known ?? null) : asked;
    return {asked, plan: {known: onlyNew ? ranges : [], bound, isWholeAbove: !isPart}};
  }

  async #conversation(found: FoundConversation): Promise<Partial<Read>> {
    const {source, progress} = this.#options;
    const newest = identifierAt(found.text, ['last_message', 'id']);
    const begun = await this.#begun(found);
    return this.#merged(begun, found, async (writer, tell) => {
      let first: string | undefined;
      for await (const page of messagePages(found.id, begun.plan, source, tell)) {
        await writer.page(page);
        progress.messages += page.messages.length;
        first ??= page.messages[0]?.id;
        progress.part = partOf(first, page.messages.at(-1)?.id, newest);
      }
    });
  }

  async #thread({id, type}: FoundThread): Promise<Partial<Read>> {
    const {source, progress} = this.#options;
    const begun = await this.#begun({id, type});
    let isOutOfOrder = false;
    // Its messages come with it.
    const thread = await readThreadPages(id, begun.plan, source, () => (isOutOfOrder = true));
    return this.#merged(begun, {id, type, text: thread.text}, async (writer, tell) => {
      for (const page of thread.pages) {
        await writer.page(page);
        progress.messages += page.messages.length;
      }
      if (isOutOfOrder) tell();
      thread.refuseWithoutId();
    });
  }

  /** What was read is kept, also where the reading failed. */
  async #merged({place, before, asked, plan}: Begun, seen: SeenConversation, read: ReadPages): Promise<Partial<Read>> {
    let failure: Failure | undefined;
    let isOutOfOrder = false;
    const header = {at: this.#at, seen, marks: !this.#options.onlyNew, asked, reads: plan.bound};
    {
      await using writer = await ReadingWriter.create(place.reading, header);
      try {
        await read(writer, () => (isOutOfOrder = true));
        await writer.end();
      } catch (error) {
        failure = ownFailure(error, place.folder, {place});
      }
    }
    if (failure?.code === 'local') throw failure;
    const reading = await Reading.open(place.reading);
    if (reading === undefined) throw new Damaged(`${place.reading} differs from what was written`, 'run the same command again');
    const {record, changes, hasMedia, gone} = await mergeReading(place, before, reading, {writePage: this.#writePage});
    this.#catalogue.set(record);
    this.#options.lacks?.(record.facts.id, gone);
    return {record, changes, hasMedia, failure, isOutOfOrder};
  }

  /** A repair also looks at the files of messages that the server does not show any more. */
  #wantsMedia({hasMedia, record}: Read): boolean {
    const hasKept = this.#options.repairs === true && record !== undefined && record.facts.media > 0;
    return this.#media !== undefined && (hasMedia || hasKept);
  }

  /** A conversation that was read, with its files. */
  async #withMedia(read: Read): Promise<Read> {
    const {source, progress, folder, onlyNew, repairs = false} = this.#options;
    const {record, changes} = read;
    if (this.#media === undefined || record === undefined || !this.#wantsMedia(read)) return read;
    const place = ConversationPlace.of(folder, record.facts.id);
    try {
      const check = repairs ? 'bytes' : onlyNew ? undefined : 'lengths';
      const options = {fetcher: this.#media, check, at: this.#at, writePage: this.#writePage, signal: source.signal} as const;
      const fetched = await fetchMedia(place, record, {...options, onFile: () => (progress.files += 1)});
      this.#catalogue.set(fetched.record);
      return {...read, record: fetched.record, changes: sumOf(changes, fetched.changes), failure: read.failure ?? fetched.failure};
    } catch (error) {
      return {...read, failure: read.failure ?? ownFailure(error, folder, {place})};
    }
  }

  #resultOf({target, record, changes, failure, isOutOfOrder}: Read): ConversationResult {
    const {folder} = this.#options;
    const facts = record?.facts;
    const {messages, missing, media, bytes, absent_media, first_id, last_id, last_at} = facts ?? nothingKept;
    return {
      id: facts?.id ?? target.name,
      type: target.type,
      with: otherHandles(record),
      folder: facts === undefined ? null : ConversationPlace.of(folder, facts.id).folder,
      messages,
      missing,
      media,
      bytes,
      absent_media,
      first_id,
      last_id,
      last_at,
      ...sumOf(changes, this.#recovery.changes.get(facts?.id ?? '') ?? nothingChanged),
      incomplete: record !== undefined && isIncomplete(record),
      not_read: record === undefined ? [] : notRead(record),
      unfinished: record !== undefined && isUnfinished(record),
      dates_out_of_order: isOutOfOrder,
      failure,
    };
  }
}

/** How far an id is between two others. Ids grow with time. */
function partOf(...ids: readonly [first: string | undefined, reached: string | undefined, last: string | undefined]): number {
  const [first = 0, reached = 0, last = 0] = ids.map((id) => (/^\d{1,30}$/.test(id ?? '') ? Number(id) : 0));
  return last > first && reached > first ? Math.min(0.99, (reached - first) / (last - first)) : 0;
}

/**
 * Exports conversations, and tells of each. What was read is kept, whatever fails.
 * @throws Failure of what ends the run, after the result of the conversation that it met
 */
export async function* exportConversations(options: ExportOptions): AsyncGenerator<ConversationResult, void, undefined> {
  const {folder, media, warn, repairs, now} = options;
  try {
    if (repairs === true)
      for (const text of await clearWay(folder, (name) => inAccount(name) ?? conversations(name), stampOf(now))) warn(text);
    const catalogue = await Catalogue.open(folder);
    for (const {facts} of catalogue.lost)
      warn(`conversation ${facts.id}: its folder is gone; it is read again if the server still shows it`);
    const size = catalogue.records.reduce((sum, {facts: {bytes}}) => sum + bytes, 0);
    await using fetcher = media && new MediaFetcher(media, size);
    const run = new Export(options, catalogue, fetcher);
    await run.prepare();
    let isOver = false;
    try {
      yield* run.run();
      isOver = true;
    } finally {
      await run.writeOverview(isOver);
    }
  } catch (error) {
    throw ownFailure(error, folder);
  }
}
