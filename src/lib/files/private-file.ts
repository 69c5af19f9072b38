/** Files that nobody but their owner may read, or at least change. */
import {lstatSync, type Stats} from 'node:fs';
import {realpath, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {belongsToAnother, checkUntouched, NotPrivate, secureFolder} from './own-folder.js';
import {openToRead} from './read-file.js';
import {absent} from './system-error.js';

const forOthers = 0o066;

function check(path: string, {uid, mode}: Stats, wanted: '600' | '700'): void {
  const user = process.geteuid?.();
  // On Windows there are no such permissions: folders of a user are closed to others from the start.
  if (user === undefined) return;
  if (uid !== user) throw belongsToAnother(path);
  if ((mode & forOthers) !== 0) throw new NotPrivate(`Others can read or change ${path}`, ['chmod', wanted, path]);
}

async function readOpened(file: FileHandle, path: string): Promise<string> {
  // Asked of the open file: between looking at a path and opening it there can be another file.
  check(path, await file.stat(), '600');
  return file.readFile('utf8');
}

/**
 * Reads a file that is its owner's alone, in a folder of our own, which is closed to others. A link may lead to another folder:
 * that one has to be its owner's alone, and is not changed.
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
  const file = await openToRead(target).catch(absent);
  try {
    return file && (await readOpened(file, target));
  } finally {
    await file?.close();
  }
}

/**
 * Reads a file that only its owner, its group or root can have written, in a folder where nobody else can replace it.
 * @returns undefined when there is no such file
 * @throws NotPrivate when others could have written it; else the system's error
 */
export async function readUntouched(path: string): Promise<string | undefined> {
  secureFolder(dirname(path), {own: 0, make: false});
  const file = await openToRead(path).catch(absent);
  try {
    if (file === undefined) return undefined;
    checkUntouched(path, await file.stat());
    return await file.readFile('utf8');
  } finally {
    await file?.close();
  }
}
