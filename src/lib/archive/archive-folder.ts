/** Folders that belong to an account, which a file in them names. Only one process at a time writes to a folder. */
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {membersOf} from '../api/schema.js';
import {Failure, localFailure, lockedFailure} from '../client/failure.js';
import {checkLevels, checkTree, closeTree} from '../files/closed-tree.js';
import {commandText} from '../files/command-text.js';
import {acquireLock, LockHeld} from '../files/lock.js';
import {secureFolder} from '../files/own-folder.js';
import {readText} from '../files/read-file.js';
import {absent, NotPlain} from '../files/system-error.js';
import {writeWhole} from '../files/whole-file.js';
import type {OwnAccount} from '../operations/accounts.js';
import {timeText} from '../print/html-page.js';
import {accountFiles, isConversationName} from './archive-places.js';

/** Increased when the format changes. */
const version = 1;

const shape = z.object({
  server: z.string().check(z.refine((text) => URL.parse(text)?.origin === text, 'expected an origin')),
  account: z.object({id: z.string(), acct: z.string()}),
});

/** What an account has in a folder: an archive, or a backup. */
export interface FolderKind {
  /** The name, without its ending, of the file that names the account. */
  readonly name: string;
  /** `an archive` */
  readonly noun: string;
  /** The words of the command that makes such a folder. */
  readonly command: string;
  /** Whether the names of other files show that a folder is one, for when that file is lost. */
  readonly isTraced: (names: readonly string[]) => boolean;
}

export const archiveFolder: FolderKind = {
  name: 'archive',
  noun: 'an archive',
  command: 'dm export',
  isTraced: (names) => names.includes(accountFiles.conversations) || names.some(isConversationName),
};

const makeHint = ({command}: FolderKind, folder: string): string => `make one with \`${commandText(command, {flags: {to: folder}})}\``;

/** The file that names the account of a folder. */
const aboutFile = ({name}: FolderKind): string => `${name}.json`;

export interface ArchiveOwner {
  /** The origin. */
  readonly server: string;
  readonly account: OwnAccount;
}

const describeOwner = ({server, account}: ArchiveOwner): string => `@${account.acct} on ${new URL(server).host}`;

const ownerText = ({server, account}: ArchiveOwner, {name}: FolderKind): string => JSON.stringify({[name]: version, server, account});

const namesIn = async (folder: string): Promise<string[]> => (await readdir(folder).catch(absent)) ?? [];

/** For `catch`. @throws Failure `usage` for a link, pipe, socket or device, which leads out of the folder; any other failure as it is */
const refuse =
  ({noun}: FolderKind, describe: (error: unknown) => Failure) =>
  (error: unknown): never => {
    if (!(error instanceof NotPlain)) throw error instanceof Failure ? error : describe(error);
    throw new Failure('usage', `${error.message}; ${noun} has only files and folders: nothing was sent`, {
      hint: `check what is in the folder, and remove ${error.kind.replace(/^an? /, 'the ')}`,
    });
  };

/**
 * @param inUse the account in use: the hint about a lost file says how to write it again for this account
 * @returns undefined where the folder belongs to no account
 * @throws Failure `usage` for a file of something else; `local` where the file is damaged or gone
 */
export async function ownerOf(folder: string, kind: FolderKind, inUse?: ArchiveOwner): Promise<ArchiveOwner | undefined> {
  const path = join(folder, aboutFile(kind));
  const line = inUse && `if it belongs to ${describeOwner(inUse)}, write this line into ${path}: ${ownerText(inUse, kind)}`;
  const lost = (what: string) =>
    new Failure('local', `${what}: this file names the owner of the ${kind.name} ${folder}. Nothing was sent`, {
      hint: line ?? 'bring it back from a copy',
    });
  const text = await readText(path)
    .catch(absent)
    .catch(refuse(kind, (error) => lost(localFailure(`Cannot read ${path}`, error).message)));
  const isTraced = kind.isTraced(await namesIn(folder));
  if (text === undefined && isTraced) throw lost(`${path} is missing`);
  if (text === undefined) return undefined;
  const about = parseAbout(text);
  const owner = shape.safeParse(about);
  if (owner.success && membersOf(about)[kind.name] === version) return owner.data;
  if (isTraced) throw lost(`${path} is damaged, or a later pixelctl wrote it`);
  throw new Failure('usage', `${path} does not belong to ${kind.noun}: nothing was sent`, {hint: 'choose another folder'});
}

function parseAbout(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a folder belongs to an account, even if the file that names the account is lost. */
const isOne = (names: readonly string[], kind: FolderKind): boolean => names.includes(aboutFile(kind)) || kind.isTraced(names);

/** The folders of accounts in the folder that several accounts share. */
async function accountFoldersIn(folder: string, kind: FolderKind): Promise<string[]> {
  const found: string[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    if (isOne(await readdir(path).catch(() => []), kind)) found.push(path);
  }
  return found;
}

/** The hint for a folder that does not belong to an account. */
async function adviseFolder(folder: string, kind: FolderKind, otherwise: string): Promise<string> {
  const inside = await accountFoldersIn(folder, kind);
  return inside.length === 0 ? otherwise : `it has folders of accounts: name one of ${inside.join(', ')}`;
}

/**
 * The folders of accounts: the given folder itself, or those in it. The file that names the account may be lost.
 * @throws Failure `not_found` where there is none, `usage` for one with links in it
 */
export async function accountFolders(folder: string, kind: FolderKind): Promise<string[]> {
  const found = isOne(await namesIn(folder), kind) ? [folder] : await accountFoldersIn(folder, kind);
  if (found.length === 0) throw new Failure('not_found', `There is no ${kind.name} in ${folder}`, {hint: makeHint(kind, folder)});
  for (const one of found) await checkTree(one).catch(refuse(kind, (error) => localFailure(`Cannot read the folder ${one}`, error)));
  return found;
}

/** @throws Failure `usage` for a folder that belongs to no account, or has the folders of several accounts */
export async function requireOwned(folder: string, kind: FolderKind): Promise<ArchiveOwner> {
  const hint = `name the folder of ${kind.noun}`;
  await checkTree(folder).catch(refuse(kind, (error) => localFailure(`Cannot read the folder ${folder}`, error, hint)));
  const owner = await ownerOf(folder, kind);
  if (owner !== undefined) return owner;
  throw new Failure('usage', `${folder} is no ${kind.name}: nothing was sent`, {
    hint: await adviseFolder(folder, kind, makeHint(kind, folder)),
  });
}

/** @throws Failure `usage` for a folder that belongs to one account: several accounts need folders of their own */
export async function refuseOwned(folder: string, kind: FolderKind): Promise<void> {
  const owner = await ownerOf(folder, kind);
  if (owner === undefined) return;
  const whose = `${folder} is the ${kind.name} of ${describeOwner(owner)}, and several accounts need folders of their own`;
  throw new Failure('usage', `${whose}: nothing was sent`, {hint: 'choose another folder with --to'});
}

/** What other programs leave in a folder that people call empty. */
const ignored = new Set(['.DS_Store', 'desktop.ini', 'lost+found', accountFiles.lock, `${accountFiles.lock}.takeover`]);

/**
 * @returns whether the folder belongs to the account; false for a new folder
 * @throws Failure `usage` for the folder of another account, and for one with other files in it; `local` as {@link ownerOf}
 */
async function isOwn(folder: string, owner: ArchiveOwner, kind: FolderKind): Promise<boolean> {
  // The folder is listed first, because another run may begin an archive in it meanwhile.
  const present = await namesIn(folder);
  const found = await ownerOf(folder, kind, owner);
  if (found === undefined) {
    if (present.every((name) => ignored.has(name) || name.endsWith('.temporary'))) return false;
    throw new Failure('usage', `${folder} is not empty, and not ${kind.noun}: nothing was sent`, {
      hint: await adviseFolder(folder, kind, 'choose a new folder with --to'),
    });
  }
  if (found.server === owner.server && found.account.id === owner.account.id) return true;
  throw new Failure('usage', `${folder} is the ${kind.name} of ${describeOwner(found)}, not of ${describeOwner(owner)}: nothing was sent`, {
    hint: 'choose another folder with --to',
  });
}

/** @param makes whether a missing folder is created @throws Failure `usage` for another account's folder, or one with links; `local` else */
async function checkFolder(folder: string, owner: ArchiveOwner, kind: FolderKind, makes: boolean): Promise<void> {
  try {
    await checkLevels(folder);
    // This comes before any change, so that a folder with something else stays as it is.
    if (await isOwn(folder, owner, kind)) await checkTree(folder);
    if (makes) secureFolder(folder, {make: true});
  } catch (error) {
    refuse(kind, () => localFailure(`Cannot use the folder ${folder}`, error))(error);
  }
}

/** Opens the folder of an account for reading only; it may be missing. @throws as {@link openArchive} */
export async function openToLook(folder: string, owner: ArchiveOwner): Promise<Disposable> {
  await checkFolder(folder, owner, archiveFolder, false);
  return closeTree(folder);
}

/**
 * Opens the folder of an account, and makes it where it is missing. Only this user can read it, and only this run can write to it until
 * it is disposed of.
 * @throws Failure `usage` for the folder of another account, `local` where it is in use, cannot be written, or does not say whose it is
 */
export async function openArchive(folder: string, owner: ArchiveOwner, kind = archiveFolder): Promise<Disposable> {
  await checkFolder(folder, owner, kind, true);
  const held = [closeTree(folder)];
  const release = () => {
    for (const one of held.toReversed()) one[Symbol.dispose]();
  };
  try {
    held.push(await acquireLock(join(folder, accountFiles.lock), {patience: 0}));
    if (!(await isOwn(folder, owner, kind))) await writeWhole(join(folder, aboutFile(kind)), `${ownerText(owner, kind)}\n`);
    return {[Symbol.dispose]: release};
  } catch (error) {
    release();
    if (!(error instanceof LockHeld)) throw error instanceof Failure ? error : localFailure(`Cannot write to ${folder}`, error);
    // The message says since when, because a run can take hours.
    const since = new Date(error.holder.since);
    throw lockedFailure(`${folder}${Number.isNaN(since.getTime()) ? '' : ` (since ${timeText(since)})`}`, error);
  }
}
