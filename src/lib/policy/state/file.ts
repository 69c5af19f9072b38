/** The file of a state. Its checksum `x` chains each line to the one before. Lines are only appended; a rewrite replaces the whole file. */
import {isUtf8} from 'node:buffer';
import type {FileHandle} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {Failure, localFailure, lockedFailure} from '../../client/failure.js';
import {isBeginning, openLine, proofOf, sealLine} from '../../files/chain.js';
import {commandText} from '../../files/command-text.js';
import {syncFolder} from '../../files/folder.js';
import {GroupCommit} from '../../files/group-commit.js';
import {acquireLock, LockHeld} from '../../files/lock.js';
import {secureFolder} from '../../files/own-folder.js';
import {readUntouched} from '../../files/private-file.js';
import {systemCode} from '../../files/system-error.js';
import {followLinks, openToWrite, writeWhole} from '../../files/whole-file.js';
import {type Line, State, type Attempt, type Owned} from '../model/policy-state.js';
import {isObject} from '../../api/schema.js';
import type {Value} from '../model/value.js';
import {severities} from '../model/domain-facts.js';

export interface Head {
  readonly pixelctl_state: 1;
  readonly of: string;
}

export const isHead = (value: unknown): value is Head =>
  isObject(value) && value['pixelctl_state'] === 1 && typeof value['of'] === 'string';

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNone = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';

/** Whether a value can be that of an item; null means that there is no item. */
function isValue(value: unknown): value is Value | null {
  if (value === null || value === true) return true;
  if (!isObject(value)) return false;
  if ('severity' in value) return severities.some((one) => one === value['severity']);
  return Array.isArray(value['context']) && Array.isArray(value['keywords']);
}

const isPlanned = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.length === 2 && value.every(isValue));

const isAttempt = (value: unknown): value is Attempt =>
  isObject(value) &&
  isText(value['key']) &&
  isValue(value['was']) &&
  isValue(value['set']) &&
  isTextOrNone(value['id']) &&
  isPlanned(value['planned']);

const isOwned = (value: unknown): value is Owned & {readonly key: string} =>
  isObject(value) &&
  isText(value['key']) &&
  isText(value['at']) &&
  isValue(value['was']) &&
  value['set'] !== null &&
  isValue(value['set']) &&
  isTextOrNone(value['id']);

/** A line of a state; undefined for anything else. */
export function lineOf(value: unknown): Line | undefined {
  if (!isObject(value)) return undefined;
  const {run, expected, done, id, refused, own, disown, undo, undone, end} = value;
  if (isAttempt(value['try'])) return {try: value['try']};
  if (isText(done) && isTextOrNone(id)) return id === undefined ? {done} : {done, id};
  if (isOwned(own)) return {own};
  if (isText(run) && isTextOrNone(expected)) return expected === undefined ? {run} : {run, expected};
  if (isText(refused)) return {refused};
  if (isText(disown)) return {disown};
  if (isText(undo)) return {undo};
  if (undone === true) return {undone};
  return end === true ? {end} : undefined;
}

/** A line as it is written, and its checksum `x`. */
export function writeLine(value: object, before: string): {readonly text: string; readonly x: string} {
  const {line, x} = sealLine(before, JSON.stringify(value));
  return {text: `${line}\n`, x};
}

export interface Read {
  readonly of: string;
  readonly lines: readonly Line[];
  /** The checksum of the last line. */
  readonly x: string;
  /** How many bytes are whole lines; a kill cut off what follows, which counts as nothing. */
  readonly length: number;
  /** Whether the last line is complete except for its newline. */
  readonly lacksNewline: boolean;
}

/** @throws Failure `local` that names the first damaged line @param path for messages */
export function readState(bytes: Buffer, path: string): Read | undefined {
  let [x, start, number, of] = ['', 0, 0, ''];
  const lines: Line[] = [];
  const refuseDamaged = () => damage(path, number);
  while (start < bytes.length) {
    number += 1;
    const newline = bytes.indexOf(0x0a, start);
    const isWhole = newline !== -1;
    const line = bytes.subarray(start, isWhole ? newline : bytes.length);
    // Bytes that are not UTF-8 would be read as replacement characters, which may also stand in the line itself.
    const opened = isUtf8(line) ? openLine(line.toString()) : undefined;
    if (opened === undefined || proofOf(x, opened.body) !== opened.x) {
      // A kill leaves the beginning of a line at the end of the file: anything else is damage.
      if (isWhole || !isBeginning(line.toString())) throw refuseDamaged();
      break;
    }
    const value: unknown = JSON.parse(opened.body);
    const known = lineOf(value);
    if (number === 1) {
      if (!isHead(value)) throw refuseDamaged();
      of = value.of;
    } else if (known === undefined) throw refuseDamaged();
    else lines.push(known);
    x = opened.x;
    if (!isWhole) return {of, lines, x, length: bytes.length, lacksNewline: true};
    start = newline + 1;
  }
  return start === 0 ? undefined : {of, lines, x, length: start, lacksNewline: false};
}

function damage(path: string, line: number): Failure {
  return new Failure('local', `${path} is damaged in line ${line}: nothing was sent`, {
    hint: `\`mv ${path} ${path}.damaged\`, then \`${commandText('state adopt', {args: ['POLICY', 'NAME...']})}\` for what apply made`,
  });
}

/** @throws Failure `local` for the state of another account */
function refuseOther(found: string, of: string, path: string): void {
  if (found === of) return;
  throw new Failure('local', `${path} is the state of ${found}, not of ${of}: nothing was sent`, {
    hint: `move it away, then take over what is there with \`${commandText('state adopt', {args: ['POLICY', 'NAME...']})}\``,
  });
}

async function bytesOf(path: string): Promise<Buffer | undefined> {
  const bytes = await readUntouched(path);
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads a state without locking it. @returns an empty state if there is no file @throws Failure `local` when it cannot be read or is damaged */
export async function readStateAt(path: string, of: string): Promise<State> {
  const state = (await readAnyState(path)) ?? new State(of);
  refuseOther(state.of, of, path);
  return state;
}

/** Reads the state of any account; undefined: there is no file. @throws Failure `local` when it cannot be read or is damaged */
export async function readAnyState(path: string): Promise<State | undefined> {
  const bytes = await bytesOf(path).catch((error: unknown) => {
    throw localFailure(`Cannot read ${path}`, error);
  });
  const read = bytes && readState(bytes, path);
  return read && new State(read.of, read.lines);
}

/** A state that is written: one process at a time can open it. Without a path, it is in memory alone. */
export class StateFile implements AsyncDisposable {
  readonly path: string | undefined;
  state: State;
  readonly #lock: Disposable | undefined;
  #x: string;
  #file: FileHandle | undefined;
  #commit: GroupCommit | undefined;

  private constructor(state: State, {path, lock, x}: {readonly path?: string; readonly lock?: Disposable; readonly x: string}) {
    this.path = path;
    this.state = state;
    this.#lock = lock;
    this.#x = x;
  }

  /** For a policy from standard input, or a run that writes nothing. */
  static inMemory(of: string, state = new State(of)): StateFile {
    return new StateFile(state, {x: ''});
  }

  /** @throws Failure `local` when it is damaged, another account's, locked, or its folder cannot be written to */
  static async open(path: string, of: string): Promise<StateFile> {
    const target = await followLinks(path).catch((error: unknown) => {
      throw localFailure(`Cannot write ${path}`, error);
    });
    const lock = await lockOn(target, path);
    try {
      const bytes = await bytesOf(path);
      const read = bytes && readState(bytes, path);
      if (read !== undefined) refuseOther(read.of, of, path);
      const file = new StateFile(new State(of, read?.lines), {path, lock, x: read?.x ?? ''});
      await file.#repair(read, bytes);
      return file;
    } catch (error) {
      lock[Symbol.dispose]();
      throw error instanceof Failure ? error : localFailure(`Cannot read ${path}`, error);
    }
  }

  /** Adds lines. Flushed lines are on disk when this resolves. @throws Failure `local` when they cannot be written */
  async append(lines: readonly Line[], isFlushed = false): Promise<void> {
    for (const line of lines) this.state.add(line);
    if (this.path === undefined || lines.length === 0) return;
    try {
      this.#commit ??= await this.#opened();
      await this.#commit.append(lines.map((line) => this.#text(line)).join(''), isFlushed);
    } catch (error) {
      throw error instanceof Failure ? error : localFailure(`Cannot write ${this.path}`, error);
    }
  }

  /** Writes the file anew, with only the lines that are still needed. @throws Failure `local` when it cannot be written */
  async rewrite(): Promise<void> {
    const lines = this.state.listKept();
    this.state = new State(this.state.of, lines);
    if (this.path === undefined) return;
    await this.#close();
    this.#x = '';
    const texts = [this.#text({pixelctl_state: 1, of: this.state.of}), ...lines.map((line) => this.#text(line))];
    await writeWhole(this.path, texts).catch((error: unknown) => {
      throw localFailure(`Cannot write ${this.path}`, error);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commit?.end().catch(() => {});
    await this.#close();
    this.#lock?.[Symbol.dispose]();
  }

  #text(value: object): string {
    const {text, x} = writeLine(value, this.#x);
    this.#x = x;
    return text;
  }

  async #close(): Promise<void> {
    await this.#file?.close().catch(() => {});
    [this.#file, this.#commit] = [undefined, undefined];
  }

  async #opened(): Promise<GroupCommit> {
    const target = await followLinks(this.path ?? '');
    this.#file = await openToWrite(target, 'append');
    const commit = new GroupCommit(this.#file);
    if (this.#x === '') {
      await commit.append(this.#text({pixelctl_state: 1, of: this.state.of}), false);
      await syncFolder(dirname(target));
    }
    return commit;
  }

  /** Removes the beginning of a line that a kill left, or adds the newline that is missing. */
  async #repair(read: Read | undefined, bytes: Buffer | undefined): Promise<void> {
    const length = read?.length ?? 0;
    if (bytes === undefined || this.path === undefined || (bytes.length === length && read?.lacksNewline !== true)) return;
    const file = await openToWrite(await followLinks(this.path), 'append');
    try {
      if (read?.lacksNewline === true) await file.appendFile('\n');
      else await file.truncate(length);
      await file.datasync();
    } finally {
      await file.close();
    }
  }
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
