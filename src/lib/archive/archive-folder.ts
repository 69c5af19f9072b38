/** The folder of an archive: whose it is, and that one process at a time writes to it. */
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {Failure, localFailure, lockedFailure} from '../client/failure.js';
import {acquireLock, LockHeld} from '../files/lock.js';
import {NotPrivate, secureFolder} from '../files/own-folder.js';
import {readText} from '../files/read-file.js';
import {absent, isAbsent} from '../files/system-error.js';
import {writeWhole} from '../files/whole-file.js';
import type {OwnAccount} from '../operations/accounts.js';
import {accountFiles} from './places.js';

/** Increased when the format changes. */
const version = 1;

const shape = z.object({
  archive: z.literal(version),
  server: z.string().check(z.refine((text) => URL.parse(text)?.origin === text, 'expected an origin')),
  account: z.object({id: z.string(), acct: z.string()}),
});

export interface ArchiveOwner {
  /** Origin. */
  readonly server: string;
  readonly account: OwnAccount;
}

/** @returns undefined where there is none @throws Failure `usage` for one of another version, or that is damaged */
export async function ownerOf(folder: string): Promise<ArchiveOwner | undefined> {
  const path = join(folder, accountFiles.about);
  const text = await readText(path).catch(absent);
  if (text === undefined) return undefined;
  try {
    const {server, account} = shape.parse(JSON.parse(text));
    return {server, account};
  } catch {
    throw new Failure('usage', `${path} is not that of an archive which this pixelctl can read: nothing was sent`, {
      hint: 'choose another folder with --to, or upgrade pixelctl',
    });
  }
}

const described = ({server, account}: ArchiveOwner): string => `@${account.acct} on ${new URL(server).host}`;

/** What other programs leave in a folder that people call empty. */
const ignored = new Set(['.DS_Store', 'desktop.ini', 'lost+found', accountFiles.lock, `${accountFiles.lock}.takeover`]);

/** @throws Failure `usage` for the archive of another account, and for a folder with other files in it */
async function refuseOthers(folder: string, owner: ArchiveOwner): Promise<boolean> {
  const found = await ownerOf(folder);
  if (found === undefined) {
    const present = await readdir(folder).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw localFailure(`Cannot use the folder ${folder}`, error);
    });
    const names = present.filter((name) => !ignored.has(name) && !name.endsWith('.temporary'));
    if (names.length === 0) return false;
    throw new Failure('usage', `${folder} is not empty, and no archive: nothing was sent`, {hint: 'choose a new folder with --to'});
  }
  if (found.server === owner.server && found.account.id === owner.account.id) return true;
  throw new Failure('usage', `${folder} is the archive of ${described(found)}, not of ${described(owner)}: nothing was sent`, {
    hint: 'choose another folder with --to',
  });
}

/** @throws Failure `local` for a folder that cannot be used */
function secure(folder: string): void {
  try {
    secureFolder(folder, {make: true});
  } catch (error) {
    throw localFailure(`Cannot use the folder ${folder}`, error);
  }
}

/**
 * Opens the archive of an account, which is made where there is none. Nobody else can read it, and nobody else writes to it until it is
 * disposed of.
 * @param isNew whether it may be made
 * @throws Failure `usage` for the archive of another account, `local` where it is in use or cannot be written
 */
export async function openArchive(folder: string, owner: ArchiveOwner, {isNew}: {readonly isNew: boolean}): Promise<Disposable> {
  // Before anything is changed, so that a folder of something else stays as it is.
  const isKnown = await refuseOthers(folder, owner);
  if (!isKnown && !isNew) {
    throw new Failure('not_found', `There is no archive in ${folder}: nothing was sent`, {hint: 'make one with `pixelctl dm export`'});
  }
  secure(folder);
  let lock: Disposable;
  try {
    lock = await acquireLock(join(folder, accountFiles.lock), {patience: 0});
  } catch (error) {
    throw error instanceof LockHeld ? lockedFailure(folder, error) : localFailure(`Cannot write to ${folder}`, error);
  }
  try {
    if (!(await refuseOthers(folder, owner))) {
      const {server, account} = owner;
      const about = {archive: version, server, account: {id: account.id, acct: account.acct}};
      await writeWhole(join(folder, accountFiles.about), `${JSON.stringify(about)}\n`);
    }
    return lock;
  } catch (error) {
    lock[Symbol.dispose]();
    throw error instanceof Failure || error instanceof NotPrivate ? error : localFailure(`Cannot write to ${folder}`, error);
  }
}
