/** Files that are written whole or not at all, even when the power fails or the process is killed. */
import {open, readdir, readlink, realpath, rename, rm, stat} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {makeFolder, syncFolder} from './folder.js';
import {absent, systemCode} from './system-error.js';

/** Milliseconds after which a temporary file may be abandoned. */
const abandonedAfter = 3_600_000;

/** Named like the process that writes it. */
const prefix = '.pixelctl-';
const temporaryName = /^\.pixelctl-(\d+)-[a-z\d]+\.temporary$/;

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

/** What is written to a file. */
type Content = Buffer | Text;

/** Writes a text to a temporary file beside a path. Leaves nothing behind when that fails. */
export async function writeTemporary(path: string, text: Content, {mode, durable}: Writing): Promise<TemporaryFile> {
  // Nobody has to be kept from guessing the name: a file that exists is not written to.
  const temporary = join(dirname(path), `${prefix}${process.pid}-${Math.random().toString(36).slice(2)}.temporary`);
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

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // Another user's process cannot be signalled.
    return systemCode(error) === 'EPERM';
  }
}

/** Removes the temporary files in a folder that processes left which are gone. Never fails: a leftover does no harm. */
export async function sweepTemporary(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const writer = temporaryName.exec(name)?.[1];
    if (writer === undefined || isRunning(Number(writer))) continue;
    const file = join(folder, name);
    const age = await stat(file).then(
      ({mtimeMs}) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > abandonedAfter) await rm(file, {force: true}).catch(() => {});
  }
}

/** Where a path leads, also by a link to a file that does not exist yet. @throws `ELOOP` for links that lead back to themselves */
async function followed(path: string): Promise<string> {
  const real = await realpath(path).catch(absent);
  if (real !== undefined) return real;
  const link = await readlink(path).catch((error: unknown) => (systemCode(error) === 'EINVAL' ? undefined : absent(error)));
  if (link === undefined) return path;
  // What `..` in a link means depends on where its folder really is.
  return followed(resolve(await realpath(dirname(path)), link));
}

/**
 * Replaces a file in one step: readers see either the old text or the new one. Follows a link, also one to a file that does not exist yet, and creates a missing folder for
 * the owner alone.
 * @param mode permissions, whatever the umask
 * @throws the system's error (`ENOSPC`, `EROFS`, `EACCES`…), `ENOTFILE` for a pipe or a device, which would be replaced by a file; the
 * file is then unchanged
 */
export async function writeWhole(path: string, text: Content, {mode = 0o600}: {mode?: number} = {}): Promise<void> {
  const target = await followed(path);
  const found = await stat(target).catch(absent);
  if (found !== undefined && !found.isFile() && !found.isDirectory())
    throw Object.assign(new Error(`${target} is not a regular file`), {code: 'ENOTFILE'});
  const folder = dirname(target);
  await makeFolder(folder);
  await using temporary = await writeTemporary(target, text, {mode, durable: true});
  await rename(temporary.path, target);
  await syncFolder(folder);
  await sweepTemporary(folder);
}
