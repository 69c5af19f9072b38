/** Reads files without waiting for ever: it gives up on a named pipe without a writer. */
import {closeSync, constants, fstatSync, openSync, readFileSync} from 'node:fs';
import {open, realpath, type FileHandle} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {checkLevels} from './closed-tree.js';
import {codedError, systemCode} from './system-error.js';

/** How long to wait for a writer of a named pipe, in milliseconds. */
const writerPatience = 1000;
const pollInterval = 20;

/** The most bytes that fit into a JavaScript string. */
const maxFileSize = 512 * 1024 * 1024 - 64;
const chunkSize = 256 * 1024;

/** `file or pipe` also accepts pipes (`<(command)`) and devices. */
export type ReadableKind = 'file' | 'file or pipe';

/**
 * Opens a file for reading, without blocking whatever kind of file it is.
 * @throws the system's error (`ENOENT`, `EACCES`…); `EISDIR` for a folder, `ENOTFILE` for another file that is not regular where `kind` is `file`, and for one
 * behind a link in a folder that is closed to links
 */
export async function openToRead(path: string, kind: ReadableKind = 'file'): Promise<FileHandle> {
  await checkLevels(path);
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error: unknown) => {
    // The path is a socket, or a device that is not there.
    throw systemCode(error) === 'ENXIO' ? codedError('ENOTFILE', `${path} is not a regular file`) : error;
  });
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw codedError('EISDIR', `${path} is a folder`);
    if (kind === 'file' && !found.isFile()) throw codedError('ENOTFILE', `${path} is not a regular file`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @returns how many bytes were read; undefined while a pipe is empty */
async function readSome(file: FileHandle, chunk: Buffer): Promise<number | undefined> {
  try {
    return (await file.read(chunk, 0, chunk.length, null)).bytesRead;
  } catch (error) {
    if (systemCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}

async function contentOf(file: FileHandle): Promise<Buffer> {
  const found = await file.stat();
  const deadline = performance.now() + (found.isFIFO() ? writerPatience : 0);
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    // A pipe does not say how much comes.
    const chunk = Buffer.allocUnsafe(Math.min(found.size || chunkSize, chunkSize));
    const count = await readSome(file, chunk);
    // A pipe without a writer reports its end at once.
    const isOver = count === 0 && (size > 0 || performance.now() >= deadline);
    if (isOver) return Buffer.concat(chunks, size);
    if (count === 0 || count === undefined) {
      await sleep(pollInterval);
      continue;
    }
    size += count;
    if (Math.max(size, found.size) > maxFileSize) throw codedError('EFBIG', 'the file is too large');
    chunks.push(chunk.subarray(0, count));
  }
}

/** @throws as {@link openToRead}, and `EFBIG` for more than 512 MiB */
export async function readBytes(path: string, kind: ReadableKind = 'file'): Promise<Buffer> {
  await using file = await openToRead(path, kind);
  return await contentOf(file);
}

/** @throws as {@link readBytes} */
export async function readText(path: string, kind: ReadableKind = 'file'): Promise<string> {
  return (await readBytes(path, kind)).toString('utf8');
}

/**
 * A small file as text, at once: for files that are read at each press of a key, or while the process ends.
 * @throws the system's error, and `ENOTFILE` for anything but a regular file
 */
export function readTextNow(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!fstatSync(file).isFile()) throw codedError('ENOTFILE', `${path} is not a regular file`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** The path of a file after following links, whether or not it exists. */
export async function realPathOf(file: string): Promise<string> {
  const path = resolve(file);
  return realpath(path).catch(async () => join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)));
}
