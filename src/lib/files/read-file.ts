/** Reads files, and never waits for what may not come: a named pipe without a writer is not waited for. */
import {constants} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';
import {setTimeout as sleep} from 'node:timers/promises';

/** Milliseconds that the writer of a named pipe has to open it. */
const writerPatience = 1000;
const pollInterval = 20;

/** Bytes. No text of JavaScript can hold more. */
const largestFile = 512 * 1024 * 1024 - 64;
const chunkSize = 256 * 1024;

/** What a person may name: a regular file, a pipe (`<(command)`) or a device; or a file of the program's own. */
export type ReadableKind = 'file' | 'file or pipe';

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), {code});
}

/**
 * Opens a file to read it. Without waiting, whatever it is.
 * @throws the system's error (`ENOENT`, `EACCES`…); `EISDIR` for a folder, `ENOTFILE` for what is no regular file, if that is wanted
 */
export async function openToRead(path: string, kind: ReadableKind = 'file'): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (found.isDirectory()) throw coded('EISDIR', `${path} is a folder`);
    if (kind === 'file' && !found.isFile()) throw coded('ENOTFILE', `${path} is not a regular file`);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** One read; undefined while a pipe is empty. */
async function readSome(file: FileHandle, chunk: Buffer): Promise<number | undefined> {
  try {
    return (await file.read(chunk, 0, chunk.length, null)).bytesRead;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

async function contentOf(file: FileHandle): Promise<Buffer> {
  const deadline = performance.now() + ((await file.stat()).isFIFO() ? writerPatience : 0);
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkSize);
    const count = await readSome(file, chunk);
    // A pipe that nothing writes to yet ends at once.
    const isOver = count === 0 && (size > 0 || performance.now() >= deadline);
    if (isOver) return Buffer.concat(chunks, size);
    if (count === 0 || count === undefined) {
      await sleep(pollInterval);
      continue;
    }
    size += count;
    if (size > largestFile) throw coded('EFBIG', 'the file is too large');
    chunks.push(chunk.subarray(0, count));
  }
}

/** @throws as {@link openToRead}, and `EFBIG` for more than 512 MiB */
export async function readBytes(path: string, kind: ReadableKind = 'file'): Promise<Buffer> {
  const file = await openToRead(path, kind);
  try {
    return await contentOf(file);
  } finally {
    await file.close();
  }
}

/** A file as text. @throws as {@link readBytes} */
export async function readText(path: string, kind: ReadableKind = 'file'): Promise<string> {
  return (await readBytes(path, kind)).toString('utf8');
}
