/** Exports conversations into an archive: the messages of all of them first, then their files. */
import {Failure} from '../client/failure.js';
import {writeWhole} from '../files/whole-file.js';
import {compareIds} from '../json/path.js';
import type {AccountDirectory} from '../operations/accounts.js';
import type {ArchiveOwner} from './archive-folder.js';
import {fetchWanted, findWanted, type MediaChanges, noMediaChanges} from './conversation-media.js';
import {type ConversationFacts, summarize} from './facts.js';
import {ownFailure, RunWatch} from './failures.js';
import type {ArchivedMessage, Version} from './fold.js';
import {Log} from './log.js';
import {MediaFetcher, type MediaOptions} from './media-fetch.js';
import {isRequest} from './message.js';
import {Overview} from './overview.js';
import {conversationPage, type ShownMessage} from './page.js';
import {ConversationPlace, nameOf} from './archive-places.js';
import {gapsOf} from './ranges.js';
import {nothingThere, readPages, type ArchiveSource} from './read-pages.js';
import {noChanges, Reading, type ReadingChanges} from './reading.js';
import {targetsOf, type FoundConversation, type RequestedConversation, type WantedConversations} from './archive-targets.js';

export interface ExportOptions extends WantedConversations {
  readonly source: ArchiveSource;
  /** The folder of the account, which the caller has opened. */
  readonly folder: string;
  readonly owner: ArchiveOwner;
  readonly accounts: () => Promise<AccountDirectory>;
  /** Only messages sent at this time or later. */
  readonly since?: Date | undefined;
  /** Reads only what was not read before, and marks nothing as missing. */
  readonly onlyNew: boolean;
  /** Tells what is new, and writes nothing. */
  readonly isDryRun: boolean;
  /** Undefined when no media are fetched. */
  readonly media: MediaOptions | undefined;
  readonly now: Date;
  /** Updated as the work goes on. */
  readonly progress: ExportProgress;
  readonly warn: (text: string) => void;
}

export interface ExportProgress {
  /** Conversations; undefined until they are listed. */
  total: number | undefined;
  done: number;
  failed: number;
  messages: number;
  files: number;
}

export const noProgress = (): ExportProgress => ({total: undefined, done: 0, failed: 0, messages: 0, files: 0});

export interface ConversationResult extends Omit<ConversationFacts, 'conversation' | 'folder' | 'people'>, ReadingChanges, MediaChanges {
  /** The other people in it. */
  readonly with: readonly string[];
  /** Its path; null where the conversation is not in the archive. */
  readonly folder: string | null;
  /** Whether the server suddenly shows little of what it had. */
  readonly doubtful: boolean;
  readonly failure: Failure | undefined;
}

export const nothingDone = {
  with: [],
  folder: null,
  messages: 0,
  missing: 0,
  media: 0,
  bytes: 0,
  absent_media: 0,
  last_at: null,
  not_read: [],
  ...noChanges,
  ...noMediaChanges,
  doubtful: false,
  failure: undefined,
};

const indexLine = ({id, firstSeen, missingSince, versions, media}: ShownMessage): string =>
  `${JSON.stringify({
    id,
    first_seen: firstSeen,
    missing_since: missingSince,
    media: media.length > 0 ? media.map(({of: _, ...entry}) => entry) : undefined,
    versions: versions.length > 0 ? versions : undefined,
  })}\n`;

/** Makes the files for people and programs from a log: messages, index and page. They can be removed, because the log has all of it. */
export async function derive(log: Log, owner: ArchiveOwner): Promise<void> {
  const {conversation, place} = log;
  const all = [...conversation.messages.values()].sort((one, other) => compareIds(one.id, other.id));
  await log.withMessages(async (messageOf) => {
    const show = ({id, version, missingSince, media}: ArchivedMessage): ShownMessage => {
      const versions: {until: string; message: unknown}[] = [];
      let first: Version = version;
      for (; first.before !== undefined; first = first.before) versions.unshift({until: first.at, message: messageOf(first.before)});
      const entries = [...media].flatMap((one) => conversation.media.get(one) ?? []);
      return {id, value: messageOf(version), firstSeen: first.at, missingSince, versions, media: entries};
    };
    const showAll = () => all.values().map(show);
    const messages = showAll().map(({value}) => `${JSON.stringify(value)}\n`);
    await writeWhole(place.pathOf('messages'), messages, {durable: false});
    await writeWhole(place.pathOf('index'), showAll().map(indexLine), {durable: false});
    await writeWhole(place.pathOf('page'), conversationPage(conversation.at ?? '', summarize(log), showAll(), owner), {durable: false});
  });
}

/** A conversation whose messages were read, or could not be. */
interface Read {
  result: ConversationResult;
  readonly wantsMedia: boolean;
  readonly isRequest: boolean;
}

class Export {
  readonly #options: ExportOptions;
  readonly #overview: Overview;
  readonly #at: string;
  /** Ids of conversations that were exported. */
  readonly #seen = new Set<string>();

  constructor(options: ExportOptions) {
    this.#options = options;
    this.#overview = new Overview(options.folder);
    this.#at = options.now.toISOString();
  }

  /** Reads the messages of all conversations, then fetches their files. @param read is given each conversation @throws Failure that ends the run */
  async run(read: Read[]): Promise<void> {
    const {progress, media} = this.#options;
    const targets = await targetsOf(this.#options, {...this.#options, overview: this.#overview});
    progress.total = targets.length;
    const watch = new RunWatch();
    for (const target of targets) {
      const one = await this.#read(target);
      if (one === undefined) {
        progress.total -= 1;
        continue;
      }
      const {failure} = one.result;
      progress[failure === undefined ? 'done' : 'failed'] += 1;
      read.push(one);
      if (watch.isEndedBy(failure)) throw failure;
    }
    // Files of message requests come last, because strangers send them, and can name a server that holds a run up.
    const waiting = read.filter(({wantsMedia}) => wantsMedia).toSorted((one, other) => Number(one.isRequest) - Number(other.isRequest));
    if (waiting.length === 0 || media === undefined) return;
    // This comes before the files, so that a run that is killed meanwhile leaves a page that links to all messages.
    await this.writeOverview();
    const sizes = media.maxSize === undefined ? [] : (await this.#overview.all()).map(({bytes}) => bytes);
    const size = sizes.reduce((sum, bytes) => sum + bytes, 0);
    await using fetcher = await MediaFetcher.open(media, size);
    for (const one of waiting) {
      const {failure} = one.result;
      one.result = await this.#withMedia(one.result, fetcher);
      if (one.result.failure !== failure && watch.isEndedBy(one.result.failure)) throw one.result.failure;
    }
  }

  async writeOverview(): Promise<void> {
    if (!this.#options.isDryRun) await this.#overview.write(this.#options.owner);
  }

  #open(id: string): Promise<Log> {
    const {isDryRun: isReadOnly, warn, folder} = this.#options;
    return Log.open(new ConversationPlace(folder, nameOf(id)), {at: this.#at, isReadOnly, warn});
  }

  /** Writes the files that are made from a log, and describes the conversation. */
  async #settle(log: Log) {
    await log.settle(() => derive(log, this.#options.owner));
    const facts = summarize(log);
    this.#overview.set(facts);
    return this.#describe(facts);
  }

  #describe({people, folder, conversation: _, ...counts}: ConversationFacts) {
    const handles = Object.values(people).map(({acct}) => `@${acct}`);
    return {...counts, with: handles, folder: new ConversationPlace(this.#options.folder, folder).folder};
  }

  /** @returns undefined for a conversation that was exported under another name */
  async #read(target: RequestedConversation): Promise<Read | undefined> {
    let id: string | undefined;
    try {
      const found = await target.find();
      if (this.#seen.has(found.id)) return undefined;
      this.#seen.add(found.id);
      ({id} = found);
      return await this.#readFound(found);
    } catch (error) {
      const {folder} = this.#options;
      // A conversation that was not found is reported under the name that was typed.
      const {name} = target;
      const facts = await this.#overview.factsOf(new ConversationPlace(folder, nameOf(id ?? name))).catch(() => undefined);
      const known = {...nothingDone, ...(facts && this.#describe(facts))};
      const result = {...known, id: id ?? name, type: target.type, failure: ownFailure(error, folder)};
      return {result, wantsMedia: false, isRequest: false};
    }
  }

  /** If reading fails half-way, what was read until then is in the log. */
  async #readFound(found: FoundConversation): Promise<Read> {
    const {folder, onlyNew, isDryRun, media} = this.#options;
    const {id, type} = found;
    await using log = await this.#open(id);
    const {conversation} = log;
    if (!log.isEmpty && conversation.type !== type)
      throw new Failure('refused', `The archive has a ${conversation.type} with the id ${id}: this ${type} is not exported`, {
        hint: 'choose another folder with --to',
      });
    const reading = new Reading(log, {at: this.#at, id, type, marks: !onlyNew});
    let failure: Failure | undefined;
    try {
      await this.#readInto(reading, log, found);
    } catch (error) {
      failure = ownFailure(error, folder);
    }
    if (failure?.code === 'local') throw failure;
    await reading.end(failure === undefined);
    return {
      result: {
        ...nothingDone,
        ...(!log.isEmpty && (await this.#settle(log))),
        id,
        type,
        ...reading.changes,
        not_read: gapsOf(conversation.ranges, reading.reachedNewest),
        doubtful: reading.isDoubtful,
        failure,
      },
      wantsMedia: media !== undefined && !isDryRun && !log.isEmpty && (await findWanted(log)) !== undefined,
      isRequest: isRequest(conversation.shown),
    };
  }

  async #readInto(reading: Reading, log: Log, found: FoundConversation): Promise<void> {
    const {source, progress, since, onlyNew} = this.#options;
    const {ranges, messages} = log.conversation;
    const {shown, isGone} = found;
    if (isGone) return reading.take(nothingThere);
    if (shown !== undefined) await reading.take({conversation: shown, messages: []});
    const plan = {known: onlyNew ? ranges : [], since, dateOf: (id: string) => messages.get(id)?.sent};
    for await (const page of readPages(found, plan, source)) {
      await reading.take(page);
      progress.messages += page.messages.length;
    }
  }

  /** Fetches the files of a conversation that was read. @returns its result, with them */
  async #withMedia(result: ConversationResult, fetcher: MediaFetcher): Promise<ConversationResult> {
    const {source, progress, folder} = this.#options;
    const {id, type, not_read: gaps} = result;
    try {
      await using log = await this.#open(id);
      const wanted = await findWanted(log);
      if (wanted === undefined) return result;
      if (log.conversation.at !== this.#at) log.head = {id, type};
      const onFile = () => (progress.files += 1);
      const {changes, failure} = await fetchWanted(log, wanted, {fetcher, signal: source.signal, onFile});
      return {...result, ...(await this.#settle(log)), ...changes, not_read: gaps, failure: result.failure ?? failure};
    } catch (error) {
      return {...result, failure: result.failure ?? ownFailure(error, folder)};
    }
  }
}

/** Exports conversations. Whatever fails, what was read until then is in the logs. @returns also the failure that ended the run, if any */
export async function exportConversations(
  options: ExportOptions,
): Promise<{readonly results: readonly ConversationResult[]; readonly failure: Failure | undefined}> {
  const run = new Export(options);
  const read: Read[] = [];
  const ended = await Promise.allSettled([run.run(read)]);
  const written = await Promise.allSettled([run.writeOverview()]);
  const failed = [...ended, ...written].find((one) => one.status === 'rejected');
  return {results: read.map(({result}) => result), failure: failed && ownFailure(failed.reason, options.folder)};
}
