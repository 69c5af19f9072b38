/** The state file, which records what applies made and how everything was before: its format, its path, its lock. */
import {isObject} from '../../api/schema.js';
import {existsSync} from 'node:fs';
import {lstat, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import * as z from 'zod/mini';
import {asFailure, Failure, localFailure, lockedFailure} from '../../client/failure.js';
import {NotText, textOfBytes} from '../../files/text.js';
import {acquireLock, LockHeld} from '../../files/lock.js';
import {secureFolder} from '../../files/own-folder.js';
import {readUntouched} from '../../files/private-file.js';
import {absent, systemCode} from '../../files/system-error.js';
import {followed, writeWhole} from '../../files/whole-file.js';
import {at} from '../../json/path.js';
import {compareText} from '../source/location.js';
import type {OwnedItem} from '../model/items.js';
import {refuseMismatches} from '../source/mistakes.js';
import type {Edit, RecordDraft} from './draft.js';
import {logOf, lookAtLog, missingLog, missingState, StateLog, withLog} from './log.js';
import {isOf} from './ownership.js';
import type {Owner, OwnershipFile, OwnershipRecord, SavedApply} from './record.js';
import {ownershipFile} from './schema.js';

export type {Owner, OwnershipFile, OwnershipRecord, SavedApply} from './record.js';

export const emptyOwnership: OwnershipFile = {version: 2, records: []};

/** The apply that would be reverted next. */
export function lastApply({applies}: OwnershipRecord): SavedApply | undefined {
  return applies.at(-1);
}

/** @param given its bytes, or its text @throws Failure `local` when it is not a state file */
export function readOwnership(given: Uint8Array | string, file: string): OwnershipFile {
  let value: unknown;
  try {
    value = JSON.parse(typeof given === 'string' ? given : textOfBytes(given, file));
    refuseMismatches(file, ownershipFile, value);
    return z.parse(ownershipFile, value);
  } catch (error) {
    const {message = undefined, details = {}} = error instanceof NotText ? asFailure(error) : error instanceof Failure ? error : {};
    const startOver = 'move it away to start over; then apply may leave items in place, and earlier applies cannot be reverted';
    throw new Failure('local', `${file} is not a state file that this version can read${message === undefined ? '' : `: ${message}`}`, {
      ...(details.mistakes && {mistakes: details.mistakes}),
      hint: Number(at(value, ['version']).value) > 2 ? 'a newer pixelctl wrote it: upgrade pixelctl' : startOver,
      cause: error,
    });
  }
}

/** In the form of JSON with lines, but for items, each of which has one. @param margin of the line that it begins in */
function* piecesOf(value: unknown, margin = ''): Generator<string> {
  const isArray = Array.isArray(value);
  if (!isArray && (!isObject(value) || isItem(value))) return yield JSON.stringify(value);
  const members = Object.entries(value).filter(([, one]: [string, unknown]) => one !== undefined);
  const [open, close] = isArray ? '[]' : '{}';
  if (members.length === 0) return yield `${open}${close}`;
  const inner = `${margin}  `;
  let before = `${open}\n${inner}`;
  for (const [name, one] of members) {
    yield isArray ? before : `${before}${JSON.stringify(name)}: `;
    yield* piecesOf(one, inner);
    before = `,\n${inner}`;
  }
  yield `\n${margin}${close}`;
}

const isItem = (value: unknown): value is OwnedItem => isObject(value) && 'kind' in value;

function* ownershipPieces(file: OwnershipFile): Generator<string> {
  const records = file.records.toSorted(
    (one, other) =>
      compareText(one.server, other.server) ||
      Number(one.account === undefined) - Number(other.account === undefined) ||
      compareText(one.account ?? '', other.account ?? '') ||
      compareText(one.policy, other.policy),
  );
  const {version, log} = file;
  yield* piecesOf({version, log, records});
  yield '\n';
}

export const ownershipText = (file: OwnershipFile): string => [...ownershipPieces(file)].join('');

export function recordOf(file: OwnershipFile, owner: Owner): OwnershipRecord {
  return file.records.find((one) => isOf(one, owner)) ?? {...owner, owned: [], applies: []};
}

export function withRecord(file: OwnershipFile, changed: OwnershipRecord): OwnershipFile {
  return {...file, records: [...withoutRecord(file, changed).records, changed]};
}

export class StateFile {
  readonly path: string;
  #file: OwnershipFile;
  /** Several accounts may share the file: each write follows the one before. */
  #writing: Promise<void> = Promise.resolve();
  /** The records that are being changed: what of them is not in the file is in the log. */
  readonly #open: RecordDraft[] = [];
  #log: StateLog | undefined;
  /** Whether the file names a log of an earlier run. */
  #isBehind: boolean;
  readonly #lock: Disposable | undefined;

  private constructor(path: string, {file, isBehind}: Reading, lock?: Disposable) {
    this.path = path;
    this.#file = file;
    this.#isBehind = isBehind;
    this.#lock = lock;
  }

  /**
   * A file that does not exist yet is empty.
   * @throws Failure `local` when it cannot be read or understood
   */
  static async read(path: string): Promise<StateFile> {
    return new StateFile(path, await readBoth(path));
  }

  /** Reads it where there is one, for what writes none: a folder that nobody may keep a state in can still hold a policy. */
  static async readIfThere(path: string): Promise<StateFile> {
    return existsSync(path) ? StateFile.read(path) : new StateFile(path, {file: emptyOwnership, isBehind: false});
  }

  /**
   * Reads it under a lock, which is held until this is disposed of: no other process changes it.
   * @throws Failure `local` when another process holds the lock, or the folder cannot be written to; else as {@link read}
   */
  static async lock(path: string): Promise<StateFile> {
    const target = await targetOf(path);
    const lock = await lockOn(target, path);
    try {
      const found = await readBoth(path);
      if (!found.isBehind) await removeLeft(target);
      return new StateFile(path, found, lock);
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    void this.#log?.close();
    this.#lock?.[Symbol.dispose]();
  }

  get records(): readonly OwnershipRecord[] {
    return this.#file.records;
  }

  recordOf(owner: Owner): OwnershipRecord {
    return recordOf(this.#file, owner);
  }

  has(owner: Owner): boolean {
    return this.#file.records.some((one) => isOf(one, owner));
  }

  /** Writes the whole file, unless nothing changed. @throws Failure `local` */
  write(record: OwnershipRecord): Promise<void> {
    return this.#replace((file) => (isSame(recordIn(file, record), record) ? file : withRecord(file, record)));
  }

  /** Removes a record. @throws Failure `local` */
  remove(owner: Owner): Promise<void> {
    return this.#replace((file) => (recordIn(file, owner) === undefined ? file : withoutRecord(file, owner)));
  }

  /** Writes the whole file with a record that is going to be changed step by step. @throws Failure `local` */
  async begin(draft: RecordDraft): Promise<void> {
    this.#open.push(draft);
    await this.#replace((file) => withRecord(file, draft.record)).catch((error: unknown) => {
      this.#close(draft);
      throw error;
    });
  }

  /** Notes steps of a record in the log. @param isDurable whether they have to be on disk when this resolves @throws Failure `local` */
  async note(draft: RecordDraft, edits: readonly Edit[], isDurable: boolean): Promise<void> {
    await this.#log?.note(draft.owner, edits, isDurable);
  }

  /** Writes the whole file with what a record has become. Until that succeeds, the log has it. @throws Failure `local` */
  async end(draft: RecordDraft, record: OwnershipRecord): Promise<void> {
    this.#close(draft);
    await this.#replace((file) => withRecord(file, record)).catch((error: unknown) => {
      this.#open.push(draft);
      throw error;
    });
  }

  #close(draft: RecordDraft): void {
    const index = this.#open.indexOf(draft);
    if (index !== -1) this.#open.splice(index, 1);
  }

  #replace(change: (file: OwnershipFile) => OwnershipFile): Promise<void> {
    const writing = this.#writing.then(() => this.#write(change(this.#file)));
    this.#writing = writing.catch(() => {});
    return writing;
  }

  async #write(changed: OwnershipFile): Promise<void> {
    const log = logOf(await targetOf(this.path));
    if (this.#isBehind) {
      await this.#writeWhole(this.#file, undefined);
      this.#isBehind = false;
      await rm(log, {force: true}).catch(() => {});
    }
    if (changed === this.#file) return;
    if (this.#open.length > 0) {
      this.#log ??= await StateLog.begin(log);
      const part = this.#log.mark(this.#open.map(({owner}) => owner));
      // In the same turn: what is noted before this is in the file, and what is noted later is in that part of the log.
      const now = this.#open.reduce((file, {record}) => withRecord(file, record), changed);
      await this.#writeWhole(now, await part);
    } else {
      await this.#writeWhole(changed, undefined);
      await this.#log?.remove();
      this.#log = undefined;
    }
    this.#file = changed;
  }

  async #writeWhole(file: OwnershipFile, log: string | undefined): Promise<void> {
    await writeWhole(this.path, ownershipPieces({...file, log})).catch((error: unknown) => {
      throw localFailure(`Cannot write the state file ${this.path}`, error, 'fix this first, because later runs need the file');
    });
  }
}

const recordIn = ({records}: OwnershipFile, owner: Owner): OwnershipRecord | undefined => records.find((one) => isOf(one, owner));

const withoutRecord = (file: OwnershipFile, owner: Owner): OwnershipFile => ({
  ...file,
  records: file.records.filter((one) => !isOf(one, owner)),
});

const isSame = (one: OwnershipRecord | undefined, other: OwnershipRecord): boolean =>
  one === other || (one !== undefined && [...piecesOf(one)].join('') === [...piecesOf(other)].join(''));

/** Where a state file really is, which may be behind a link: its log and its lock are there, too. @throws Failure `local` */
async function targetOf(path: string): Promise<string> {
  try {
    const isLink = (await lstat(path).catch(absent))?.isSymbolicLink() === true;
    return isLink ? await followed(path) : path;
  } catch (error) {
    throw localFailure(`Cannot use the state file ${path}`, error);
  }
}

/** A state file with what its log says. */
interface Reading {
  readonly file: OwnershipFile;
  /** Whether some of it is in the log alone. */
  readonly isBehind: boolean;
}

async function readBoth(path: string): Promise<Reading> {
  const log = logOf(await targetOf(path));
  for (let before: string | undefined; ;) {
    const bytes = await readUntouched(path).catch((error: unknown) => {
      throw localFailure(`Cannot read the state file ${path}`, error);
    });
    const file = bytes === undefined ? emptyOwnership : readOwnership(bytes, path);
    if (file.log === undefined && bytes !== undefined) return {file, isBehind: false};
    const whole = file.log === undefined ? undefined : await withLog(file, file.log, log);
    if (whole !== undefined) return {file: whole, isBehind: true};
    const found = await lookAtLog(log);
    if (file.log === undefined && found !== 'ours') return {file, isBehind: false};
    // Another process may have written the file, and removed or begun the log, meanwhile.
    const named = file.log ?? 'none';
    if (named === before) throw file.log === undefined ? missingState(path, log) : missingLog(log, found);
    before = named;
  }
}

/** A file that does not exist yet is empty. @throws Failure `local` */
export async function ownershipIn(path: string): Promise<OwnershipFile> {
  return (await readBoth(path)).file;
}

/** Removes a log that a state file does not name: all that it says is in the file, if it is of that file at all. */
async function removeLeft(target: string): Promise<void> {
  const log = logOf(target);
  const found = await lookAtLog(log);
  if (found === 'strange')
    throw new Failure('local', `${log} is not the log of a state file, and an apply needs that name`, {hint: 'move it away'});
  if (found !== 'absent') await rm(log, {force: true}).catch(() => {});
}

/** @param what it is, for people */
export async function lockOn(path: string, what = path): Promise<Disposable> {
  try {
    secureFolder(dirname(path), {own: 0, make: true});
    return await acquireLock(`${path}.lock`, {patience: 0});
  } catch (error) {
    if (error instanceof LockHeld) throw lockedFailure(what, error);
    const isClosed = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '');
    throw localFailure(`Cannot use the state file ${what}`, error, isClosed ? 'name one in another folder with --state' : undefined);
  }
}
