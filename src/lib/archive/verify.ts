/** Compares an archive with the server. */
import {join} from 'node:path';
import type {Failure} from '../client/failure.js';
import {compareIds} from '../json/compare-ids.js';
import type {Accounts} from '../operations/accounts.js';
import {Catalogue} from './catalogue.js';
import {noteDamaged} from './damaged-media.js';
import type {ExportProgress} from './export.js';
import type {MediumEntry} from './entry.js';
import {Damaged, ownFailure, RunWatch} from './failures.js';
import {checkKept, entriesIn, keptMessages, type KeptMessage} from './kept.js';
import {factsOfFile} from './media-file.js';
import {mayHaveMedia, mediaIn, saysTheSame, sentAt, type Message} from './message.js';
import {Peekable} from './peekable.js';
import {ConversationPlace, keptFiles} from './places.js';
import {gapsOf, joined, type Gap, type Range} from './ranges.js';
import {everything, messagePages, readThread, type Source} from './read-pages.js';
import {isIncomplete, notRead, type ConversationRecord} from './record.js';
import {targetsOf, type Target, type Wanted} from './targets.js';

export interface CheckOptions {
  /** The folder of the account. */
  readonly folder: string;
  readonly withMedia: boolean;
  /** Ids, or names of the only other person; undefined: all. */
  readonly named: readonly string[] | undefined;
}

export interface VerifyOptions extends CheckOptions, Wanted {
  readonly source: Source;
  readonly accounts: () => Promise<Accounts>;
  /** Only messages sent at this time or later. */
  readonly since: Date | undefined;
  readonly progress: ExportProgress;
}

/** Messages in a row that the archive does not have. */
export interface MissingPart {
  /** The message before them that it has; null where it has none. */
  readonly after: string | null;
  readonly before: string | null;
  readonly messages: number;
}

interface Side {
  readonly messages: number;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

export interface Comparison {
  /** Null where it was not asked. */
  readonly server: Side | null;
  readonly archive: Side;
  /** Messages that the archive does not have. */
  readonly missing: number;
  /** The first of them, where there are many. */
  readonly gaps: readonly MissingPart[];
  /** Messages that say something else on the server by now. */
  readonly changed: number;
  /** Messages that the server does not show any more. */
  readonly deleted: number;
  readonly media: number;
  /** Files that the archive does not have, and those whose bytes are not what they were. */
  readonly media_missing: number;
  readonly media_damaged: number;
  /** The latter, in the folder of the archive. */
  readonly damaged_files: readonly string[];
}

export interface VerifyResult extends Comparison {
  readonly id: string;
  readonly with: readonly string[];
  /** Whether the server has messages that it does not give. */
  readonly incomplete: boolean;
  /** What was not read, from the oldest messages to the newest. */
  readonly not_read: readonly Gap[];
  readonly failure: Failure | undefined;
}

const maxGaps = 100;

export const isComplete = ({missing, media_missing: absent, media_damaged: damaged}: Comparison): boolean =>
  missing + absent + damaged === 0;

type Mutable<Value> = {-readonly [Name in keyof Value]: Value[Name]};

class SideCount {
  readonly side: Mutable<Side> = {messages: 0, first_id: null, last_id: null};

  add(id: string): void {
    this.side.messages += 1;
    this.side.first_id ??= id;
    this.side.last_id = id;
  }
}

const nothingCompared: Comparison = {
  server: null,
  archive: {messages: 0, first_id: null, last_id: null},
  missing: 0,
  gaps: [],
  changed: 0,
  deleted: 0,
  media: 0,
  media_missing: 0,
  media_damaged: 0,
  damaged_files: [],
};

/** What the files of a conversation are, without the server. */
interface Checked {
  readonly files: number;
  /** Those that are not there, and those with other bytes, in the folder of the conversation. */
  readonly missing: ReadonlySet<string>;
  readonly damaged: ReadonlySet<string>;
  readonly failure: Failure | undefined;
}

async function checkedMedia(place: ConversationPlace): Promise<Omit<Checked, 'failure'>> {
  const [missing, damaged] = [new Set<string>(), new Set<string>()];
  let files = 0;
  for await (const {media} of entriesIn(place.index)) {
    for (const {id, file, sha256} of media) {
      if (file === undefined) continue;
      files += 1;
      const facts = await factsOfFile(join(place.folder, file), id);
      if (facts === undefined) missing.add(file);
      else if (facts.sha256 !== sha256) damaged.add(file);
    }
  }
  return {files, missing, damaged};
}

const nothingChecked = {files: 0, missing: new Set<string>(), damaged: new Set<string>()};

/** Compares the files of a conversation with what was written down of them. */
async function checked(place: ConversationPlace, record: ConversationRecord, withMedia: boolean): Promise<Checked> {
  try {
    await checkKept(place, record);
    if (record.files === undefined) {
      const path = join(place.folder, keptFiles.record);
      throw new Damaged(`${path} is damaged or gone`, 'run the export again: it reads all messages, and writes it anew');
    }
    return {...(withMedia ? await checkedMedia(place) : nothingChecked), failure: undefined};
  } catch (error) {
    return {...nothingChecked, failure: ownFailure(error, place.folder, {place, what: 'read'})};
  }
}

const handlesOf = (record: ConversationRecord | undefined): string[] =>
  Object.values(record?.facts.people ?? {}).map(({acct}) => `@${acct}`);

function resultFor(place: ConversationPlace, record: ConversationRecord, {files, missing, damaged, failure}: Checked): VerifyResult {
  const {id, messages, first_id, last_id} = record.facts;
  return {
    ...nothingCompared,
    id,
    with: handlesOf(record),
    archive: {messages, first_id, last_id},
    media: files,
    media_missing: missing.size,
    media_damaged: damaged.size,
    damaged_files: [...damaged].map((file) => `${place.name}/${file}`),
    incomplete: isIncomplete(record),
    not_read: notRead(record),
    failure,
  };
}

function isNamed(record: ConversationRecord, named: readonly string[] | undefined): boolean {
  const [handle, ...others] = handlesOf(record);
  return named === undefined || named.includes(record.facts.id) || (others.length === 0 && handle !== undefined && named.includes(handle));
}

/** Compares the files of an archive with what was written down of them. */
export async function* checkArchive({folder, named, withMedia}: CheckOptions): AsyncGenerator<VerifyResult, void, undefined> {
  try {
    const catalogue = await Catalogue.open(folder, {finishes: false});
    for (const record of catalogue.records) {
      if (!isNamed(record, named)) continue;
      const place = ConversationPlace.of(folder, record.facts.id);
      yield resultFor(place, record, await checked(place, record, withMedia));
    }
  } catch (error) {
    throw ownFailure(error, folder, {what: 'read'});
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

  get result(): Omit<Comparison, 'damaged_files'> {
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

  onlyArchive({id}: KeptMessage): void {
    this.#archive.add(id);
    this.#counts.deleted += 1;
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

/** @returns whether the server has messages that it does not give */
async function* serverMessages(
  target: Awaited<ReturnType<Target['find']>>,
  source: Source,
  progress: ExportProgress,
): AsyncGenerator<Message, boolean, undefined> {
  if (target.type === 'thread') {
    const {pages, refuseWithoutId} = await readThread(target.id, everything, source);
    for (const {messages} of pages) {
      progress.messages += messages.length;
      yield* messages;
    }
    refuseWithoutId();
    const ranges = pages.reduce<readonly Range[]>((all, {covers}) => (covers === undefined ? all : joined(all, covers)), []);
    return gapsOf({ranges, newest: true}).length > 0;
  }
  for await (const {messages} of messagePages(target.id, everything, source)) {
    progress.messages += messages.length;
    yield* messages;
  }
  return false;
}

class Verification {
  readonly #options: VerifyOptions;
  readonly #catalogue: Catalogue;
  /** Conversations that were compared with the server. */
  readonly compared = new Set<string>();

  constructor(options: VerifyOptions, catalogue: Catalogue) {
    this.#options = options;
    this.#catalogue = catalogue;
  }

  async of(target: Target, damage: ReadonlyMap<string, VerifyResult>): Promise<VerifyResult> {
    const none = {...nothingCompared, id: target.name, with: [], incomplete: false, not_read: []};
    try {
      const found = await target.find();
      this.compared.add(found.id);
      return damage.get(found.id) ?? (await this.#compared(found));
    } catch (error) {
      return {...none, failure: ownFailure(error, this.#options.folder, {what: 'read'})};
    }
  }

  async #compared(found: Awaited<ReturnType<Target['find']>>): Promise<VerifyResult> {
    const {folder, source, progress, withMedia} = this.#options;
    const place = ConversationPlace.of(folder, found.id);
    const record = this.#catalogue.get(found.id);
    const files = record === undefined ? {...nothingChecked, failure: undefined} : await checked(place, record, withMedia);
    const comparing = new Comparing(files, withMedia);
    await using kept = await Peekable.of(keptMessages(place));
    const takeUntil = async (id: string | undefined) => {
      for (let old = kept.head; old !== undefined && (id === undefined || compareIds(old.id, id) < 0); old = kept.head) {
        if (this.#isWanted(old)) comparing.onlyArchive(old);
        await kept.next();
      }
    };
    const shown = serverMessages(found, source, progress);
    let next = await shown.next();
    for (; next.done !== true; next = await shown.next()) {
      const message = next.value;
      await takeUntil(message.id);
      const old = kept.head?.id === message.id ? kept.head : undefined;
      if (this.#isWanted(message)) {
        if (old === undefined) comparing.onlyServer(message);
        else comparing.both(old, message);
      }
      if (old !== undefined) await kept.next();
    }
    await takeUntil(undefined);
    if (withMedia && record !== undefined) await noteDamaged(place, [...files.damaged]);
    return {
      id: found.id,
      with: handlesOf(record),
      ...comparing.result,
      damaged_files: [...files.damaged].map((file) => `${place.name}/${file}`),
      incomplete: next.value,
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
  const {source, accounts, folder, named, progress} = options;
  try {
    const catalogue = await Catalogue.open(folder);
    const damage = new Map<string, VerifyResult>();
    for (const record of catalogue.records) {
      const place = ConversationPlace.of(folder, record.facts.id);
      const files = await checked(place, record, false);
      if (files.failure !== undefined) damage.set(record.facts.id, resultFor(place, record, files));
    }
    const verification = new Verification(options, catalogue);
    const targets = await targetsOf(options, source, accounts);
    const watch = new RunWatch();
    progress.total = targets.length;
    for (const target of targets) {
      const result = await verification.of(target, damage);
      if (result.failure === undefined) progress.done += 1;
      else progress.failed += 1;
      yield result;
      if (watch.isEndedBy(result.failure)) throw result.failure;
    }
    // What the server does not list any more exists here alone.
    for (const [id, result] of damage) if (named === undefined && !verification.compared.has(id)) yield result;
  } catch (error) {
    throw ownFailure(error, folder, {what: 'read'});
  }
}
