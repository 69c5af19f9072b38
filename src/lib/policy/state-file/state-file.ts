/** The state file, which records what applies made and how everything was before: its format, its path, its lock. */
import {isObject} from '../../api/schema.js';
import {existsSync} from 'node:fs';
import {dirname} from 'node:path';
import * as z from 'zod/mini';
import {Failure, localFailure, lockedFailure} from '../../client/failure.js';
import {textOf} from '../../client/text-input.js';
import {acquireLock, LockHeld} from '../../files/lock.js';
import {secureFolder} from '../../files/own-folder.js';
import {readUntouched} from '../../files/private-file.js';
import {systemCode} from '../../files/system-error.js';
import {writeWhole} from '../../files/whole-file.js';
import {at} from '../../json/path.js';
import {compareText} from '../source/location.js';
import type {OwnedItem} from '../model/items.js';
import {refuseMismatches} from '../source/mistakes.js';
import type {Owner, OwnershipFile, OwnershipRecord, SavedApply} from './record.js';
import {anyVersion, ownershipFile, writtenFile} from './schema.js';
import {fromFirstVersion, isFirstVersion} from './version-1.js';

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
    value = JSON.parse(typeof given === 'string' ? given : textOf(given, file));
    refuseMismatches(file, anyVersion, value);
    if (isFirstVersion(value)) return z.parse(ownershipFile, fromFirstVersion(value, file));
    refuseMismatches(file, writtenFile, value);
    return z.parse(ownershipFile, value);
  } catch (error) {
    const {message = undefined, details = {}} = error instanceof Failure ? error : {};
    const startOver = 'move it away to start over; then apply may leave items in place, and earlier applies cannot be reverted';
    throw new Failure('local', `${file} is not a state file that this version can read${message === undefined ? '' : `: ${message}`}`, {
      ...(details.mistakes && {mistakes: details.mistakes}),
      hint: Number(at(value, ['version']).value) > 2 ? 'a newer pixelctl wrote it: upgrade pixelctl' : startOver,
      cause: error,
    });
  }
}

export function isOf(one: OwnershipRecord, {server, account, policy}: Owner): boolean {
  return one.server === server && one.account === account && one.policy === policy;
}

/** Items that stay the same, which is most of them, are written after each change of an apply. */
const itemTexts = new WeakMap<OwnedItem, string>();

function itemText(item: OwnedItem): string {
  const text = itemTexts.get(item) ?? JSON.stringify(item);
  itemTexts.set(item, text);
  return text;
}

/** In the form of JSON with lines, but for items, each of which has one. @param margin of the line that it begins in */
function linesOf(value: unknown, margin = ''): string {
  const inner = `${margin}  `;
  if (Array.isArray(value)) {
    const texts = value.map((one: unknown) => (isItem(one) ? itemText(one) : linesOf(one, inner)));
    return texts.length === 0 ? '[]' : `[\n${inner}${texts.join(`,\n${inner}`)}\n${margin}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    one === undefined ? [] : `${JSON.stringify(name)}: ${linesOf(one, inner)}`,
  );
  return `{\n${inner}${members.join(`,\n${inner}`)}\n${margin}}`;
}

const isItem = (value: unknown): value is OwnedItem => isObject(value) && 'kind' in value;

export function ownershipText(file: OwnershipFile): string {
  const records = file.records.toSorted(
    (one, other) =>
      compareText(one.server, other.server) ||
      Number(one.account === undefined) - Number(other.account === undefined) ||
      compareText(one.account ?? '', other.account ?? '') ||
      compareText(one.policy, other.policy),
  );
  return `${linesOf({...file, records})}\n`;
}

export function recordOf(file: OwnershipFile, owner: Owner): OwnershipRecord {
  return file.records.find((one) => isOf(one, owner)) ?? {...owner, owned: [], applies: []};
}

export function withRecord(file: OwnershipFile, changed: OwnershipRecord): OwnershipFile {
  return {...file, records: [...file.records.filter((one) => !isOf(one, changed)), changed]};
}

export class StateFile {
  readonly path: string;
  #file: OwnershipFile;
  /** As it was written last; undefined: not yet. */
  #text: string | undefined;
  /** Several accounts may share the file: each write follows the one before. */
  #writing: Promise<void> = Promise.resolve();

  readonly #lock: Disposable | undefined;

  private constructor(path: string, file: OwnershipFile, lock?: Disposable) {
    this.path = path;
    this.#file = file;
    this.#lock = lock;
  }

  /**
   * A file that does not exist yet is empty.
   * @throws Failure `local` when it cannot be read or understood
   */
  static async read(path: string): Promise<StateFile> {
    return new StateFile(path, await ownershipIn(path));
  }

  /** Reads it where there is one, for what writes none: a folder that nobody may keep a state in can still hold a policy. */
  static async readIfThere(path: string): Promise<StateFile> {
    return existsSync(path) ? StateFile.read(path) : new StateFile(path, emptyOwnership);
  }

  /**
   * Reads it under a lock, which is held until this is disposed of: no other process changes it.
   * @throws Failure `local` when another process holds the lock, or the folder cannot be written to; else as {@link read}
   */
  static async lock(path: string): Promise<StateFile> {
    const lock = await lockOn(path);
    try {
      return new StateFile(path, await ownershipIn(path), lock);
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
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
    return this.#replace((file) => (file.records.includes(record) ? file : withRecord(file, record)));
  }

  /** Removes a record. @throws Failure `local` */
  remove(owner: Owner): Promise<void> {
    return this.#replace((file) => ({...file, records: file.records.filter((one) => !isOf(one, owner))}));
  }

  #replace(change: (file: OwnershipFile) => OwnershipFile): Promise<void> {
    const writing = this.#writing.then(() => this.#write(change(this.#file)));
    this.#writing = writing.catch(() => {});
    return writing;
  }

  async #write(changed: OwnershipFile): Promise<void> {
    // The text of very many items takes a while, and a run may have a second record, which stays the same.
    if (changed === this.#file) return;
    const text = ownershipText(changed);
    this.#text ??= ownershipText(this.#file);
    if (text === this.#text) return;
    await writeWhole(this.path, text).catch((error: unknown) => {
      throw localFailure(`Cannot write the state file ${this.path}`, error, 'fix that first: later runs rely on it');
    });
    [this.#file, this.#text] = [changed, text];
  }
}

/** A file that does not exist yet is empty. */
export async function ownershipIn(path: string): Promise<OwnershipFile> {
  const bytes = await readUntouched(path).catch((error: unknown) => {
    throw localFailure(`Cannot read the state file ${path}`, error);
  });
  return bytes === undefined ? emptyOwnership : readOwnership(bytes, path);
}

/** @param what it is, for people */
export async function lockOn(path: string, what = path): Promise<Disposable> {
  try {
    secureFolder(dirname(path), {own: 0, make: true});
    return await acquireLock(`${path}.lock`, {patience: 0});
  } catch (error) {
    if (error instanceof LockHeld) throw lockedFailure(what, error);
    const isClosed = ['EACCES', 'EROFS'].includes(systemCode(error) ?? '');
    throw localFailure(`Cannot use the state file ${path}`, error, isClosed ? 'name one in another folder with --state' : undefined);
  }
}
