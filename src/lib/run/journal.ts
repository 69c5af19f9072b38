/** Records a run, so that it can be continued: each request before it is sent, and its outcome after. */
import {lstat, type FileHandle} from 'node:fs/promises';
import {basename, dirname, resolve} from 'node:path';
import {Failure, localFailure, lockedFailure} from '../client/failure.js';
import {syncFolder} from '../files/folder.js';
import {GroupCommit} from '../files/group-commit.js';
import type {Span} from '../files/lines.js';
import {acquireLock, LockHeld} from '../files/lock.js';
import {shellWord} from '../files/shell-word.js';
import {absent, systemCode} from '../files/system-error.js';
import {followLinks, openToWrite, writeWhole} from '../files/whole-file.js';
import {
  errorIn,
  failureIn,
  formatLine,
  headerLine,
  maxTextLength,
  parseJournalLine,
  type JournalIdentity,
  type JournalLine,
  type PastRun,
  type PastState,
  readPastRun,
} from './journal-file.js';
import {type StepEnding, unknownBefore} from './step.js';

export interface JournalOptions {
  readonly redact: (text: string) => string;
  readonly now?: () => Date;
}

export class Journal implements AsyncDisposable {
  /** Whether the last line was incomplete, and was removed. */
  readonly wasTorn: boolean;
  readonly #name: string;
  readonly #lock: Disposable | undefined;
  readonly #file: FileHandle;
  readonly #past: PastRun;
  readonly #lines: GroupCommit;
  readonly #redact: (text: string) => string;

  constructor(name: string, file: FileHandle, past: PastRun, {redact}: JournalOptions, lock?: Disposable) {
    this.#name = name;
    this.#lock = lock;
    this.#file = file;
    this.#past = past;
    this.#lines = new GroupCommit(file);
    this.#redact = redact;
    this.wasTorn = past.isTorn;
  }

  /**
   * Opens a journal, or begins one. No other process can open it before it is disposed of.
   * @param path a file in a folder that exists
   * @throws Failure `local` when it is in use, damaged or not writable, `usage` when it belongs to another run
   */
  static async open(path: string, identity: JournalIdentity, options: JournalOptions): Promise<Journal> {
    const name = basename(path);
    try {
      const target = await followLinks(path);
      const lock = await acquireLock(`${target}.lock`, {patience: 0});
      let file: FileHandle | undefined;
      try {
        // The first line is written in one step. Where it is not whole, the journal was damaged later, and its run may have sent something.
        if ((await lstat(target).catch(absent)) === undefined)
          await writeWhole(target, headerLine(identity, options.now?.() ?? new Date()));
        file = await openToWrite(target, 'append');
        const past = await readPastRun(file, name, identity);
        if (past.length === 0) {
          throw new Failure('local', `The journal ${name} has lost what it recorded: nothing was sent`, {
            hint: 'to start over, remove it, after checking which requests were carried out',
          });
        }
        if (past.isTorn) await file.truncate(past.length);
        await file.datasync();
        await syncFolder(dirname(target));
        return new Journal(name, file, past, options, lock);
      } catch (error) {
        await file?.close();
        lock[Symbol.dispose]();
        throw error;
      }
    } catch (error) {
      if (error instanceof LockHeld) throw lockedFailure(`the journal ${name}`, error);
      if (systemCode(error) === 'ENOENT') {
        const folder = dirname(resolve(path));
        throw new Failure('local', `Cannot use the journal ${path}: the folder ${folder} does not exist`, {
          hint: `make it first: \`mkdir -p ${shellWord(folder)}\``,
        });
      }
      throw error instanceof Failure ? error : localFailure(`Cannot use the journal ${name}`, error);
    }
  }

  /** Closes the file and releases the lock. Never fails: {@link end} reports what could not be written. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lines.end().catch(() => {});
    await this.#file.close().catch(() => {});
    this.#lock?.[Symbol.dispose]();
  }

  /** The targets of earlier runs in order, where targets are found by reading. */
  get names(): readonly string[] {
    return this.#past.names;
  }

  pastState(index: number): PastState {
    return this.#past.steps.get(index)?.state ?? 'unsent';
  }

  /** How a step ended that an earlier run began. @throws Failure `local` */
  async pastEnding(index: number): Promise<StepEnding> {
    const span = this.#past.steps.get(index)?.span;
    const line = span && (await this.#lineAt(span));
    if (line === undefined || !('outcome' in line) || line.outcome === 'unsent') return {kind: 'unknown', failure: unknownBefore()};
    if (line.outcome === 'done') return {kind: 'done', status: line.status, text: line.text};
    return {kind: line.outcome, failure: failureIn(line.error, {fate: line.outcome === 'unknown' ? 'unknown' : undefined})};
  }

  /**
   * Records that something is about to be sent.
   * @param isDurable whether to wait until the record is on disk
   * @throws Failure `local`
   */
  async intend(index: number, target: string, isDurable: boolean): Promise<void> {
    await this.#append({n: index, intent: this.#redact(target)}, isDurable);
  }

  /** @throws Failure `local` */
  async settle(index: number, ending: StepEnding): Promise<void> {
    await this.#append(this.#lineFor(index, ending), false);
  }

  /** Forces everything to disk. @throws Failure `local` */
  async end(): Promise<void> {
    await this.#lines.end().catch((error: unknown) => this.#fail(error));
  }

  #lineFor(n: number, ending: StepEnding): JournalLine {
    switch (ending.kind) {
      case 'done': {
        const {status, text} = ending;
        return {n, outcome: 'done', status, text: text !== null && text.length <= maxTextLength ? this.#redact(text) : null};
      }
      case 'unsent':
        return {n, outcome: 'unsent'};
      default:
        return {n, outcome: ending.kind, error: errorIn(ending.failure, this.#redact)};
    }
  }

  async #append(line: JournalLine, isDurable: boolean): Promise<void> {
    try {
      await this.#lines.append(formatLine(line), isDurable);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    throw localFailure(`Cannot write to the journal ${this.#name}`, error, 'fix this, then run the same command with the same journal');
  }

  async #lineAt({offset, length}: Span): Promise<JournalLine | undefined> {
    const bytes = Buffer.alloc(length);
    await this.#file.read(bytes, 0, length, offset);
    return parseJournalLine(bytes.toString('utf8'));
  }
}
