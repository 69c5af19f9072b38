/** A folder of this thread for parsers that read files, in memory where that is possible. */
import {accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

const memory = '/dev/shm';

function parent() {
  try {
    accessSync(memory, constants.W_OK | constants.X_OK);
    return memory;
  } catch {
    return tmpdir();
  }
}

let made;

export function ownFolder() {
  made ??= mkdtempSync(join(parent(), 'pixelctl-fuzz-'));
  return made;
}

export function removeOwnFolder() {
  if (made !== undefined) rmSync(made, {recursive: true, force: true});
  made = undefined;
}

/** Writes a file that only its owner can read. @returns its path */
export function written(name, content) {
  const path = join(ownFolder(), name);
  mkdirSync(dirname(path), {recursive: true, mode: 0o700});
  writeFileSync(path, content, {mode: 0o600});
  return path;
}
