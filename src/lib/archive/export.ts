/** Exports conversations into an archive: the messages of all of them first, then their files. */
import {Failure} from '../client/failure.js';
import type {AccountDirectory} from '../operations/accounts.js';
import type {ArchiveOwner} from './archive-folder.js';
import {fetchWanted, findWanted, type MediaChanges, noMediaChanges, type WantedFiles} from './conversation-media.js';
import {derive} from './derived.js';
import {type ConversationFacts, summarize} from './facts.js';
import {ownFailure, RunWatch} from './failures.js';
import {Log} from './log.js';
import {MediaFetcher, type MediaOptions} from './media-fetch.js';
import {isRequest, readSentAt} from './message.js';
import {Overview} from './overview.js';
import {ConversationPlace} from './places.js';
import {gapsOf, type Gap} from './ranges.js';
import {messagePages, nothingThere, readThreadPages, type ReadingPlan, type ArchiveSource} from './read-pages.js';
import {noChanges, Reading, type ReadingChanges} from './reading.js';
import {targetsOf, type FoundConversation, type RequestedConversation, type WantedConversations} from './targets.js';
import {identifierIn} from './texts.js';

export interface ExportOptions extends WantedConversations {
  readonly source: ArchiveSource;
  /** The folder of the account, which the caller has opened. */
  readonly folder: string;
  readonly owner: ArchiveOwner;
  /** Finds accounts by their names. */
  readonly accounts: () => Promise<AccountDirectory>;
  /** Only messages sent at this time or later. */
  readonly since?: Date | undefined;
  /** Reads only what was not read before, and marks nothing as missing. */
  readonly onlyNew: boolean;
  /** Tells what is new, and writes nothing. */
  readonly isDryRun: boolean;
  /** Undefined: no media are fetched. */
  readonly media: MediaOptions | undefined;
  readonly now: Date;
  /** Called as the work goes on. */
  readonly progress: ExportProgress;
  readonly warn: (text: string) => void;
  /** Told what the run does, in words, where that changes. */
  readonly tell: (doing: string) => Promise<void>;
}

/** How far an export is. */
export interface ExportProgress {
  /** Conversations; undefined until they are listed. */
  total: number | undefined;
  done: number;
  failed: number;
  /** How far the current conversation is read, from 0 to 1, estimated from the ids of its messages. */
  part: number;
  messages: number;
  files: number;
}

export const noProgress = (): ExportProgress => ({total: undefined, done: 0, failed: 0, part: 0, messages: 0, files: 0});

type ArchivedFacts = Omit<ConversationFacts, 'folder' | 'log' | 'people' | 'text'>;

/** What became of a conversation. */
export interface ConversationResult extends ArchivedFacts, ReadingChanges, MediaChanges {
  /** The others in it. */
  readonly with: readonly string[];
  /** Where it is; null where it is not in the archive. */
  readonly folder: string | null;
  /** Whether some of what was asked for was not read. */
  readonly unfinished: boolean;
  /** Whether the server suddenly shows little of what it had. */
  readonly doubtful: boolean;
  /** Whether dates did not follow ids, so that more was read than --since asks for. */
  readonly dates_out_of_order: boolean;
  readonly failure: Failure | undefined;
}

const nothingArchived = {
  people: {},
  folder: undefined,
  messages: 0,
  missing: 0,
  media: 0,
  bytes: 0,
  absent_media: 0,
  first_id: null,
  last_id: null,
  last_at: null,
  incomplete: false,
  log: '',
  text: undefined,
};

/** A conversation whose messages were read, or could not be. */
interface Read {
  readonly target: RequestedConversation;
  readonly facts: ConversationFacts | undefined;
  readonly gaps: readonly Gap[];
  readonly changes: ReadingChanges & MediaChanges;
  readonly failure: Failure | undefined;
  readonly isUnfinished: boolean;
  readonly isDoubtful: boolean;
  readonly isOutOfOrder: boolean;
  /** Whether files are to be fetched. */
  readonly wantsMedia: boolean;
}

const hasWanted = ({media, there, damage}: WantedFiles): boolean => media.length > 0 || there.length > 0 || damage !== undefined;

class Export {
  readonly #options: ExportOptions;
  readonly #overview: Overview;
  readonly #media: MediaFetcher | undefined;
  readonly #at: string;

  constructor(options: ExportOptions, overview: Overview, media: MediaFetcher | undefined) {
    this.#options = options;
    this.#overview = overview;
    this.#media = media;
    this.#at = options.now.toISOString();
  }

  async *run(): AsyncGenerator<ConversationResult, void, undefined> {
    const {source, accounts, progress, folder} = this.#options;
    const targets = await targetsOf(this.#options, folder, {source, accounts, overview: this.#overview});
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
      if (waiting.length === 0 && !read.wantsMedia) yield this.#resultOf(read);
      else waiting.push(read);
      if (watch.isEndedBy(read.failure)) end = read.failure;
      if (end !== undefined) break;
    }
    if (waiting.length > 0) {
      await this.#options.tell('fetching files');
      // A kill from here on leaves a page that leads to all messages.
      await this.writeOverview();
    }
    const fetched = new Map<Read | undefined, Read>();
    // Files of message requests come last, because strangers send them, and can name a server that holds a run up.
    const turn = ({facts}: Read) => Number(facts?.text !== undefined && isRequest(facts.text));
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

  async writeOverview(): Promise<void> {
    if (!this.#options.isDryRun) await this.#overview.write(this.#options.owner);
  }

  #open(place: ConversationPlace): Promise<Log> {
    const {isDryRun: isReadOnly, warn} = this.#options;
    return Log.open(place, {at: this.#at, isReadOnly, warn});
  }

  /** @returns undefined for one that was exported under another name */
  async #read(target: RequestedConversation, seen: Set<string>): Promise<Read | undefined> {
    const {folder} = this.#options;
    const nothing = {
      target,
      facts: undefined,
      gaps: [],
      changes: {...noChanges, ...noMediaChanges},
      isDoubtful: false,
      isOutOfOrder: false,
    };
    let id: string | undefined;
    try {
      const found = await target.find();
      if (seen.has(found.id)) return undefined;
      seen.add(found.id);
      ({id} = found);
      return {...nothing, ...(await this.#readFound(found))};
    } catch (error) {
      const failure = ownFailure(error, folder);
      const known = id ?? target.id;
      const facts =
        known === undefined ? undefined : await this.#overview.factsOf(ConversationPlace.of(folder, known)).catch(() => undefined);
      return {...nothing, facts, gaps: facts?.not_read ?? [], failure, isUnfinished: true, wantsMedia: false};
    }
  }

  /** If reading fails half-way, what was read until then is in the log. */
  async #readFound(found: FoundConversation): Promise<Omit<Read, 'target'>> {
    const {folder, onlyNew, owner} = this.#options;
    const {id, type} = found;
    await using log = await this.#open(ConversationPlace.of(folder, id));
    const {conversation} = log;
    if (!log.isEmpty && conversation.type !== type)
      throw new Failure('refused', `The archive has a ${conversation.type} with the id ${id}: this ${type} is not exported`, {
        hint: 'choose another folder with --to',
      });
    const reading = new Reading(log, {at: this.#at, id, type, marks: !onlyNew});
    let failure: Failure | undefined;
    let isOutOfOrder = false;
    try {
      await this.#readInto(reading, log, found, () => (isOutOfOrder = true));
    } catch (error) {
      failure = ownFailure(error, folder);
    }
    if (failure?.code === 'local') throw failure;
    await reading.end(failure === undefined);
    await log.settle(() => derive(log, owner));
    const facts = log.isEmpty ? undefined : await summarize(log);
    if (facts !== undefined) this.#overview.set(facts);
    return {
      facts,
      gaps: gapsOf(conversation.ranges, reading.reachedNewest),
      changes: {...reading.changes, ...noMediaChanges},
      failure,
      isUnfinished: failure !== undefined || reading.isDoubtful,
      isDoubtful: reading.isDoubtful,
      isOutOfOrder,
      wantsMedia: this.#media !== undefined && !log.isEmpty && hasWanted(await findWanted(log)),
    };
  }

  async #readInto(reading: Reading, log: Log, {id, type, text, isGone}: FoundConversation, tell: () => void): Promise<void> {
    const {source, progress} = this.#options;
    const plan = await this.#planFor(log);
    if (isGone) return reading.take(nothingThere);
    if (type === 'thread') {
      const thread = await readThreadPages(id, plan, source, tell);
      await reading.meet(thread.text);
      for (const page of thread.pages) {
        await reading.take(page);
        progress.messages += page.messages.length;
      }
      return thread.refuseWithoutId();
    }
    if (text !== undefined) await reading.meet(text);
    const newest = text === undefined ? undefined : identifierIn(text, ['last_message', 'id']);
    let first: string | undefined;
    for await (const page of messagePages(id, plan, source, tell)) {
      await reading.take(page);
      progress.messages += page.messages.length;
      first ??= page.messages[0]?.id;
      progress.part = partOf(first, page.messages.at(-1)?.id, newest);
    }
  }

  async #planFor(log: Log): Promise<ReadingPlan> {
    const {since, onlyNew} = this.#options;
    const {ranges, messages} = log.conversation;
    const dates = new Map<string, Date | undefined>();
    if (onlyNew && since !== undefined)
      await log.withTexts(async (textOf) => {
        for (const {from} of ranges) {
          const message = messages.get(from ?? '');
          if (message !== undefined) dates.set(message.id, readSentAt(JSON.parse(textOf(message.id, message.version))));
        }
      });
    return {known: onlyNew ? ranges : [], since, dateOf: (id) => dates.get(id)};
  }

  /** A conversation that was read, with its files. */
  async #withMedia(read: Read): Promise<Read> {
    const {source, progress, folder, owner} = this.#options;
    const {facts} = read;
    if (this.#media === undefined || facts === undefined || !read.wantsMedia) return read;
    try {
      await using log = await this.#open(new ConversationPlace(folder, facts.folder));
      let isBegun = false;
      const append = async (line: Readonly<Record<string, unknown>>) => {
        const {id, type} = facts;
        if (!isBegun && log.conversation.at !== this.#at) await log.append(JSON.stringify({run: this.#at, id, type}));
        isBegun = true;
        await log.append(JSON.stringify(line));
      };
      const {signal} = source;
      const onFile = () => (progress.files += 1);
      const {changes, failure} = await fetchWanted(log, await findWanted(log), {fetcher: this.#media, append, signal, onFile});
      await log.settle(() => derive(log, owner));
      const after = await summarize(log);
      this.#overview.set(after);
      return {...read, facts: after, changes: {...read.changes, ...changes}, failure: read.failure ?? failure};
    } catch (error) {
      return {...read, failure: read.failure ?? ownFailure(error, folder)};
    }
  }

  #resultOf({target, facts, gaps, changes, failure, isUnfinished, isDoubtful, isOutOfOrder}: Read): ConversationResult {
    // A conversation that was not found is told by the name that was typed.
    const found = facts ?? {...nothingArchived, id: target.id ?? target.name};
    const {id, folder, people, log: _, text: __, ...counts} = found;
    return {
      id,
      with: Object.values(people).map(({acct}) => `@${acct}`),
      folder: folder === undefined ? null : new ConversationPlace(this.#options.folder, folder).folder,
      ...counts,
      type: target.type,
      ...changes,
      not_read: [...gaps],
      unfinished: isUnfinished,
      doubtful: isDoubtful,
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

/** Bytes of the media that an archive has. */
async function sizeOf(overview: Overview): Promise<number> {
  const all = (await overview.places()).map((place) => overview.factsOf(place).catch(() => undefined));
  return (await Promise.all(all)).reduce((sum, facts) => sum + (facts?.bytes ?? 0), 0);
}

/**
 * Exports conversations, and tells of each. Whatever fails, what was read until then is in the logs.
 * @throws Failure of what ends the run, after the result of the conversation that it met
 */
export async function* exportConversations(options: ExportOptions): AsyncGenerator<ConversationResult, void, undefined> {
  const {folder, media, isDryRun} = options;
  try {
    const overview = await Overview.open(folder);
    const size = media?.maxSize === undefined ? 0 : await sizeOf(overview);
    await using fetcher = media === undefined || isDryRun ? undefined : new MediaFetcher(media, size);
    const run = new Export(options, overview, fetcher);
    try {
      yield* run.run();
    } finally {
      await run.writeOverview();
    }
  } catch (error) {
    throw ownFailure(error, folder);
  }
}
