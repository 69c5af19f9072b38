/** Files that nobody but their owner may read or change. */
import type {Stats} from 'node:fs';
import {open, realpath, stat, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {shellWord} from './shell-word.js';
import {absent} from './system-error.js';

const forOthers = 0o066;

/** A file or folder that is open to others. */
export class NotPrivate extends Error {
  override readonly name = 'NotPrivate';
  readonly code = 'ENOTPRIVATE';
  /** The shell command that mends it. */
  readonly command: string;

  constructor(message: string, command: string) {
    super(message);
    this.command = command;
  }
}

function check(path: string, {uid, mode}: Stats, wanted: '600' | '700'): void {
  const user = process.geteuid?.();
  // On Windows there are no such permissions: folders of a user are closed to others from the start.
  if (user === undefined) return;
  if (uid !== user) throw new NotPrivate(`${path} belongs to another user`, `sudo chown ${user} ${shellWord(path)}`);
  if ((mode & forOthers) !== 0) {
    throw new NotPrivate(`Others can read or change ${path}`, `chmod ${wanted} ${shellWord(path)}`);
  }
}

/** @throws NotPrivate when others can look into a folder or change it; a folder that does not exist is nobody's */
export async function checkPrivateFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(absent);
  if (found !== undefined) check(folder, found, '700');
}

async function readOpened(file: FileHandle, path: string): Promise<string> {
  // Asked of the open file: between looking at a path and opening it there can be another file.
  check(path, await file.stat(), '600');
  return file.readFile('utf8');
}

/**
 * Reads a file that is its owner's alone, as is the folder that it lies in; links are followed first.
 * @returns undefined when there is no such file
 * @throws NotPrivate when others could read or change it; else the system's error
 */
export async function readPrivate(path: string): Promise<string | undefined> {
  const target = await realpath(path).catch(absent);
  if (target === undefined) return undefined;
  await checkPrivateFolder(dirname(target));
  const file = await open(target, 'r').catch(absent);
  try {
    return file && (await readOpened(file, target));
  } finally {
    await file?.close();
  }
}
