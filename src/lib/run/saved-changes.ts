/** Records each change in a file before it is sent, with the values from before it. */
import * as z from 'zod/mini';
import {isObject} from '../api/schema.js';
import {Failure, localFailure, lockedFailure} from '../client/failure.js';
import {linesOf, type Line} from '../files/lines.js';
import {LockHeld} from '../files/lock.js';
import {OwnLines} from '../files/own-lines.js';
import {openToRead} from '../files/read-file.js';

const savedLine = z.looseObject({time: z.string(), server: z.string(), action: z.string()});

type SavedLine = z.infer<typeof savedLine>;

function parseSavedLine(text: string): SavedLine | undefined {
  try {
    return z.parse(savedLine, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The action of lines that say that a change was reverted. */
export const restored = 'restore';

/** The action of lines that say what an answer told about a post that could not be read before its change. */
const answered = 'answer';

const lineStart = '{"time":"';

/** Whether a first line begins a file of saved changes. The line may be cut short, where a run was killed while it wrote it. */
const isBeginning = ({text, isWhole}: Line): boolean => text.startsWith(lineStart) || (!isWhole && lineStart.startsWith(text));

const notARecord = (path: string): Failure =>
  new Failure('usage', `${path} exists, and is no record of changes: nothing was sent`, {hint: 'choose another file'});

function refuseNoFile(path: string): void {
  if (path === '-' || path === '') throw new Failure('usage', '--save and --restore take a file');
}

interface SavedLines {
  readonly lines: readonly {readonly number: number; readonly line: SavedLine}[];
  /** How many lines cannot be read, because a run was killed while it wrote them, or because somebody damaged them. */
  readonly unreadable: number;
}

/** @throws Failure `usage` for a file of anything else, `local` when it cannot be read */
export async function readSaved(path: string): Promise<SavedLines> {
  refuseNoFile(path);
  try {
    await using file = await openToRead(path);
    const lines: {readonly number: number; readonly line: SavedLine}[] = [];
    let [number, unreadable] = [0, 0];
    for await (const read of linesOf(file)) {
      number += 1;
      if (number === 1 && !isBeginning(read)) throw notARecord(path);
      const line = parseSavedLine(read.text);
      if (line !== undefined) lines.push({number, line});
      else if (read.text.trim() !== '') unreadable += 1;
    }
    return {lines, unreadable};
  } catch (error) {
    throw error instanceof Failure ? error : localFailure(`Cannot read ${path}`, error);
  }
}

interface SavedOf {
  readonly server: string;
  readonly reason?: string | undefined;
  readonly now: () => Date;
}

export class SavedChanges implements AsyncDisposable {
  readonly #path: string;
  readonly #lines: OwnLines;
  readonly #of: SavedOf;
  /** A newline where the last line was cut short, because a run was killed; else empty. */
  #before: string;
  #broken: unknown;
  /** The posts in the file when one was first asked for, by id. */
  #posts: Promise<ReadonlyMap<unknown, unknown>> | undefined;

  private constructor(path: string, [lines, before]: readonly [OwnLines, string], of: SavedOf) {
    this.#path = path;
    this.#lines = lines;
    this.#of = of;
    this.#before = before;
  }

  /**
   * Opens the file, or begins one. One run at a time uses it, because two would undo what the other does.
   * @throws Failure `usage` for a file of anything else, `local` when it cannot be written, or another run has it
   */
  static async open(path: string, of: SavedOf): Promise<SavedChanges> {
    refuseNoFile(path);
    try {
      const opened = await OwnLines.open(path, async (file) => {
        let isWhole = true;
        for await (const line of linesOf(file)) {
          isWhole = line.isWhole;
          if (line.offset === 0 && !isBeginning(line)) throw notARecord(path);
          // So short a beginning would not identify the file once another line follows.
          if (line.offset === 0 && !isWhole && line.length < lineStart.length) {
            await file.truncate(0);
            isWhole = true;
          }
        }
        return isWhole ? '' : '\n';
      });
      return new SavedChanges(path, opened, of);
    } catch (error) {
      if (error instanceof LockHeld) throw lockedFailure(path, error);
      throw error instanceof Failure ? error : localFailure(`Cannot write ${path}`, error);
    }
  }

  /** Resolves when the entry is on disk. @throws Failure `local` */
  keep(entry: Readonly<Record<string, unknown>> & {readonly action: string}): Promise<void> {
    return this.#append(entry, 'nothing was sent');
  }

  /** Notes that something was restored. When that fails, {@link refuseIfBroken} stops the run before it restores more. @throws Failure `local` */
  async noteRestored(entry: Readonly<Record<string, unknown>>): Promise<void> {
    const unnoted = 'it was restored, which the file does not say; a later run finds that out';
    await this.#append({action: restored, ...entry}, unnoted).catch((error: unknown) => {
      this.#broken ??= error;
      throw error;
    });
  }

  /** Notes what an answer said about a post that could not be read before. @throws Failure `local` */
  async noteAnswer(entry: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#append({action: answered, ...entry}, 'the request was sent and carried out');
  }

  /** A post with its account, as an earlier change on the same server recorded it. @throws Failure `local` */
  async postBefore(id: string): Promise<unknown> {
    this.#posts ??= readSaved(this.#path).then(
      ({lines}) =>
        new Map(
          lines.flatMap(({line: {server, post, account}}) =>
            server === this.#of.server && isObject(post) && isObject(account) ? [[post['id'], {...post, account}]] : [],
          ),
        ),
    );
    return (await this.#posts).get(id);
  }

  /** @throws Failure `local` after something was restored that could not be noted */
  refuseIfBroken(): void {
    if (this.#broken !== undefined) throw new Failure('local', `Cannot write ${this.#path}: nothing was sent`);
  }

  async #append({action, ...what}: Readonly<Record<string, unknown>> & {readonly action: string}, consequence: string): Promise<void> {
    const {server, reason, now} = this.#of;
    const line = {time: now().toISOString(), server, action, ...(reason !== undefined && {reason}), ...what};
    const before = this.#before;
    this.#before = '';
    await this.#lines.append(`${before}${JSON.stringify(line)}\n`, true).catch((error: unknown) => {
      throw localFailure(`Cannot write ${this.#path}: ${consequence}`, error);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lines[Symbol.asyncDispose]();
  }
}
