/** The file of a state. Its checksum `x` chains each line to the one before. Lines are only appended; a rewrite replaces the whole file. */
import {isUtf8} from 'node:buffer';
import type {FileHandle} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {isObject} from '../../api/schema.js';
import {Failure, localFailure, lockedFailure} from '../../client/failure.js';
import {isBeginning, openLine, proofOf, sealLine} from '../../files/chain.js';
import {commandText} from '../../files/command-text.js';
import {syncFolder} from '../../files/folder.js';
import {GroupCommit} from '../../files/own-lines.js';
import {acquireLock, LockHeld} from '../../files/lock.js';
import {secureFolder} from '../../files/own-folder.js';
import {readUntouched} from '../../files/private-file.js';
import {systemCode} from '../../files/system-error.js';
import {followLinks, openToWrite, writeWhole} from '../../files/whole-file.js';
import {type Line, lineOf, State} from '../model/policy-state.js';

const headOf = (of: string) => ({pixelctl_state: 1, of});

interface Read {
  readonly of: string;
  readonly lines: readonly Line[];
  readonly x: string;
  /** How many bytes are whole lines; a kill cut off what follows, which counts as nothing. The newline of the last one may be missing. */
  readonly length: number;
}

/** @param path for messages @returns undefined where nothing is written yet @throws Failure `local` that names the first damaged line */
export function readState(bytes: Buffer, path: string): Read | undefined {
  let [x, start, number] = ['', 0, 0];
  let of: string | undefined;
  const lines: Line[] = [];
  while (start < bytes.length) {
    number += 1;
    const newline = bytes.indexOf(0x0a, start);
    const isWhole = newline !== -1;
    const text = bytes.subarray(start, isWhole ? newline : bytes.length);
    // Bytes that are not UTF-8 would be read as replacement characters, which may also stand in the line itself.
    const opened = isUtf8(text) ? openLine(text.toString()) : undefined;
    const isProven = opened !== undefined && proofOf(x, opened.body) === opened.x;
    // A kill leaves the beginning of a line at the end of the file: anything else is damage.
    if (!isProven && !isWhole && isBeginning(text.toString())) break;
    const value: unknown = isProven ? JSON.parse(opened.body) : undefined;
    if (of === undefined) {
      if (!isObject(value) || value['pixelctl_state'] !== 1 || typeof value['of'] !== 'string') throw damage(path, number);
      of = value['of'];
    } else {
      const line = lineOf(value);
      if (line === undefined) throw damage(path, number);
      lines.push(line);
    }
    x = opened?.x ?? '';
    start = isWhole ? newline + 1 : bytes.length;
  }
  return of === undefined ? undefined : {of, lines, x, length: start};
}

const adoption = `\`${commandText('state adopt', {args: ['POLICY', 'NAME...']})}\``;

const damage = (path: string, line: number): Failure =>
  new Failure('local', `${path} is damaged in line ${line}: nothing was sent`, {
    hint: `\`mv ${path} ${path}.damaged\`, then ${adoption} for what apply made`,
  });

/** @throws Failure `local` where it cannot be read, is damaged, or is the state of another account than `of` */
async function readFile(path: string, of?: string): Promise<{readonly bytes: Buffer; readonly read: Read | undefined}> {
  const found = await readUntouched(path).catch((error: unknown) => {
    throw localFailure(`Cannot read ${path}`, error);
  });
  const bytes = found === undefined ? Buffer.alloc(0) : Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  const read = readState(bytes, path);
  if (read !== undefined && of !== undefined && read.of !== of)
    throw new Failure('local', `${path} is the state of ${read.of}, not of ${of}: nothing was sent`, {
      hint: `move it away, then take over what is there with ${adoption}`,
    });
  return {bytes, read};
}

/** A state: one process at a time can open it to write. Of one that is only read, what is added stays in memory. */
export class StateFile implements AsyncDisposable {
  /** Empty for what is in memory alone. */
  readonly path: string;
  state: State;
  readonly #lock: Disposable | undefined;
  readonly #noted: Line[] = [];
  #x = '';
  #file: FileHandle | undefined;
  #commit: GroupCommit | undefined;

  private constructor(state: State, path: string, lock?: Disposable) {
    this.path = path;
    this.state = state;
    this.#lock = lock;
  }

  /** For a policy from standard input, or where there is no file. */
  static inMemory(of: string, lines?: readonly Line[], path = ''): StateFile {
    return new StateFile(new State(of, lines), path);
  }

  /** @param of undefined: any account's @returns undefined where there is none @throws Failure `local` when it cannot be read, is damaged or another account's */
  static async read(path: string, of?: string): Promise<StateFile | undefined> {
    const {read} = await readFile(path, of);
    return read && new StateFile(new State(read.of, read.lines), path);
  }

  /** @throws Failure `local` when it is damaged, another account's, locked, or its folder cannot be written to */
  static async open(path: string, of: string): Promise<StateFile> {
    try {
      const target = await followLinks(path);
      const lock = await lockOn(target, path);
      try {
        const {read, bytes} = await readFile(path, of);
        const file = new StateFile(new State(of, read?.lines), path, lock);
        file.#x = read?.x ?? '';
        await repair(target, bytes, read?.length ?? 0);
        return file;
      } catch (error) {
        lock[Symbol.dispose]();
        throw error;
      }
    } catch (error) {
      throw error instanceof Failure ? error : localFailure(`Cannot write ${path}`, error);
    }
  }

  /** Adds lines, which are written with the next ones: a run that sends nothing writes nothing. */
  note(lines: readonly Line[]): void {
    for (const line of lines) this.state.add(line);
    this.#noted.push(...lines);
  }

  /** Adds lines. Flushed lines are on disk when this resolves. @throws Failure `local` when they cannot be written */
  async append(lines: readonly Line[], isFlushed = false): Promise<void> {
    this.note(lines);
    const all = this.#noted.splice(0);
    if (this.#lock === undefined || all.length === 0) return;
    try {
      this.#commit ??= await this.#openToAppend(this.path);
      await this.#commit.append(all.map((line) => this.#seal(line)).join(''), isFlushed);
    } catch (error) {
      throw localFailure(`Cannot write ${this.path}`, error);
    }
  }

  /** Writes the file anew, with only the lines that are still needed. @throws Failure `local` when it cannot be written */
  async rewrite(): Promise<void> {
    const {of} = this.state;
    this.state = new State(of, this.state.listKept());
    this.#noted.length = 0;
    if (this.#lock === undefined) return;
    await this.#close();
    this.#x = '';
    await writeWhole(
      this.path,
      [headOf(of), ...this.state.lines].map((line) => this.#seal(line)),
    ).catch((error: unknown) => {
      throw localFailure(`Cannot write ${this.path}`, error);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commit?.end().catch(() => {});
    await this.#close();
    this.#lock?.[Symbol.dispose]();
  }

  #seal(value: object): string {
    const {line, x} = sealLine(this.#x, JSON.stringify(value));
    this.#x = x;
    return `${line}\n`;
  }

  async #close(): Promise<void> {
    await this.#file?.close().catch(() => {});
    [this.#file, this.#commit] = [undefined, undefined];
  }

  async #openToAppend(path: string): Promise<GroupCommit> {
    const target = await followLinks(path);
    this.#file = await openToWrite(target, 'append');
    const commit = new GroupCommit(this.#file);
    if (this.#x === '') {
      await commit.append(this.#seal(headOf(this.state.of)), false);
      await syncFolder(dirname(target));
    }
    return commit;
  }
}

/** Removes the beginning of a line that a kill left, or adds the newline that is missing. */
async function repair(target: string, bytes: Buffer, whole: number): Promise<void> {
  if (bytes.length === whole && (whole === 0 || bytes.at(-1) === 0x0a)) return;
  await using file = await openToWrite(target, 'append');
  if (bytes.length === whole) await file.appendFile('\n');
  else await file.truncate(whole);
  await file.datasync();
}

/** @throws Failure `local` when another process holds the lock, or the folder cannot be written to */
async function lockOn(target: string, path: string): Promise<Disposable> {
  try {
    secureFolder(dirname(target), {own: 0, make: true});
    return await acquireLock(`${target}.lock`, {patience: 0, of: [basename(target)]});
  } catch (error) {
    if (error instanceof LockHeld) throw lockedFailure(path, {holder: error.holder, path: `${path}.lock`});
    const isClosed = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '');
    throw localFailure(`Cannot use the state ${path}`, error, isClosed ? 'name a place in another folder with --state' : undefined);
  }
}
