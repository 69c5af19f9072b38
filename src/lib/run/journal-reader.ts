/** Reads a journal back, however long it is: kept in memory is only what became of each target, and where that is written. */
import type {FileHandle} from 'node:fs/promises';
import {Failure} from '../client/failure.js';
import {differences, headerStart, parseLine, type JournalIdentity, type JournalLine} from './journal-line.js';

/** `untold`: nothing was sent, as far as the journal tells; `unknown`: an intent without an outcome, or one that is not known. */
export type PastState = 'done' | 'failed' | 'unknown' | 'untold';

export interface Place {
  /** Bytes. */
  readonly offset: number;
  readonly length: number;
}

interface Past {
  readonly state: PastState;
  /** Where the outcome is written. */
  readonly place: Place | undefined;
}

interface Line extends Place {
  readonly text: string;
  /** False for the last line when the file ends in the middle of it. */
  readonly isWhole: boolean;
}

const chunkSize = 256 * 1024;

/** Bytes; longer ones are never written. */
const longestLine = 16 * 1024 * 1024;
const lineFeed = 0x0a;
const untold: Past = {state: 'untold', place: undefined};

async function* linesOf(file: FileHandle): AsyncGenerator<Line> {
  let rest = Buffer.alloc(0);
  let offset = 0;
  const chunk = Buffer.alloc(chunkSize);
  for (;;) {
    const {bytesRead} = await file.read(chunk, 0, chunkSize, offset + rest.length);
    if (bytesRead === 0) break;
    const known = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = known.indexOf(lineFeed); end !== -1; end = known.indexOf(lineFeed, start)) {
      yield {text: known.toString('utf8', start, end), offset: offset + start, length: end - start, isWhole: true};
      start = end + 1;
    }
    rest = known.subarray(start);
    offset += start;
    if (rest.length > longestLine) break;
  }
  if (rest.length > 0) yield {text: rest.toString('utf8'), offset, length: rest.length, isWhole: rest.length > longestLine};
}

function stateAfter(line: JournalLine): PastState {
  if (!('outcome' in line)) return 'unknown';
  return line.outcome === 'unsent' ? 'untold' : line.outcome;
}

/** What a journal tells of the targets, by their number. */
export class PastRun {
  readonly #past = new Map<number, Past>();
  /** Whether its last line was cut off, by a crash or a full disk. */
  readonly isTorn: boolean;
  /** Bytes up to the end of the last whole line; 0: there is not even a header. */
  readonly length: number;

  private constructor(past: Map<number, Past>, length: number, isTorn: boolean) {
    this.#past = past;
    this.length = length;
    this.isTorn = isTorn;
  }

  of(index: number): Past {
    return this.#past.get(index) ?? untold;
  }

  /**
   * @param name of the file, for messages
   * @throws Failure `usage` when it is no journal or one of something else, `local` when it is damaged
   */
  static async read(file: FileHandle, name: string, identity: JournalIdentity): Promise<PastRun> {
    const past = new Map<number, Past>();
    let length = 0;
    let isTorn = false;
    let number = 0;
    for await (const {text, offset, length: bytes, isWhole} of linesOf(file)) {
      number += 1;
      if (number === 1) checkHeader(text, isWhole, name, identity);
      if (!isWhole) {
        isTorn = true;
        break;
      }
      length = offset + bytes + 1;
      if (number === 1) continue;
      const line = parseLine(text);
      if (line === undefined || line.n >= identity.targets) {
        throw new Failure('local', `Line ${number} of the journal ${name} is damaged: nothing was sent`, {
          hint: 'move it away to begin anew, after looking at what it says was sent',
        });
      }
      const state = stateAfter(line);
      past.set(line.n, {state, place: state === 'untold' || !('outcome' in line) ? undefined : {offset, length: bytes}});
    }
    return new PastRun(past, length, isTorn);
  }
}

function checkHeader(text: string, isWhole: boolean, name: string, identity: JournalIdentity): void {
  const isCut = !isWhole && (headerStart.startsWith(text) || text.startsWith(headerStart));
  if (isCut) return;
  const found = text.startsWith(headerStart) && isWhole ? differences(text, identity) : undefined;
  if (found === undefined) {
    throw new Failure('usage', `${name} is no journal of this version of pixelctl: nothing was sent`, {hint: 'give another file'});
  }
  if (found.length === 0) return;
  throw new Failure('usage', `The journal ${name} is of another run: ${found.join('; ')}: nothing was sent`, {
    hint: 'give the command that it was begun with, or another file',
  });
}
