/** Folders that belong to an account: whose they are, and that one process at a time writes to them. */
import {commandText} from '../files/command-text.js';
import type {Dirent} from 'node:fs';
import {lstat, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {membersOf} from '../api/schema.js';
import {Failure, localFailure, lockedFailure} from '../client/failure.js';
import {acquireLock, LockHeld, type Lock, type LockHolder} from '../files/lock.js';
import {aLink, checkLevels, closeTree, withoutLinks} from '../files/closed-tree.js';
import {secureFolder} from '../files/own-folder.js';
import {readText} from '../files/read-file.js';
import {absent, isAbsent, NotPlain, systemCode} from '../files/system-error.js';
import {writeWhole} from '../files/whole-file.js';
import type {OwnAccount} from '../operations/accounts.js';
import {timeText} from '../print/html-page.js';
import {moveAside} from './in-the-way.js';
import {accountFiles, isConversationName, keptFiles, stampOf, workFiles} from './places.js';

/** Increased when the format changes. */
const version = 1;

const shape = z.object({
  server: z.string().check(z.refine((text) => URL.parse(text)?.origin === text, 'expected an origin')),
  account: z.object({id: z.string(), acct: z.string()}),
});

/** What is in a folder. */
export interface FolderKind {
  /** Of the file that says whose it is, without its ending. */
  readonly name: string;
  /** `an archive` */
  readonly noun: string;
  /** The words of the command that makes one, and with --repair writes that file again. */
  readonly command: string;
  /** Whether a folder is one by what else is in it. @param names of that */
  readonly isTraced: (folder: string, names: readonly string[]) => Promise<boolean>;
  /** Whose it is by what else is in it. */
  readonly otherOwner?: (folder: string) => Promise<ArchiveOwner | undefined>;
}

const isThere = async (...path: readonly string[]): Promise<boolean> => (await lstat(join(...path)).catch(absent)) !== undefined;

async function isArchive(folder: string, names: readonly string[]): Promise<boolean> {
  if (names.includes(accountFiles.conversations)) return true;
  const kept = [keptFiles.record, keptFiles.messages, workFiles.reading];
  for (const name of names.filter(isConversationName)) for (const file of kept) if (await isThere(folder, name, file)) return true;
  return false;
}

export const archiveFolder: FolderKind = {name: 'archive', noun: 'an archive', command: 'dm export', isTraced: isArchive};

/** Suggests the command that makes one. */
export const makeHint = ({command}: FolderKind, folder: string): string =>
  `make one with \`${commandText(command, {flags: {to: folder}})}\``;

/** The file that says whose a folder is. */
export const aboutFile = ({name}: FolderKind): string => `${name}.json`;

export interface ArchiveOwner {
  /** Origin. */
  readonly server: string;
  readonly account: OwnAccount;
}

/** The file is gone or damaged that says whose a folder is, and all else is there. */
export class OwnerLost extends Failure {
  /** @param what is wrong with the file @param owner the account in use, where it is known */
  constructor(folder: string, kind: FolderKind, what: string, owner?: ArchiveOwner) {
    super('local', `${what}: this file names the owner of the ${kind.name} ${folder}. Nothing was sent`, {
      hint: `if it belongs to ${owner === undefined ? 'the account in use' : described(owner)}, rewrite the file: \`${commandText(kind.command, {flags: {to: folder, repair: true}})}\``,
    });
  }
}

/** What stands in a file that says whose a folder is. @throws Error for what is no such text */
function ownerIn(text: string, path: string, {name, noun}: FolderKind): ArchiveOwner {
  const about: unknown = JSON.parse(text);
  const found = membersOf(about)[name];
  if (typeof found === 'number' && found > version)
    throw new Failure('usage', `${path} belongs to ${noun} that a later pixelctl made: nothing was sent`, {hint: 'upgrade pixelctl'});
  const {server, account} = shape.parse(about);
  if (found !== version) throw new Error('of no version');
  return {server, account};
}

/** @param folder undefined: it is not there, or not a folder */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}

/**
 * @param inUse the account in use, which is told of
 * @returns undefined where there is none
 * @throws OwnerLost where it is damaged or gone; Failure `usage` for a later version, or a file of something else; `local`
 */
export async function ownerOf(folder: string, kind: FolderKind, inUse?: ArchiveOwner): Promise<ArchiveOwner | undefined> {
  const path = join(folder, aboutFile(kind));
  const isTraced = async () => kind.isTraced(folder, await namesIn(folder));
  let text: string;
  try {
    text = await readText(path);
  } catch (error) {
    refuseLink(error, kind);
    const isPlaceless = isAbsent(error) || systemCode(error) === 'EISDIR' || systemCode(error) === 'ENOTFILE';
    if (isPlaceless && (await isTraced()))
      throw new OwnerLost(folder, kind, isAbsent(error) ? `${path} is missing` : localFailure(`Cannot read ${path}`, error).message, inUse);
    if (isAbsent(error)) return undefined;
    throw localFailure(`Cannot read ${path}`, error);
  }
  try {
    return ownerIn(text, path, kind);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (await isTraced()) throw new OwnerLost(folder, kind, `${path} is damaged`, inUse);
    throw new Failure('usage', `${path} does not belong to ${kind.noun}: nothing was sent`, {hint: 'choose another folder'});
  }
}

/** What other programs leave in a folder that people call empty. */
const ignored = new Set(['.DS_Store', 'desktop.ini', 'lost+found', accountFiles.lock, `${accountFiles.lock}.takeover`]);

/**
 * What a link leads to is outside, and files are written there, too.
 * @returns what is in the folder @throws Failure `usage` for a folder with a link at any level; the system's error
 */
export function refuseLinks(folder: string, kind: FolderKind): Promise<Dirent[]> {
  return withoutLinks(folder).catch((error: unknown) => passOn(error, kind));
}

function passOn(error: unknown, kind: FolderKind): never {
  refuseLink(error, kind);
  throw error;
}

/** @throws Failure `usage` for an error that is about a link */
function refuseLink(error: unknown, {noun}: FolderKind): void {
  if (!(error instanceof NotPlain) || error.kind !== aLink) return;
  throw new Failure('usage', `${error.message}; ${noun} contains no links: nothing was sent`, {
    hint: 'check what is in the folder, and remove the link',
  });
}

const described = ({server, account}: ArchiveOwner): string => `@${account.acct} on ${new URL(server).host}`;

/** The names of folders in a folder that accounts have one each of, where several have. */
export async function accountFoldersIn(folder: string, names: readonly string[], kind: FolderKind): Promise<string[]> {
  const isOne = async (path: string) => (await isThere(path, aboutFile(kind))) || kind.isTraced(path, await readdir(path).catch(() => []));
  const found = await Promise.all(names.map((name) => isOne(join(folder, name))));
  return names.filter((_, index) => found[index]);
}

/** What to name in place of a folder that has those of accounts. */
export const nameOneOf = (folder: string, names: readonly string[]): string => {
  const paths = names.map((name) => join(folder, name)).join(', ');
  return names.length === 1 ? `it has one: name ${paths}` : `it has folders of several accounts: name one of ${paths}`;
};

/**
 * The folders of accounts: a folder itself, or those in it, also where it is lost whose they are.
 * @throws Failure `not_found` where there is none, `usage` for one with links in it
 */
export async function archivesIn(folder: string, kind: FolderKind): Promise<string[]> {
  const isOwned = await ownerOf(folder, kind).then(
    (owner) => owner !== undefined,
    (error: unknown) => {
      if (error instanceof OwnerLost) return true;
      throw error;
    },
  );
  const names = isOwned ? [] : await accountFoldersIn(folder, await namesIn(folder), kind);
  const found = isOwned ? [folder] : names.map((name) => join(folder, name));
  if (found.length === 0) throw new Failure('not_found', `There is no ${kind.name} in ${folder}`, {hint: makeHint(kind, folder)});
  for (const one of found) await refuseLinks(one, kind);
  return found;
}

/** @throws Failure `usage` for a folder that belongs to one account, where several are to have folders in it */
export async function refuseOwned(folder: string, kind: FolderKind): Promise<void> {
  const owner = await ownerOf(folder, kind);
  if (owner === undefined) return;
  throw new Failure(
    'usage',
    `${folder} is the ${kind.name} of ${described(owner)}, and several accounts need folders of their own: nothing was sent`,
    {
      hint: 'choose another folder with --to',
    },
  );
}

/** @param inside which of the names are folders of accounts @throws Failure `usage` for a folder with other files in it */
function refuseFiles(folder: string, present: readonly string[], kind: FolderKind, inside: readonly string[]): void {
  if (present.every((name) => ignored.has(name) || name.endsWith('.temporary'))) return;
  throw new Failure('usage', `${folder} is not empty, and not ${kind.noun}: nothing was sent`, {
    hint: inside.length === 0 ? 'choose a new folder with --to' : nameOneOf(folder, inside),
  });
}

/** @throws Failure `usage` for what is another account's */
function refuseOther(folder: string, found: ArchiveOwner, owner: ArchiveOwner, kind: FolderKind): void {
  if (found.server === owner.server && found.account.id === owner.account.id) return;
  throw new Failure('usage', `${folder} is the ${kind.name} of ${described(found)}, not of ${described(owner)}: nothing was sent`, {
    hint: 'choose another folder with --to',
  });
}

/** What a folder is to an account: `its own`; `lost`, which may be its own; or `new`. */
type Found = 'its own' | 'lost' | 'new';

/**
 * @param repairs whether a folder of which it is lost whose it is may be taken for the account's own
 * @throws Failure `usage` for what is another account's, and for a folder with other files in it; OwnerLost; the system's error
 */
async function refuseOthers(folder: string, owner: ArchiveOwner, kind: FolderKind, repairs: boolean): Promise<Found> {
  try {
    let found = await ownerOf(folder, kind, owner);
    const present = found === undefined ? await namesIn(folder) : [];
    // Another run may have begun one meanwhile.
    if (present.includes(aboutFile(kind))) found = await ownerOf(folder, kind, owner);
    if (found === undefined) refuseFiles(folder, present, kind, await accountFoldersIn(folder, present, kind));
    else refuseOther(folder, found, owner, kind);
    return found === undefined ? 'new' : 'its own';
  } catch (error) {
    if (!repairs || !(error instanceof OwnerLost)) throw error;
    const other = await kind.otherOwner?.(folder);
    if (other !== undefined) refuseOther(folder, other, owner, kind);
    return 'lost';
  }
}

async function writeOwner(folder: string, {server, account}: ArchiveOwner, kind: FolderKind): Promise<void> {
  const file = aboutFile(kind);
  const path = join(folder, file);
  const there = await lstat(path).catch(absent);
  if (there !== undefined) await moveAside(folder, file, stampOf(there.mtime));
  const about = {[kind.name]: version, server, account: {id: account.id, acct: account.acct}};
  await writeWhole(path, `${JSON.stringify(about)}\n`);
}

/** Keeps other processes from a folder, and this one from links in it. */
async function lockTree(folder: string, doing: string): Promise<Lock> {
  const lock = await acquireLock(join(folder, accountFiles.lock), {patience: 0, doing});
  const tree = closeTree(folder);
  return {
    tell: lock.tell,
    [Symbol.dispose]() {
      tree[Symbol.dispose]();
      lock[Symbol.dispose]();
    },
  };
}

/** Since when another process uses a folder, and what it does: a run can take hours. */
function inUse({since, doing}: LockHolder): string {
  const begun = new Date(since);
  const told = [Number.isNaN(begun.getTime()) ? [] : `since ${timeText(begun)}`, doing ?? []].flat();
  return told.length === 0 ? '' : ` (${told.join(', ')})`;
}

interface OpenOptions {
  readonly kind?: FolderKind;
  /** Whether it may be made. */
  readonly isNew: boolean;
  /** Whether it is taken for the account's own where it is lost whose it is. Default: false. */
  readonly repairs?: boolean | undefined;
  /** What for, in words: another run that meets it tells people. */
  readonly doing: string;
}

/**
 * Opens the folder of an account, which is made where there is none. Nobody else can read it, and nobody else writes to it until it is
 * disposed of.
 * @throws Failure `usage` for what is another account's, `local` where it is in use, cannot be written, or does not say whose it is
 */
export async function openArchive(folder: string, owner: ArchiveOwner, options: OpenOptions): Promise<Lock> {
  const {isNew, repairs = false, doing, kind = archiveFolder} = options;
  try {
    await checkLevels(folder).catch((error: unknown) => passOn(error, kind));
    // Before anything is changed, so that a folder of something else stays as it is.
    const found = await refuseOthers(folder, owner, kind, repairs);
    if (found === 'new' && !isNew)
      throw new Failure('not_found', `There is no ${kind.name} in ${folder}: nothing was sent`, {hint: makeHint(kind, folder)});
    if (found !== 'new') await refuseLinks(folder, kind);
    secureFolder(folder, {make: true});
  } catch (error) {
    throw error instanceof Failure ? error : localFailure(`Cannot use the folder ${folder}`, error);
  }
  let held: Lock | undefined;
  try {
    held = await lockTree(folder, doing);
    if ((await refuseOthers(folder, owner, kind, repairs)) !== 'its own') await writeOwner(folder, owner, kind);
    return held;
  } catch (error) {
    held?.[Symbol.dispose]();
    if (error instanceof LockHeld) throw lockedFailure(`${folder}${inUse(error.holder)}`, error);
    throw error instanceof Failure ? error : localFailure(`Cannot write to ${folder}`, error);
  }
}
