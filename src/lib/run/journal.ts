/** A run that can be gone on with: what is to be sent is written down before, what became of it after. */
import {open, realpath, type FileHandle} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {Failure, localFailure} from '../client/failure.js';
import {syncFolder} from '../files/folder.js';
import {LockHeld, withLock} from '../files/lock.js';
import {absent} from '../files/system-error.js';
import {GroupCommit} from './group-commit.js';
import {
  errorIn,
  failureIn,
  formatLine,
  headerLine,
  longestText,
  parseLine,
  type JournalIdentity,
  type JournalLine,
} from './journal-line.js';
import {PastRun, type PastState, type Place} from './journal-reader.js';

export interface JournalOptions {
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** How a step ended. `unknown`: it may or may not have been carried out; `unsent`: it certainly was not sent. */
export type Ending =
  | {
      readonly kind: 'done';
      readonly status: number;
      /** The answer's own text; null when it was too long to be kept. */ readonly text: string | null;
    }
  | {readonly kind: 'failed' | 'unknown'; readonly failure: Failure}
  | {readonly kind: 'unsent'};

export const earlierFate = 'It is not known whether an earlier run carried this out';

/** The failure of what an earlier run may have carried out. */
export function unknownBefore(): Failure {
  return new Failure('unavailable', earlierFate, {fate: 'unknown'});
}

export class Journal {
  /** Its last line had been cut off, and was dropped. */
  readonly wasTorn: boolean;
  readonly #name: string;
  readonly #file: FileHandle;
  readonly #past: PastRun;
  readonly #lines: GroupCommit;
  readonly #redact: (text: string) => string;

  constructor(name: string, file: FileHandle, past: PastRun, {redact}: JournalOptions) {
    this.#name = name;
    this.#file = file;
    this.#past = past;
    this.#lines = new GroupCommit(file);
    this.#redact = redact;
    this.wasTorn = past.isTorn;
  }

  /** What earlier runs made of a target. */
  pastState(index: number): PastState {
    return this.#past.of(index).state;
  }

  /** How a target ended in an earlier run; of one without a known outcome a failure that says so. @throws Failure `local` */
  async pastEnding(index: number): Promise<Ending> {
    const {state, place} = this.#past.of(index);
    const line = place && (await this.#lineAt(place));
    if (line === undefined || !('outcome' in line) || line.outcome === 'unsent') {
      if (state === 'untold') return {kind: 'unsent'};
      return {kind: 'unknown', failure: unknownBefore()};
    }
    if (line.outcome === 'done') return {kind: 'done', status: line.status, text: line.text};
    return {kind: line.outcome, failure: failureIn(line.error, {fate: line.outcome === 'unknown' ? 'unknown' : undefined})};
  }

  /**
   * Writes down that something is about to be sent.
   * @param isDurable whether that must be on disk first
   * @throws Failure `local`
   */
  async intend(index: number, target: string, isDurable: boolean): Promise<void> {
    await this.#append({n: index, intent: this.#redact(target)}, isDurable);
  }

  /** Writes down what became of it. @throws Failure `local` */
  async settle(index: number, ending: Ending): Promise<void> {
    await this.#append(this.#lineFor(index, ending), false);
  }

  /** Forces everything to disk. @throws Failure `local` */
  async end(): Promise<void> {
    await this.#lines.end().catch((error: unknown) => this.#fail(error));
  }

  #lineFor(n: number, ending: Ending): JournalLine {
    switch (ending.kind) {
      case 'done': {
        const {status, text} = ending;
        return {n, outcome: 'done', status, text: text !== null && text.length <= longestText ? this.#redact(text) : null};
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
    throw localFailure(`Cannot write to the journal ${this.#name}`, error, 'the same command with the same journal goes on from here');
  }

  async #lineAt({offset, length}: Place): Promise<JournalLine | undefined> {
    const bytes = Buffer.alloc(length);
    await this.#file.read(bytes, 0, length, offset);
    return parseLine(bytes.toString('utf8'));
  }
}

async function opened(path: string, identity: JournalIdentity, options: JournalOptions): Promise<[Journal, FileHandle]> {
  const name = basename(path);
  const file = await open(path, 'a+', 0o600);
  try {
    if (!(await file.stat()).isFile()) throw new Failure('local', `Cannot use the journal ${name}: it is not a regular file`);
    const past = await PastRun.read(file, name, identity);
    if (past.isTorn) await file.truncate(past.length);
    if (past.length === 0) await file.appendFile(headerLine(identity, new Date()));
    await file.datasync();
    await syncFolder(dirname(path));
    return [new Journal(name, file, past, options), file];
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Does a run with its journal, which no other process has meanwhile. It begins one where there is none.
 * @param path a file in a folder that exists
 * @throws Failure `local` when it is in use, damaged or not to be written, `usage` when it is of another run; else what the run throws
 */
export async function withJournal<Result>(
  path: string,
  identity: JournalIdentity,
  options: JournalOptions,
  run: (journal: Journal) => Promise<Result>,
): Promise<Result> {
  const target = (await realpath(path).catch(absent)) ?? path;
  let isOpen = false;
  try {
    return await withLock(
      `${target}.lock`,
      async () => {
        const [journal, file] = await opened(target, identity, options);
        isOpen = true;
        try {
          const result = await run(journal);
          await journal.end();
          return result;
        } catch (error) {
          // Why the run failed says more than why its journal did.
          await journal.end().catch(() => {});
          throw error;
        } finally {
          await file.close();
        }
      },
      {patience: 0},
    );
  } catch (error) {
    if (isOpen || error instanceof Failure) throw error;
    if (error instanceof LockHeld) {
      const {pid} = error.holder;
      throw new Failure('local', `Another pixelctl (process ${pid}) is using the journal ${basename(path)}: nothing was sent`);
    }
    throw localFailure(`Cannot use the journal ${basename(path)}`, error);
  }
}
