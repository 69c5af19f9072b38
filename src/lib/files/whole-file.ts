/** Files that are written whole or not at all, even when the power fails or the process is killed. */
import {open, readdir, realpath, rename, rm, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {makeFolder, syncFolder} from './folder.js';
import {absent} from './system-error.js';

/** Milliseconds after which a temporary file is taken to be abandoned: writing one takes an instant. */
const abandonedAfter = 60_000;

const prefixOf = (path: string): string => `.${basename(path)}.`;
const ending = '.temporary';

export interface Writing {
  /** Permissions, whatever the umask. */
  readonly mode: number;
  /** Whether the text must be on disk before this returns. */
  readonly durable: boolean;
}

/** A file that is removed when it is disposed of, unless it was renamed. */
interface TemporaryFile extends AsyncDisposable {
  readonly path: string;
}

/** A text, or its pieces in order: a large one need not be in memory as a whole. */
export type Text = Iterable<string> | string;

/** Writes a text to a temporary file beside a path. Leaves nothing behind when that fails. */
export async function writeTemporary(path: string, text: Text, {mode, durable}: Writing): Promise<TemporaryFile> {
  // Nobody has to be kept from guessing the name: a file that exists is not written to.
  const temporary = join(dirname(path), `${prefixOf(path)}${process.pid}-${Math.random().toString(36).slice(2)}${ending}`);
  const remove = () => rm(temporary, {force: true}).catch(() => {});
  try {
    await using file = await open(temporary, 'wx', 0o600);
    await file.chmod(mode);
    await file.writeFile(text);
    if (durable) await file.sync();
  } catch (error) {
    await remove();
    throw error;
  }
  return {path: temporary, [Symbol.asyncDispose]: remove};
}

/** Removes temporary files that killed processes left beside a path. Never fails: a leftover does no harm. */
export async function sweepTemporary(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(prefixOf(path)) || !name.endsWith(ending)) continue;
    const file = join(folder, name);
    const age = await stat(file).then(
      ({mtimeMs}) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > abandonedAfter) await rm(file, {force: true}).catch(() => {});
  }
}

/**
 * Replaces a file in one step: readers see either the old text or the new one. Follows a link, and creates a missing folder for
 * the owner alone.
 * @param mode permissions, whatever the umask
 * @throws the system's error (`ENOSPC`, `EROFS`, `EACCES`…); the file is then unchanged
 */
export async function writeWhole(path: string, text: Text, {mode = 0o600}: {mode?: number} = {}): Promise<void> {
  const target = (await realpath(path).catch(absent)) ?? path;
  const folder = dirname(target);
  await makeFolder(folder);
  await using temporary = await writeTemporary(target, text, {mode, durable: true});
  await rename(temporary.path, target);
  await syncFolder(folder);
  await sweepTemporary(target);
}
