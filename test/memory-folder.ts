/** Temporary folders for tests that write many files. */
import {accessSync, constants, mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Where files are kept in memory on Linux: a disk that has to sync takes most of the time of such tests. */
const memory = '/dev/shm';

function parent(): string {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    return memory;
  } catch {
    return tmpdir();
  }
}

/** A new folder, in memory where that is possible. */
export function memoryFolder(prefix: string): string {
  return mkdtempSync(join(parent(), prefix));
}
