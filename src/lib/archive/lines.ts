/** Files of lines, read and written piece by piece, so that memory does not grow with them. */
import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import {localFailure} from '../client/failure.js';
import {keepMemoryFlat} from '../files/memory.js';
import {openToRead} from '../files/read-file.js';
import {absent} from '../files/system-error.js';
import {openToWrite} from '../files/whole-file.js';

const chunkSize = 64 * 1024;
const newline = 0x0a;

/** A line, and where it is in its file. */
interface PlacedLine {
  readonly text: string;
  /** In bytes. */
  readonly start: number;
  readonly length: number;
}

/** The last line has no end, though the file is only ever written whole. */
export class CutLine extends Error {
  constructor(
    /** The number of the line. */
    readonly line: number,
  ) {
    super(`line ${line} has no end`);
  }
}

interface LinesOptions {
  /** Whether the file is only ever written whole. Otherwise what a kill left without its end is left out. */
  readonly isWhole?: boolean;
}

/**
 * Lines with their ends. A file that is not there has none.
 * @throws Failure `local` for one that cannot be read; CutLine for a whole file whose last line has no end
 */
export async function* placedLinesOf(path: string, {isWhole = false}: LinesOptions = {}): AsyncGenerator<PlacedLine, void, undefined> {
  const fail = (error: unknown): never => {
    throw localFailure(`Cannot read ${path}`, error);
  };
  await using file = await openToRead(path).catch(absent).catch(fail);
  if (file === undefined) return;
  let start = 0;
  let count = 0;
  let parts: Buffer[] = [];
  for (;;) {
    // A chunk of its own: parts of lines are kept while the next one is read.
    const chunk = Buffer.allocUnsafe(chunkSize);
    const {bytesRead} = await file.read(chunk, 0, chunkSize, null).catch(fail);
    if (bytesRead === 0 && isWhole && parts.length > 0) throw new CutLine(count + 1);
    if (bytesRead === 0) return;
    keepMemoryFlat(bytesRead);
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1 && end < bytesRead; end = chunk.indexOf(newline, from)) {
      parts.push(chunk.subarray(from, end));
      const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
      yield {text: bytes.toString('utf8'), start, length: bytes.length};
      start += bytes.length + 1;
      count += 1;
      parts = [];
      from = end + 1;
    }
    if (from < bytesRead) parts.push(chunk.subarray(from, bytesRead));
  }
}

export async function* linesOfFile(path: string, options: LinesOptions = {}): AsyncGenerator<string, void, undefined> {
  for await (const {text} of placedLinesOf(path, options)) yield text;
}

/** Writes at the place that the file has reached. @throws the system's error */
export async function writeAll(file: FileHandle, content: Buffer | string): Promise<void> {
  let rest = typeof content === 'string' ? Buffer.from(content) : content;
  while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten);
}

/** Writes a new file of lines, for its owner alone. */
export class LineWriter implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #hash = createHash('sha256');
  #pending: string[] = [];
  #size = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<LineWriter> {
    return new LineWriter(await openToWrite(path, 'replace'));
  }

  /** @param text with its line breaks */
  async write(text: string): Promise<void> {
    this.#pending.push(text);
    this.#size += text.length;
    if (this.#size >= chunkSize) await this.#flush();
  }

  /**
   * @param durable whether everything is on disk afterwards: not needed for what is made of other files
   * @returns the sha256 of the file
   */
  async end({durable = true}: {readonly durable?: boolean} = {}): Promise<string> {
    await this.#flush();
    if (durable) await this.#file.sync();
    return this.#hash.digest('hex');
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#pending.join(''));
    this.#pending = [];
    this.#size = 0;
    this.#hash.update(bytes);
    await writeAll(this.#file, bytes);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}
