/** A folder for parsers that read files, in memory where that is possible. */
import {accessSync, constants, mkdirSync, mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {workerData} from 'node:worker_threads';

const memory = '/dev/shm';

function parent() {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    return memory;
  } catch {
    return tmpdir();
  }
}

/** A new one, for the thread that is started with it. */
export const makeFolder = () => mkdtempSync(join(parent(), 'pixelctl-fuzz-'));

/** That of this thread. Whoever started it removes the folder: the thread may be ended at any time. */
export const ownFolder = () => workerData.folder;

/** Writes a file that only its owner can read. @returns its path */
export function written(name, content) {
  const path = join(ownFolder(), name);
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  writeFileSync(path, content, {mode: 0o600});
  return path;
}
