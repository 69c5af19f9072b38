/** Opens files for writing, as nothing else does, and writes them whole or not at all, even when the power fails or the process is killed. */
import {createHash, randomBytes} from 'node:crypto';
import {constants} from 'node:fs';
import {lstat, open, readdir, readlink, realpath, rename, rm, stat, unlink, type FileHandle} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {checkLevels, oddKind} from './closed-tree.js';
import {makeFolder, syncFolder} from './folder.js';
import {checkOwner} from './own-folder.js';
import {readText} from './read-file.js';
import {absent, codedError, NotPlain, systemCode} from './system-error.js';

const {O_APPEND, O_CREAT, O_EXCL, O_RDWR} = constants;

/** Windows has neither flag: only administrators make links there, and its pipes are no files. */
const plainly = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const forOwner = 0o600;

/**
 * `new`: the file must not exist yet. `replace`: a file that exists is removed first. `append`: everything is written to the end of a file
 * that exists, which can be read, too.
 */
export type WayToWrite = 'append' | 'new' | 'replace';

/** @throws NotPlain for anything but a file or a folder */
async function plainAt(path: string) {
  const found = await lstat(path).catch(absent);
  const kind = found && oddKind(found);
  if (kind !== undefined) throw new NotPlain(path, kind);
  return found;
}

async function openNew(path: string, mode: number, flags = 0): Promise<FileHandle> {
  const file = await open(path, O_RDWR | O_CREAT | O_EXCL | flags | plainly, forOwner);
  try {
    await file.chmod(mode);
    return file;
  } catch (error) {
    await file.close();
    await unlink(path);
    throw error;
  }
}

async function openKnown(path: string, mode: number): Promise<FileHandle> {
  const file = await open(path, O_RDWR | O_APPEND | plainly);
  let content: Buffer;
  try {
    const found = await file.stat();
    const kind = oddKind(found);
    if (kind !== undefined) throw new NotPlain(path, kind);
    checkOwner(path, found.uid);
    if (found.nlink < 2) return file;
    content = await file.readFile();
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  // Only this name gets the new text: the file may have others, as in copies of a folder that were made with hard links.
  await using copy = await writeTemporary(path, content, {mode, durable: true});
  await rename(copy.path, path);
  return await openKnown(path, mode);
}

/**
 * Opens a file for writing. Nothing else in the program may: this follows no link at the path, nor above it
 * in folders that are closed to links, and waits for no pipe.
 * @param mode permissions of a file that is made, whatever the umask
 * @throws NotPlain for a link, a pipe, a socket or a device; NotPrivate for the file of another user, where it is not replaced; else the system's error
 */
export async function openToWrite(path: string, way: WayToWrite, mode = forOwner): Promise<FileHandle> {
  await checkLevels(path);
  if (way === 'new') return openNew(path, mode);
  const found = await plainAt(path);
  if (found?.isDirectory() === true) throw codedError('EISDIR', `${path} is a folder`);
  if (found !== undefined && way === 'append') return openKnown(path, mode);
  if (found !== undefined) await unlink(path);
  if (way !== 'append') return openNew(path, mode);
  return openNew(path, mode, O_APPEND).catch((error: unknown) => {
    // Another process has made the file meanwhile.
    if (systemCode(error) === 'EEXIST') return openKnown(path, mode);
    throw error;
  });
}

/** A temporary file may be abandoned after this time, in milliseconds. */
const abandonedAfter = 3_600_000;

/** Temporary files are named after the file that they become, and the process that writes them. */
const temporaryName = /^\.pixelctl-(?<of>.+)-(?<writer>\d+)-[a-z\d]+\.temporary$/;

/** The most bytes that the name of the file may take: names of files have at most 255. */
const maxNamed = 180;

/** The name of a file, as the names of its temporary files have it. */
const shortName = (name: string): string => (Buffer.byteLength(name) > maxNamed ? createHash('sha256').update(name).digest('hex') : name);

interface Writing {
  /** Permissions, whatever the umask. */
  readonly mode: number;
  /** Whether the text must be on disk before this returns. */
  readonly durable: boolean;
}

/** The file is removed when this is disposed of, unless it was renamed. */
interface TemporaryFile extends AsyncDisposable {
  readonly path: string;
}

/** A text, or its pieces in order: a large one need not be in memory as a whole. */
export type Text = Iterable<string> | string;

type Content = Buffer | Text;

/** Pieces are joined until they have this many characters, and written together. */
const chunkSize = 64 * 1024;

function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk: string[] = [];
  let size = 0;
  for (const piece of pieces) {
    chunk.push(piece);
    size += piece.length;
    if (size < chunkSize) continue;
    yield chunk.join('');
    chunk = [];
    size = 0;
  }
  yield chunk.join('');
}

/** Makes an error about a temporary file one about the file that it becomes: nobody knows the name of the temporary one. */
function naming(error: unknown, temporary: string, path: string): unknown {
  if (!(error instanceof Error) || !('path' in error) || error.path !== temporary) return error;
  return Object.assign(error, {path, message: error.message.replaceAll(temporary, path)});
}

/** Writes a text to a temporary file beside a path. Leaves nothing behind when that fails. @throws the system's error, which names the path */
export async function writeTemporary(path: string, text: Content, {mode, durable}: Writing): Promise<TemporaryFile> {
  const temporary = join(
    dirname(path),
    `.pixelctl-${shortName(basename(path))}-${process.pid}-${randomBytes(8).toString('hex')}.temporary`,
  );
  const remove = () => rm(temporary, {force: true}).catch(() => {});
  const opened = await openToWrite(temporary, 'new', mode).catch((error: unknown) => {
    throw naming(error, temporary, path);
  });
  try {
    await using file = opened;
    await file.writeFile(typeof text === 'string' || Buffer.isBuffer(text) ? text : inChunks(text));
    if (durable) await file.sync();
  } catch (error) {
    await remove();
    throw naming(error, temporary, path);
  }
  return {path: temporary, [Symbol.asyncDispose]: remove};
}

export function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // Another user's process cannot be signalled.
    return systemCode(error) === 'EPERM';
  }
}

interface Leftover {
  readonly path: string;
  readonly writer: number;
  /** The name of the file that it would have become. */
  readonly of: string;
  readonly isOf: (name: string) => boolean;
}

/**
 * Removes temporary files in a folder. Never fails: a leftover does no harm.
 * @param isLeft whether nobody needs a file any more
 */
export async function removeLeftovers(folder: string, isLeft: (one: Leftover) => Promise<boolean>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const {of, writer} = temporaryName.exec(name)?.groups ?? {};
    if (of === undefined) continue;
    const path = join(folder, name);
    const left = await isLeft({path, writer: Number(writer), of, isOf: (file) => shortName(file) === of}).catch(() => false);
    if (left) await rm(path, {force: true}).catch(() => {});
  }
}

/**
 * Removes temporary files in a folder whose processes have ended.
 * @param own names of files that only this process writes, because it has their lock: temporary files of these are removed at once
 */
export async function sweepTemporary(folder: string, own: readonly string[] = []): Promise<void> {
  await removeLeftovers(
    folder,
    async ({path, writer, isOf}) => own.some(isOf) || (!isRunning(writer) && (await ageOf(path)) > abandonedAfter),
  );
}

/** How many milliseconds ago a file was written; 0 for a file that is gone by now. */
async function ageOf(file: string): Promise<number> {
  return stat(file).then(
    ({mtimeMs}) => Date.now() - mtimeMs,
    () => 0,
  );
}

/** Where a path leads, also if no file is there yet. @throws `ELOOP` for links that lead back to themselves */
export async function followLinks(path: string): Promise<string> {
  const real = await realpath(path).catch(absent);
  if (real !== undefined) return real;
  const link = await readlink(path).catch((error: unknown) => (systemCode(error) === 'EINVAL' ? undefined : absent(error)));
  if (link === undefined) return path;
  // What `..` in a link means depends on where its folder really is.
  return followLinks(resolve(await realpath(dirname(path)), link));
}

interface WholeWriting {
  /** Permissions, whatever the umask. */
  readonly mode?: number;
  /** Whether to write where a link leads, as people link their settings; else a link is replaced. True by default. */
  readonly followsLinks?: boolean;
  /** Whether the file must be on disk before this returns. Files that can be made again do not need that. True by default. */
  readonly durable?: boolean;
}

/**
 * Replaces a file in one step: readers see either the old text or the new one. Creates a missing folder for the owner alone.
 * @throws the system's error (`ENOSPC`, `EROFS`, `EACCES`…), `ENOTFILE` for a pipe or a device, which would be replaced by a file; the
 * file is then unchanged
 */
export async function writeWhole(
  path: string,
  text: Content,
  {mode = forOwner, followsLinks = true, durable = true}: WholeWriting = {},
): Promise<void> {
  await checkLevels(path);
  const target = followsLinks ? await followLinks(path) : path;
  const found = await lstat(target).catch(absent);
  if (found !== undefined && !found.isFile() && !found.isDirectory() && !found.isSymbolicLink())
    throw codedError('ENOTFILE', `${target} is not a regular file`);
  const folder = dirname(target);
  await makeFolder(folder);
  await using temporary = await writeTemporary(target, text, {mode, durable});
  await rename(temporary.path, target).catch((error: unknown) => {
    throw naming(error, temporary.path, target);
  });
  if (durable) await syncFolder(folder);
  await sweepTemporary(folder);
}

/** Replaces a file if its text differs, so that a run with nothing new writes nothing. @throws as {@link writeWhole} */
export async function writeChanged(path: string, text: string): Promise<void> {
  if ((await readText(path).catch(() => undefined)) !== text) await writeWhole(path, text, {durable: false});
}
