/** Files that are written whole or not at all, also when the power goes or the process is killed. */
import {realpath, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import {makeFolder, syncFolder} from './folder.js';
import {absent} from './system-error.js';
import {sweepTemporary, writeTemporary} from './temporary-file.js';

/**
 * Writes a file in one step: readers see what was there or what is there now. A link is followed; a missing folder is
 * made for the owner alone.
 * @param mode permissions, whatever the umask
 * @throws the system's error (`ENOSPC`, `EROFS`, `EACCES`…); then the file is as it was
 */
export async function writeWhole(path: string, text: string, {mode = 0o600}: {mode?: number} = {}): Promise<void> {
  const target = (await realpath(path).catch(absent)) ?? path;
  const folder = dirname(target);
  await makeFolder(folder);
  const temporary = await writeTemporary(target, text, {mode, durable: true});
  try {
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, {force: true});
    throw error;
  }
  await syncFolder(folder);
  await sweepTemporary(target);
}
