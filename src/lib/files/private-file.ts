/** Reads files that only their owner may read, or that only their owner and group may change. */
import {lstatSync, type Stats} from 'node:fs';
import {realpath, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {belongsToAnother, checkUntouched, NotPrivate, secureFolder} from './own-folder.js';
import {openToRead} from './read-file.js';
import {absent} from './system-error.js';

const forOthers = 0o066;

function check(path: string, {uid, mode}: Stats, wanted: '600' | '700'): void {
  const user = process.geteuid?.();
  // Windows has no such permissions: the folders of a user are closed to others by default.
  if (user === undefined) return;
  if (uid !== user) throw belongsToAnother(path);
  if ((mode & forOthers) !== 0) throw new NotPrivate(`Others can read or change ${path}`, ['chmod', wanted, path]);
}

async function readOpened(file: FileHandle, path: string): Promise<string> {
  // Checks the open file: the path may lead to another file by now.
  check(path, await file.stat(), '600');
  return file.readFile('utf8');
}

/**
 * Reads a file that only its owner may read, in one of our own folders, which is closed to others. A link may lead to another
 * folder: only its owner may read that one either, and it is not changed.
 * @returns undefined when there is no such file
 * @throws NotPrivate when others could read or change it; else the system's error
 */
export async function readPrivate(path: string): Promise<string | undefined> {
  if (secureFolder(dirname(path), {make: false}) === undefined) return undefined;
  const target = await realpath(path).catch(absent);
  if (target === undefined) return undefined;
  const folder = dirname(target);
  if (folder !== (await realpath(dirname(path)))) {
    secureFolder(folder, {own: 0, make: false});
    check(folder, lstatSync(folder), '700');
  }
  await using file = await openToRead(target).catch(absent);
  return file && (await readOpened(file, target));
}

/**
 * Reads a file that only its owner, its group or root can write to, in a folder where nobody else can replace it.
 * @returns undefined when there is no such file
 * @throws NotPrivate when others could have written it; else the system's error
 */
export async function readUntouched(path: string): Promise<Uint8Array | undefined> {
  secureFolder(dirname(path), {own: 0, make: false});
  await using file = await openToRead(path).catch(absent);
  if (file === undefined) return undefined;
  checkUntouched(path, await file.stat());
  return await file.readFile();
}
