/** Standard input, read once; standard output and standard error, to which all text goes through here. */
import {Failure, localFailure} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';
import {readTextFile, textFrom} from '../client/text-input.js';
import {inertData, inertPainted} from '../print/inert.js';
import type {Nature} from '../print/print.js';

let taken = false;

/**
 * All of standard input as text.
 * @throws Failure `usage` when something else of the same command reads it already, and for what is no text
 */
export async function readStandardInput(): Promise<string> {
  if (taken) throw new Failure('usage', 'Only one thing can be read from standard input');
  taken = true;
  if (process.stdin.isTTY) tell('Reading from the terminal; end with Ctrl-D.\n');
  return textFrom(process.stdin, 'standard input');
}

/**
 * The text of a file, or of standard input where the file is `-`.
 * @param what the file in words, for messages
 * @throws Failure as {@link readStandardInput} and {@link readTextFile} do
 */
export function readInput(file: string, what: string): Promise<string> {
  return file === '-' ? readStandardInput() : readTextFile(file, what);
}

/**
 * All of standard input as one text; the line end that every file has is not part of it.
 * @throws Failure `usage` when there is nothing in it
 */
export async function pipedText(): Promise<string> {
  const text = (await readStandardInput()).replace(/\r?\n$/, '');
  if (text === '') throw new Failure('usage', 'Standard input is empty: nothing was sent');
  return text;
}

/** Whether the reader of standard output has gone away: nothing more needs to be fetched or printed. */
let readerIsGone = false;

export function isReaderGone(): boolean {
  return readerIsGone;
}

/** Data is exact in a pipe and in a file. Nothing that a server says steers a terminal, whatever a format forgot. */
function inertFor(stream: NodeJS.WriteStream, text: string, nature: Nature): string {
  if (nature === 'painted') return inertPainted(text);
  return stream.isTTY ? inertData(text) : text;
}

/** Writes lines for people to standard error, or an error for scripts. The texts of servers in them are inert already. */
export function tell(lines: string): void {
  process.stderr.write(inertFor(process.stderr, lines, 'painted'));
}

/**
 * Writes to standard output and waits until it is taken.
 * @throws Failure `local` when it cannot be written; a reader that went away is no failure
 */
export async function writeOut(text: string, nature: Nature): Promise<void> {
  if (text === '' || readerIsGone) return;
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(inertFor(process.stdout, text, nature), (error) => {
      if (!error) return resolve();
      if (systemCode(error) !== 'EPIPE') return reject(localFailure('Cannot write to standard output', error));
      readerIsGone = true;
      resolve();
    });
  });
}
