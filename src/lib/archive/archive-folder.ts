/** Folders that belong to an account: whose they are, and that one process at a time writes to them. */
import type {Dirent} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {membersOf} from '../api/schema.js';
import {Failure, localFailure, lockedFailure} from '../client/failure.js';
import {acquireLock, LockHeld, type Lock, type LockHolder} from '../files/lock.js';
import {aLink, checkLevels, closeTree, withoutLinks} from '../files/closed-tree.js';
import {secureFolder} from '../files/own-folder.js';
import {readText} from '../files/read-file.js';
import {absent, isAbsent, NotPlain} from '../files/system-error.js';
import {writeWhole} from '../files/whole-file.js';
import type {OwnAccount} from '../operations/accounts.js';
import {timeText} from '../print/html-page.js';
import {accountFiles} from './places.js';

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
  readonly command: string;
}

export const archiveFolder: FolderKind = {name: 'archive', noun: 'an archive', command: 'pixelctl dm export'};
export const backupFolder: FolderKind = {name: 'backup', noun: 'a backup', command: 'pixelctl backup'};

/** The file that says whose a folder is. */
export const aboutFile = ({name}: FolderKind): string => `${name}.json`;

export interface ArchiveOwner {
  /** Origin. */
  readonly server: string;
  readonly account: OwnAccount;
}

/** @returns undefined where there is none @throws Failure `usage` for one of another version, or that is damaged; `local` */
export async function ownerOf(folder: string, kind: FolderKind): Promise<ArchiveOwner | undefined> {
  const path = join(folder, aboutFile(kind));
  const text = await readText(path).catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    refuseLink(error, kind);
    throw localFailure(`Cannot read ${path}`, error);
  });
  if (text === undefined) return undefined;
  try {
    const about: unknown = JSON.parse(text);
    const {server, account} = shape.parse(about);
    if (membersOf(about)[kind.name] === version) return {server, account};
    throw new Error('of another version');
  } catch {
    throw new Failure('usage', `${path} is not that of ${kind.noun} which this pixelctl can read: nothing was sent`, {
      hint: 'choose another folder, or upgrade pixelctl',
    });
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
function refuseLink(error: unknown, {name}: FolderKind): void {
  if (!(error instanceof NotPlain) || error.kind !== aLink) return;
  throw new Failure('usage', `${error.message}, which no ${name} has: nothing was sent`, {
    hint: 'check what is in the folder, and remove the link',
  });
}

const described = ({server, account}: ArchiveOwner): string => `@${account.acct} on ${new URL(server).host}`;

/** The names of folders in a folder that accounts have one each of, where several have. */
export async function accountFoldersIn(folder: string, names: readonly string[], kind: FolderKind): Promise<string[]> {
  const found = await Promise.all(names.map(async (name) => await stat(join(folder, name, aboutFile(kind))).catch(absent)));
  return names.filter((_, index) => found[index] !== undefined);
}

/** What to name in place of a folder that has those of accounts. */
export const oneOf = (folder: string, names: readonly string[]): string => {
  const paths = names.map((name) => join(folder, name)).join(', ');
  return names.length === 1 ? `there is one in it: name ${paths}` : `it has those of several accounts: name one, ${paths}`;
};

/**
 * The folders of accounts: a folder itself, or those in it.
 * @throws Failure `not_found` where there is none, `usage` for one with links in it
 */
export async function archivesIn(folder: string, kind: FolderKind): Promise<string[]> {
  const isOwned = (await ownerOf(folder, kind)) !== undefined;
  const names = isOwned ? [] : await accountFoldersIn(folder, (await readdir(folder).catch(absent)) ?? [], kind);
  const found = isOwned ? [folder] : names.map((name) => join(folder, name));
  if (found.length === 0)
    throw new Failure('not_found', `There is no ${kind.name} in ${folder}`, {hint: `make one with \`${kind.command}\``});
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
  throw new Failure('usage', `${folder} is not empty, and no ${kind.name}: nothing was sent`, {
    hint: inside.length === 0 ? 'choose a new folder with --to' : oneOf(folder, inside),
  });
}

/** @throws Failure `usage` for what is another account's, and for a folder with other files in it; the system's error */
async function refuseOthers(folder: string, owner: ArchiveOwner, kind: FolderKind): Promise<boolean> {
  let found = await ownerOf(folder, kind);
  if (found === undefined) {
    const present = (await readdir(folder).catch(absent)) ?? [];
    // Another run may have begun one meanwhile.
    if (present.includes(aboutFile(kind))) found = await ownerOf(folder, kind);
    if (found === undefined) {
      refuseFiles(folder, present, kind, await accountFoldersIn(folder, present, kind));
      return false;
    }
  }
  if (found.server === owner.server && found.account.id === owner.account.id) return true;
  throw new Failure('usage', `${folder} is the ${kind.name} of ${described(found)}, not of ${described(owner)}: nothing was sent`, {
    hint: 'choose another folder with --to',
  });
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

/**
 * Opens the folder of an account, which is made where there is none. Nobody else can read it, and nobody else writes to it until it is
 * disposed of.
 * @param isNew whether it may be made
 * @param doing what for, in words: another run that meets it tells people
 * @throws Failure `usage` for what is another account's, `local` where it is in use or cannot be written
 */
export async function openArchive(
  folder: string,
  owner: ArchiveOwner,
  {isNew, doing, kind = archiveFolder}: {readonly isNew: boolean; readonly doing: string; readonly kind?: FolderKind},
): Promise<Lock> {
  try {
    await checkLevels(folder).catch((error: unknown) => passOn(error, kind));
    // Before anything is changed, so that a folder of something else stays as it is.
    const isKnown = await refuseOthers(folder, owner, kind);
    if (!isKnown && !isNew) {
      throw new Failure('not_found', `There is no ${kind.name} in ${folder}: nothing was sent`, {
        hint: `make one with \`${kind.command}\``,
      });
    }
    if (isKnown) await refuseLinks(folder, kind);
    secureFolder(folder, {make: true});
  } catch (error) {
    throw error instanceof Failure ? error : localFailure(`Cannot use the folder ${folder}`, error);
  }
  let held: Lock | undefined;
  try {
    held = await lockTree(folder, doing);
    if (!(await refuseOthers(folder, owner, kind))) {
      const {server, account} = owner;
      const about = {[kind.name]: version, server, account: {id: account.id, acct: account.acct}};
      await writeWhole(join(folder, aboutFile(kind)), `${JSON.stringify(about)}\n`);
    }
    return held;
  } catch (error) {
    held?.[Symbol.dispose]();
    if (error instanceof LockHeld) throw lockedFailure(`${folder}${inUse(error.holder)}`, error);
    throw error instanceof Failure ? error : localFailure(`Cannot write to ${folder}`, error);
  }
}
