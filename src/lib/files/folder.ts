import {chmod, mkdir, mkdtemp, open, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {checkLevels} from './closed-tree.js';
import {systemCode} from './system-error.js';

const forOwner = 0o700;

/** Creates a folder and its missing parents for the owner alone, whatever the umask. Existing folders are left unchanged. */
export async function makeFolder(folder: string): Promise<void> {
  await checkLevels(folder);
  const missing: string[] = [];
  let current = resolve(folder);
  while ((await made(current)) === 'nowhere' && dirname(current) !== current) {
    missing.push(current);
    current = dirname(current);
  }
  // Each is tried only once more: below a dangling link, and in /proc, no folder can be created.
  for (const each of missing.toReversed()) if ((await made(each)) === 'nowhere') await mkdir(each, forOwner);
}

/** Creates one folder. `nowhere`: its parent does not exist. */
async function made(folder: string): Promise<'nowhere' | 'there'> {
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

/** Creates a folder for the owner alone, which is removed with what is in it when it is disposed of. */
export async function makeTemporaryFolder(): Promise<AsyncDisposable & {readonly path: string}> {
  const path = await mkdtemp(join(tmpdir(), 'pixelctl-'));
  return {path, [Symbol.asyncDispose]: () => rm(path, {recursive: true, force: true})};
}

/** Flushes a folder, so that files created, renamed or removed in it survive a power failure. Does nothing where folders cannot be flushed. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using opened = await open(folder, 'r');
  await opened.sync().catch((error: unknown) => {
    if (systemCode(error) !== 'EINVAL' && systemCode(error) !== 'ENOTSUP') throw error;
  });
}
