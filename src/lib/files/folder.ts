import {chmod, mkdir, open} from 'node:fs/promises';
import {dirname} from 'node:path';
import {codeOf} from './system-error.js';

const forOwner = 0o700;

/** Makes a folder, and those above it, for the owner alone whatever the umask. What exists stays as it is. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, forOwner);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    return makeFolder(folder);
  }
  await chmod(folder, forOwner);
}

/** Makes names that were given or taken in a folder outlive a power cut, where folders can be flushed at all. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const opened = await open(folder, 'r');
  try {
    await opened.sync();
  } catch (error) {
    if (codeOf(error) !== 'EINVAL' && codeOf(error) !== 'ENOTSUP') throw error;
  } finally {
    await opened.close();
  }
}
