/** Compares an archive with the server. */
import {compareIds} from '../json/compare-ids.js';
import type {AccountDirectory} from '../operations/accounts.js';
import {Catalogue} from './catalogue.js';
import {
  checkedConversation,
  isMeant,
  nothingChecked,
  nothingCompared,
  resultFor,
  resultOfLost,
  type Checked,
  type CheckOptions,
  type ArchiveComparison,
  type MissingPart,
  type MessageSpan,
  type VerifyResult,
} from './check.js';
import {noteDamaged} from './damaged-media.js';
import type {ExportProgress} from './export.js';
import type {MediumEntry} from './entry.js';
import {ownFailure, RunWatch} from './failures.js';
import {keptMessages, type KeptMessage} from './kept.js';
import {mayHaveMedia, mediaIn, saysTheSame, sentAt, type Message} from './message.js';
import {Peekable} from './peekable.js';
import {ConversationPlace, nameOf} from './places.js';
import {gapsOf, isIn, joinedRanges, type Range} from './ranges.js';
import {everything, messagePages, readThreadPages, type ArchiveSource} from './read-pages.js';
import {otherHandles, notRead} from './record.js';
import {targetsOf, type RequestedConversation, type WantedConversations} from './targets.js';

interface VerifyOptions extends CheckOptions, WantedConversations {
  readonly source: ArchiveSource;
  readonly accounts: () => Promise<AccountDirectory>;
  /** Only messages sent at this time or later. */
  readonly since: Date | undefined;
  readonly progress: ExportProgress;
}

const maxGaps = 100;

type Mutable<Value> = {-readonly [Name in keyof Value]: Value[Name]};

class SideCount {
  readonly side: Mutable<MessageSpan> = {messages: 0, first_id: null, last_id: null};

  add(id: string): void {
    this.side.messages += 1;
    this.side.first_id ??= id;
    this.side.last_id = id;
  }
}

/** Both sides in the order of their ids. */
class Comparing {
  readonly #files: Checked;
  readonly #withMedia: boolean;
  readonly #server = new SideCount();
  readonly #archive = new SideCount();
  readonly #gaps: MissingPart[] = [];
  #open: Mutable<MissingPart> | undefined;
  readonly #counts = {missing: 0, changed: 0, deleted: 0, media: 0, media_missing: 0, media_damaged: 0};

  /** @param files what was found of them before */
  constructor(files: Checked, withMedia: boolean) {
    this.#files = files;
    this.#withMedia = withMedia;
  }

  get result(): Omit<ArchiveComparison, 'damaged_files'> {
    this.#close(null);
    return {server: this.#server.side, archive: this.#archive.side, gaps: this.#gaps, ...this.#counts};
  }

  both(kept: KeptMessage, {id, text}: Message): void {
    this.#server.add(id);
    this.#archive.add(id);
    this.#close(id);
    if (!saysTheSame(kept.text, text)) this.#counts.changed += 1;
    this.#addFiles(text, kept.entry?.media ?? []);
  }

  onlyServer({id, text}: Message): void {
    this.#server.add(id);
    this.#counts.missing += 1;
    this.#open ??= {after: this.#archive.side.last_id, before: null, messages: 0};
    this.#open.messages += 1;
    this.#addFiles(text, []);
  }

  /** @param isGone whether the server would show it if it had it */
  onlyArchive({id}: KeptMessage, isGone: boolean): void {
    this.#archive.add(id);
    if (isGone) this.#counts.deleted += 1;
    this.#close(id);
  }

  #close(before: string | null): void {
    if (this.#open === undefined) return;
    this.#open.before = before;
    if (this.#gaps.length < maxGaps) this.#gaps.push(this.#open);
    this.#open = undefined;
  }

  #addFiles(text: string, entries: readonly MediumEntry[]): void {
    if (!this.#withMedia || !mayHaveMedia(text)) return;
    const known = new Map(entries.map((entry) => [entry.id, entry]));
    for (const {id} of mediaIn(text)) {
      this.#counts.media += 1;
      const {file} = known.get(id) ?? {};
      if (file === undefined || this.#files.missing.has(file)) this.#counts.media_missing += 1;
      else if (this.#files.damaged.has(file)) this.#counts.media_damaged += 1;
    }
  }
}

/** What a server shows of a conversation, when all of it was read. */
interface Shown {
  /** Whether the server has messages that it does not give. */
  readonly isPart: boolean;
  /** What it answers for. */
  readonly answersFor: (id: string) => boolean;
}

/** @param begin called before the first message */
async function* serverMessages(
  target: Awaited<ReturnType<RequestedConversation['find']>>,
  source: ArchiveSource,
  progress: ExportProgress,
  begin: (shown: Shown) => void,
): AsyncGenerator<Message, void, undefined> {
  if (target.type === 'thread') {
    const {pages, refuseWithoutId} = await readThreadPages(target.id, everything, source);
    const covers = pages.flatMap(({covers: one}) => one ?? []);
    const ranges = covers.reduce<readonly Range[]>(joinedRanges, []);
    begin({
      isPart: gapsOf({ranges, newest: true}).length > 0,
      answersFor: (id) => covers.some((interval) => isIn(interval, id)),
    });
    for (const {messages} of pages) {
      progress.messages += messages.length;
      yield* messages;
    }
    return refuseWithoutId();
  }
  for await (const {messages} of messagePages(target.id, everything, source)) {
    progress.messages += messages.length;
    yield* messages;
  }
}

class Verification {
  readonly #options: VerifyOptions;
  readonly #catalogue: Catalogue;
  readonly #damaged: ReadonlyMap<string, VerifyResult>;
  /** Conversations that were compared with the server, by the names of their folders. */
  readonly compared = new Set<string>();

  /** @param damaged by the names of folders, those that are not compared */
  constructor(options: VerifyOptions, catalogue: Catalogue, damaged: ReadonlyMap<string, VerifyResult>) {
    this.#options = options;
    this.#catalogue = catalogue;
    this.#damaged = damaged;
  }

  async of(target: RequestedConversation): Promise<VerifyResult> {
    let id = target.id;
    const {folder} = this.#options;
    try {
      const found = await target.find();
      ({id} = found);
      this.compared.add(nameOf(id));
      return this.#damaged.get(nameOf(id)) ?? (await this.#compared(found));
    } catch (error) {
      const failure = ownFailure(error, folder, {what: 'read'});
      const record = id === undefined ? undefined : this.#catalogue.find(id)?.record;
      if (record !== undefined) return resultFor(ConversationPlace.of(folder, record.facts.id), record, {...nothingChecked, failure});
      return {...nothingCompared, id: target.name, with: [], incomplete: false, not_read: [], failure};
    }
  }

  async #compared(found: Awaited<ReturnType<RequestedConversation['find']>>): Promise<VerifyResult> {
    const {folder, source, progress, withMedia} = this.#options;
    const place = ConversationPlace.of(folder, found.id);
    const known = this.#catalogue.find(found.id);
    const record = known?.record;
    const files = known?.record && (await checkedConversation(known, withMedia)).files;
    const comparing = new Comparing(files ?? {...nothingChecked, failure: undefined}, withMedia);
    await using kept = await Peekable.of(keptMessages(place));
    let shown: Shown = {isPart: false, answersFor: () => true};
    const takeUntil = async (id: string | undefined) => {
      for (let old = kept.head; old !== undefined && (id === undefined || compareIds(old.id, id) < 0); old = kept.head) {
        if (this.#isWanted(old)) comparing.onlyArchive(old, shown.answersFor(old.id));
        await kept.next();
      }
    };
    for await (const message of serverMessages(found, source, progress, (one) => (shown = one))) {
      await takeUntil(message.id);
      const old = kept.head?.id === message.id ? kept.head : undefined;
      if (this.#isWanted(message)) {
        if (old === undefined) comparing.onlyServer(message);
        else comparing.both(old, message);
      }
      if (old !== undefined) await kept.next();
    }
    await takeUntil(undefined);
    if (withMedia && files !== undefined) await noteDamaged(place, [...files.damaged]);
    return {
      id: found.id,
      with: otherHandles(record),
      ...comparing.result,
      damaged_files: [...(files?.damaged ?? [])].map((file) => `${place.name}/${file}`),
      incomplete: shown.isPart,
      not_read: record === undefined ? [] : notRead(record),
      failure: undefined,
    };
  }

  #isWanted({text}: Message): boolean {
    const {since} = this.#options;
    return since === undefined || !(Number(sentAt(JSON.parse(text))) < since.getTime());
  }
}

/**
 * Checks the files of an archive, then compares those that are whole with the server, one conversation after the other. Nothing is changed
 * but the note of damaged files.
 */
export async function* verifyArchive(options: VerifyOptions): AsyncGenerator<VerifyResult, void, undefined> {
  const {source, accounts, folder, named, progress, withMedia} = options;
  try {
    const catalogue = await Catalogue.open(folder);
    const damaged = new Map<string, VerifyResult>();
    for (const known of catalogue.all) {
      const {result} = await checkedConversation(known, false);
      if (result.failure !== undefined) damaged.set(known.place.name, result);
    }
    const verification = new Verification(options, catalogue, damaged);
    const targets = await targetsOf(options, source, accounts);
    const watch = new RunWatch();
    progress.total = targets.length;
    for (const target of targets) {
      const result = await verification.of(target);
      if (result.failure === undefined) progress.done += 1;
      else progress.failed += 1;
      yield result;
      if (watch.isEndedBy(result.failure)) throw result.failure;
    }
    if (named !== undefined) return;
    // What the server does not list exists here alone.
    for (const known of catalogue.all)
      if (isMeant(known, undefined) && !verification.compared.has(known.place.name))
        yield (await checkedConversation(known, withMedia)).result;
    for (const record of catalogue.lost) if (!verification.compared.has(nameOf(record.facts.id))) yield resultOfLost(folder, record);
  } catch (error) {
    throw ownFailure(error, folder, {what: 'read'});
  }
}
