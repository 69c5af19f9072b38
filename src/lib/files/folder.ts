import {chmod, mkdir, open} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {codeOf} from './system-error.js';

const forOwner = 0o700;

/** Makes a folder, and those above it, for the owner alone whatever the umask. What exists stays as it is. */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  let place = resolve(folder);
  while ((await made(place)) === 'nowhere' && dirname(place) !== place) {
    missing.push(place);
    place = dirname(place);
  }
  // Each is tried once more and no oftener: below a link to nothing, and in places such as /proc, no folder can be made.
  for (const each of missing.toReversed()) if ((await made(each)) === 'nowhere') await mkdir(each, forOwner);
}

/** Makes one folder. `nowhere`: the one that it would be in does not exist. */
async function made(folder: string): Promise<'nowhere' | 'there'> {
  try {
    await mkdir(folder, forOwner);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'nowhere';
    if (codeOf(error) === 'EEXIST') return 'there';
    throw error;
  }
  await chmod(folder, forOwner);
  return 'there';
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
