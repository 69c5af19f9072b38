/** The record of what was changed or deleted, and what it was before: a file to which each change is appended before it is sent. */
import type {FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import * as z from 'zod/mini';
import {Failure, localFailure} from '../client/failure.js';
import {syncFolder} from '../files/folder.js';
import {GroupCommit} from '../files/group-commit.js';
import {linesOf, type Line} from '../files/lines.js';
import {followed, openToWrite} from '../files/whole-file.js';

/** What every line says; what it is about comes with it. */
const savedLine = z.looseObject({time: z.string(), server: z.string(), action: z.string()});

type SavedLine = z.infer<typeof savedLine>;

/** A line of such a file; undefined for anything else. */
export function savedIn(text: string): SavedLine | undefined {
  try {
    return z.parse(savedLine, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** How every line begins. */
const lineStart = '{"time":"';

/** Whether a first line is that of such a file; a run may have been killed while it wrote it. */
const isBeginning = ({text, isWhole}: Line): boolean =>
  isWhole ? savedIn(text) !== undefined : text.startsWith(lineStart) || lineStart.startsWith(text);

/** What every entry of a run has. */
interface SavedOf {
  /** Origin. */
  readonly server: string;
  readonly reason?: string | undefined;
  readonly now: () => Date;
}

export class SavedChanges implements AsyncDisposable {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #lines: GroupCommit;
  readonly #of: SavedOf;
  /** What ends a line that was cut short when a run was killed. */
  #before: string;

  private constructor(path: string, file: FileHandle, of: SavedOf, before: string) {
    this.#path = path;
    this.#file = file;
    this.#lines = new GroupCommit(file);
    this.#of = of;
    this.#before = before;
  }

  /** Opens the file, or begins one. @throws Failure `usage` for a file of anything else, `local` when it cannot be written */
  static async open(path: string, of: SavedOf): Promise<SavedChanges> {
    if (path === '-' || path === '') throw new Failure('usage', '--save takes a file');
    try {
      const target = await followed(path);
      const file = await openToWrite(target, 'append');
      try {
        let isWhole = true;
        for await (const line of linesOf(file)) {
          isWhole = line.isWhole;
          if (line.offset === 0 && !isBeginning(line))
            throw new Failure('usage', `${path} exists, and is no record of changes: nothing was sent`, {hint: 'choose another file'});
        }
        await syncFolder(dirname(target));
        return new SavedChanges(path, file, of, isWhole ? '' : '\n');
      } catch (error) {
        await file.close();
        throw error;
      }
    } catch (error) {
      throw error instanceof Failure ? error : localFailure(`Cannot write ${path}`, error);
    }
  }

  /** Resolves when the entry is on disk. @throws Failure `local` */
  async keep(entry: Readonly<Record<string, unknown>> & {readonly action: string}): Promise<void> {
    const {server, reason, now} = this.#of;
    const {action, ...what} = entry;
    const line = {time: now().toISOString(), server, action, ...(reason !== undefined && {reason}), ...what};
    const before = this.#before;
    this.#before = '';
    await this.#lines.append(`${before}${JSON.stringify(line)}\n`, true).catch((error: unknown) => {
      throw localFailure(`Cannot write ${this.#path}: nothing was sent`, error);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lines.end().catch(() => {});
    await this.#file.close().catch(() => {});
  }
}
