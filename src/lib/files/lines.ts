/** Reads the lines of a file that grows by whole lines, but may end in the middle of one. */
import {isUtf8} from 'node:buffer';
import type {FileHandle} from 'node:fs/promises';

/** Where a line is in a file, without its newline. */
export interface Span {
  /** Bytes. */
  readonly offset: number;
  readonly length: number;
}

export interface Line extends Span {
  readonly text: string;
  /** False where other bytes were read as replacement characters, which may be in a text themselves. */
  readonly isUtf8: boolean;
  /** False when the file ends in the middle of the line. */
  readonly isWhole: boolean;
}

const chunkSize = 256 * 1024;

/** In bytes. Most files have no longer lines. */
const maxLineLength = 16 * 1024 * 1024;
const lineFeed = 0x0a;

/** @param longest how many bytes a line may have; reading stops at a longer one */
export async function* linesOf(file: FileHandle, longest = maxLineLength): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0);
  let offset = 0;
  let chunk = Buffer.alloc(Math.min((await file.stat()).size + 1, chunkSize));
  for (;;) {
    // The chunk grows with a long line, which would otherwise be copied once for every small chunk.
    if (rest.length > chunk.length) chunk = Buffer.alloc(rest.length);
    const {bytesRead} = await file.read(chunk, 0, chunk.length, offset + rest.length);
    if (bytesRead === 0) break;
    const known = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = known.indexOf(lineFeed); end !== -1; end = known.indexOf(lineFeed, start)) {
      yield lineOf(known.subarray(start, end), offset + start, true);
      start = end + 1;
    }
    rest = known.subarray(start);
    offset += start;
    if (rest.length > longest) break;
  }
  if (rest.length > 0) yield lineOf(rest, offset, rest.length > longest);
}

const lineOf = (bytes: Buffer, offset: number, isWhole: boolean): Line => ({
  text: bytes.toString('utf8'),
  isUtf8: isUtf8(bytes),
  offset,
  length: bytes.length,
  isWhole,
});
