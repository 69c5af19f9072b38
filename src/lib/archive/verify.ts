/** Compares an archive with the server. */
import {join} from 'node:path';
import type {Failure} from '../client/failure.js';
import {compareIds} from '../json/compare-ids.js';
import type {Accounts} from '../operations/accounts.js';
import {Catalogue, type CatalogueEntry} from './catalogue.js';
import {noteDamaged} from './damaged-media.js';
import type {ExportProgress} from './export.js';
import type {MediumEntry} from './entry.js';
import {ownFailure, RunWatch} from './failures.js';
import {keptMessages, repair, type KeptMessage} from './kept.js';
import {factsOfFile} from './media-file.js';
import {mediaIn, saysTheSame, sentAt, type Message} from './message.js';
import {Peekable} from './peekable.js';
import {ConversationPlace} from './places.js';
import {messagePages, readThread, type Source} from './read-pages.js';
import {targetsOf, type Target, type Wanted} from './targets.js';

export interface VerifyOptions extends Wanted {
  readonly source: Source;
  /** The folder of the account, which the caller has opened. */
  readonly folder: string;
  readonly accounts: () => Promise<Accounts>;
  /** Only messages sent at this time or later. */
  readonly since: Date | undefined;
  readonly withMedia: boolean;
  readonly progress: ExportProgress;
}

/** Messages in a row that the archive does not have. */
export interface Gap {
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
  readonly server: Side;
  readonly archive: Side;
  /** Messages that the archive does not have. */
  readonly missing: number;
  /** The first of them, where there are many. */
  readonly gaps: readonly Gap[];
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

/** Both sides in the order of their ids. */
class Comparing {
  readonly #place: ConversationPlace;
  readonly #withMedia: boolean;
  readonly #server = new SideCount();
  readonly #archive = new SideCount();
  readonly #gaps: Gap[] = [];
  /** In the folder of the conversation. */
  readonly damaged = new Set<string>();
  #open: Mutable<Gap> | undefined;
  #counts = {missing: 0, changed: 0, deleted: 0, media: 0, media_missing: 0, media_damaged: 0};

  constructor(place: ConversationPlace, withMedia: boolean) {
    this.#place = place;
    this.#withMedia = withMedia;
  }

  get result(): Comparison {
    this.#close(null);
    const files = [...this.damaged].map((file) => `${this.#place.name}/${file}`);
    return {server: this.#server.side, archive: this.#archive.side, gaps: this.#gaps, ...this.#counts, damaged_files: files};
  }

  async both(kept: KeptMessage, {id, text}: Message): Promise<void> {
    this.#server.add(id);
    this.#archive.add(id);
    this.#close(id);
    if (!saysTheSame(kept.text, text)) this.#counts.changed += 1;
    await this.#files(text, kept.entry?.media ?? []);
  }

  async onlyServer({id, text}: Message): Promise<void> {
    this.#server.add(id);
    this.#counts.missing += 1;
    this.#open ??= {after: this.#archive.side.last_id, before: null, messages: 0};
    this.#open.messages += 1;
    await this.#files(text, []);
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

  async #files(text: string, entries: readonly MediumEntry[]): Promise<void> {
    if (!this.#withMedia) return;
    const known = new Map(entries.map((entry) => [entry.id, entry]));
    for (const {id} of mediaIn(text)) {
      this.#counts.media += 1;
      const {file, sha256} = known.get(id) ?? {};
      const facts = file === undefined ? undefined : await factsOfFile(join(this.#place.folder, file), id);
      if (file === undefined || facts === undefined) this.#counts.media_missing += 1;
      else if (facts.sha256 !== sha256) {
        this.#counts.media_damaged += 1;
        this.damaged.add(file);
      }
    }
  }
}

async function* serverMessages(target: Awaited<ReturnType<Target['find']>>, source: Source, progress: ExportProgress) {
  if (target.type === 'thread') {
    const {messages, refuseWithoutId} = await readThread(target.id, {}, source);
    progress.messages += messages.length;
    yield* messages;
    return refuseWithoutId();
  }
  for await (const messages of messagePages(target.id, {}, source)) {
    progress.messages += messages.length;
    yield* messages;
  }
}

class Verification {
  readonly #options: VerifyOptions;
  readonly #catalogue: Catalogue;

  constructor(options: VerifyOptions, catalogue: Catalogue) {
    this.#options = options;
    this.#catalogue = catalogue;
  }

  async of(target: Target): Promise<VerifyResult> {
    let entry: CatalogueEntry | undefined;
    let comparison = new Comparing(new ConversationPlace(this.#options.folder, ''), false).result;
    let failure: Failure | undefined;
    try {
      const found = await target.find();
      entry = this.#catalogue.get(found.id);
      comparison = await this.#compared(found);
    } catch (error) {
      failure = ownFailure(error, this.#options.folder, 'read');
    }
    const people = Object.values(entry?.facts.people ?? {}).map(({acct}) => `@${acct}`);
    return {id: entry?.facts.id ?? target.name, with: people, ...comparison, failure};
  }

  async #compared(found: Awaited<ReturnType<Target['find']>>): Promise<Comparison> {
    const {folder, source, progress, withMedia} = this.#options;
    const place = new ConversationPlace(folder, found.id);
    await repair(place);
    const comparing = new Comparing(place, withMedia);
    await using kept = await Peekable.of(keptMessages(place));
    const takeUntil = async (id: string | undefined) => {
      for (let old = kept.head; old !== undefined && (id === undefined || compareIds(old.id, id) < 0); old = kept.head) {
        if (this.#isWanted(old)) comparing.onlyArchive(old);
        await kept.next();
      }
    };
    for await (const message of serverMessages(found, source, progress)) {
      await takeUntil(message.id);
      const old = kept.head?.id === message.id ? kept.head : undefined;
      if (this.#isWanted(message)) {
        if (old === undefined) await comparing.onlyServer(message);
        else await comparing.both(old, message);
      }
      if (old !== undefined) await kept.next();
    }
    await takeUntil(undefined);
    if (withMedia && this.#catalogue.get(found.id) !== undefined) await noteDamaged(place, [...comparing.damaged]);
    return comparing.result;
  }

  #isWanted({text}: Message): boolean {
    const {since} = this.#options;
    return since === undefined || !(Number(sentAt(JSON.parse(text))) < since.getTime());
  }
}

/** Compares conversations with the server, one after the other. Nothing is changed but the note of damaged files. */
export async function* verifyArchive(options: VerifyOptions): AsyncGenerator<VerifyResult, void, undefined> {
  const {source, accounts, folder, progress} = options;
  try {
    await using catalogue = await Catalogue.open(folder);
    const verification = new Verification(options, catalogue);
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
  } catch (error) {
    throw ownFailure(error, folder, 'read');
  }
}
