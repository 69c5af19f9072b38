/** The state file, which records what applies made and how everything was before: its format, its path, its lock. */
import {isObject} from '../../api/schema.js';
import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {basename, dirname, isAbsolute, relative, resolve, sep} from 'node:path';
import * as z from 'zod/mini';
import {Failure, localFailure, lockedFailure} from '../../client/failure.js';
import {textOf} from '../../client/text-input.js';
import {acquireLock, LockHeld} from '../../files/lock.js';
import {secureFolder} from '../../files/own-folder.js';
import {readUntouched} from '../../files/private-file.js';
import {writeWhole} from '../../files/whole-file.js';
import {at} from '../../json/path.js';
import {policyName, type Target} from '../model/difference.js';
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

function isOf(one: OwnershipRecord, {server, account, policy}: Owner): boolean {
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
      compareText(one.server, other.server) || compareText(one.account, other.account) || compareText(one.policy, other.policy),
  );
  return `${linesOf({...file, records})}\n`;
}

export function recordOf(file: OwnershipFile, owner: Owner): OwnershipRecord {
  return file.records.find((one) => isOf(one, owner)) ?? {...owner, owned: [], applies: []};
}

export function withRecord(file: OwnershipFile, changed: OwnershipRecord): OwnershipFile {
  return {...file, records: [...file.records.filter((one) => !isOf(one, changed)), changed]};
}

export const stateFileEnding = '.state.json';

/** @param chosen the value of `--state` */
export function stateFileFor(policy: string, chosen: string | undefined): string {
  return chosen ?? policy + stateFileEnding;
}

/** The state file of one of several accounts. @param handle as in `ana@pix.example` */
function accountStateFile(policy: string, handle: string): string {
  return `${policy}.${handle.replaceAll(/[^\p{L}\p{N}._@-]/gu, '-')}${stateFileEnding}`;
}

/** The state files that an account may have under a policy, its own one first. */
function stateFilesOf(policy: string, handle: string | undefined): string[] {
  return [...(handle === undefined ? [] : [accountStateFile(policy, handle)]), stateFileFor(policy, undefined)];
}

/**
 * The state file of an account: the one that has its record. Without a record it is one of its own among several accounts, and
 * else the one beside the policy.
 * @param chosen the value of `--state`
 * @param handle of the account, as in `ana@pix.example`; undefined where it is not known
 * @throws Failure `local` when a state file cannot be read
 */
export async function stateFileOf(
  {policy, server, account}: Owner,
  {chosen, handle, isOfSeveral}: {readonly chosen: string | undefined; readonly handle: string | undefined; readonly isOfSeveral: boolean},
): Promise<string> {
  if (chosen !== undefined) return chosen;
  const paths = stateFilesOf(policy, handle);
  for (const path of paths.filter((one) => existsSync(one))) {
    const {records} = await ownershipIn(path);
    if (records.some((one) => isOf(one, {server, account, policy: nameInState(policy, path)}))) return path;
  }
  const [first = stateFileFor(policy, undefined)] = isOfSeveral ? paths : paths.slice(-1);
  return first;
}

/** The name of a policy in a state file: its relative path, which is the same in every checkout. */
export function nameInState(policy: string, stateFile: string): string {
  const way = relative(dirname(resolve(stateFile)), resolve(policy));
  return way.startsWith('..') || isAbsolute(way) ? basename(policy) : way.split(sep).join('/');
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

  /** Writes the whole file, unless nothing changed. @throws Failure `local` */
  write(record: OwnershipRecord): Promise<void> {
    return this.#replace((file) => withRecord(file, record));
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
async function ownershipIn(path: string): Promise<OwnershipFile> {
  const bytes = await readUntouched(path).catch((error: unknown) => {
    throw localFailure(`Cannot read the state file ${path}`, error);
  });
  return bytes === undefined ? emptyOwnership : readOwnership(bytes, path);
}

/**
 * Locks the applies of a policy to an account: the first one of it alone and the first one among several have different state files.
 * @param handle as in `ana@pix.example`
 * @throws Failure `local` when another process holds the lock, or the folder cannot be written to
 */
export function lockAccount(policy: string, handle: string): Promise<Disposable> {
  return lockOn(accountStateFile(policy, handle).slice(0, -stateFileEnding.length), `${policy} for ${handle}`);
}

/** @param what it is, for people */
async function lockOn(path: string, what = path): Promise<Disposable> {
  try {
    secureFolder(dirname(path), {own: 0, make: true});
    return await acquireLock(`${path}.lock`, {patience: 0});
  } catch (error) {
    if (error instanceof LockHeld) throw lockedFailure(what, error);
    throw localFailure(`Cannot use the state file ${path}`, error);
  }
}

/** The last apply to an account. */
export interface LastApply {
  /** Of its state file. */
  readonly path: string;
  /** Its policy, as the state file names it. */
  readonly policy: string;
}

/**
 * The state files of a policy, which may have one for each account, or without a policy those of the working folder.
 * @param chosen the value of `--state`
 * @throws Failure `local` when the folder cannot be read
 */
export async function stateFilesFor(policy: string | undefined, chosen: string | undefined): Promise<string[]> {
  if (chosen !== undefined) return [chosen];
  const folder = policy === undefined ? '.' : dirname(policy);
  const names = await readdir(folder).catch((error: unknown) => {
    throw localFailure(`Cannot look for state files in ${policy === undefined ? 'this folder' : folder}`, error);
  });
  const prefix = policy === undefined ? '' : `${basename(policy)}.`;
  const found = names.filter((name) => name.startsWith(prefix) && name.endsWith(stateFileEnding)).sort(compareText);
  return policy === undefined ? found : found.map((name) => policy + name.slice(prefix.length - 1));
}

/** A record, and the state file that has it. */
export interface FoundRecord {
  readonly path: string;
  readonly record: OwnershipRecord;
}

/** The records of state files; of one policy, where it is named. @throws Failure `local` when one cannot be read */
export async function recordsUnder(policy: string | undefined, paths: readonly string[]): Promise<FoundRecord[]> {
  const found: FoundRecord[] = [];
  for (const path of paths)
    for (const record of (await ownershipIn(path)).records)
      if (policy === undefined || record.policy === nameInState(policy, path)) found.push({path, record});
  return found;
}

/**
 * Finds the policy whose last apply to the account is the latest one.
 * @param policy looks for this one only
 * @param chosen the value of `--state`
 * @throws Failure `not_found` when there is none
 */
export async function findLastApply(
  {policy, chosen}: {readonly policy: string | undefined; readonly chosen: string | undefined},
  {server, account}: Pick<Target, 'account' | 'server'>,
): Promise<LastApply> {
  const handle = policyName({server, account});
  const paths =
    chosen !== undefined ? [chosen] : policy === undefined ? await stateFilesFor(undefined, undefined) : stateFilesOf(policy, handle);
  const all = await recordsUnder(policy, paths);
  const found = all.filter(({record}) => record.server === server.origin && record.account === account);
  const at = ({record}: FoundRecord) => lastApply(record)?.at ?? '';
  const latest = found
    .filter((one) => at(one) !== '')
    .sort((one, other) => compareText(at(one), at(other)))
    .at(-1);
  if (latest) return {path: latest.path, policy: latest.record.policy};
  throw new Failure('not_found', `Nothing to revert for ${account} on ${server.host}: ${withoutApply(paths)}`, {
    hint: 'name the policy, or its state file with --state',
  });
}

/** @param looked the state files in question, the usual one last */
function withoutApply(looked: readonly string[]): string {
  const there = looked.filter((path) => existsSync(path));
  if (there.length > 0) return `${there.join(', ')} ${there.length === 1 ? 'has' : 'have'} none`;
  const usual = looked.at(-1);
  return `there is no ${usual ?? 'state file in this folder'}`;
}
