import {chmod, mkdir, open} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import {checkLevels} from './closed-tree.js';
import {systemCode} from './system-error.js';

const forOwner = 0o700;

/** Creates a folder and its missing parents for the owner alone, whatever the umask. Existing folders are left unchanged. */
export async function makeFolder(folder: string): Promise<void> {
  await checkLevels(folder);
  const missing: string[] = [];
  let current = resolve(folder);
  while ((await makeOneFolder(current)) === 'nowhere' && dirname(current) !== current) {
    missing.push(current);
    current = dirname(current);
  }
  // Each is tried only once more: below a dangling link, and in /proc, no folder can be created.
  for (const each of missing.toReversed()) if ((await makeOneFolder(each)) === 'nowhere') await mkdir(each, forOwner);
}

/** Creates one folder. `nowhere`: its parent does not exist. */
async function makeOneFolder(folder: string): Promise<'nowhere' | 'there'> {
  try {
    await mkdir(folder, forOwner);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'nowhere';
    if (systemCode(error) === 'EEXIST') return 'there';
    throw error;
  }
  await chmod(folder, forOwner);
  return 'there';
}

/** Flushes a folder, so that files created, renamed or removed in it survive a power failure. Does nothing where folders cannot be flushed. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using opened = await open(folder, 'r');
  await opened.sync().catch((error: unknown) => {
    if (systemCode(error) !== 'EINVAL' && systemCode(error) !== 'ENOTSUP') throw error;
  });
}
