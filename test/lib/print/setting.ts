/** Where the tests print to, and what they print as a whole. */
import type {Column} from '../../../src/lib/api/view.js';
import {parseExact} from '../../../src/lib/json/exact.js';
import {
  formatAnswer as formatInPieces,
  piecesOf,
  type AnswerSetting,
  type Ending,
  type ItemWriter,
  type FormattedOutput,
  type Nature,
  type Terminal,
} from '../../../src/lib/print/print.js';

export const now = () => new Date('2026-11-20T12:00:00Z');
export const pipe: Terminal = {isTerminal: false, width: 80, color: false};
export const screen: Terminal = {isTerminal: true, width: 80, color: false};

/** Columns of these fields, with their names as headings. */
export const named = (...names: readonly string[]): Column[] => names.map((name) => ({header: name, path: name}));

/** Items as a server writes them. */
export const values = (...texts: readonly string[]): unknown[] => texts.map((text) => parseExact(text));

/** What is printed, with standard output as a whole. */
type PrintedWhole = Ending & {readonly nature: Nature; readonly stdout: string};

export async function formatAnswer(text: string, setting: AnswerSetting): Promise<PrintedWhole> {
  return whole(await formatInPieces({text, exact: parseExact(text)}, setting));
}

/** The end of what a writer prints, with standard output as a whole. */
export function endOf(writer: ItemWriter): Ending & {readonly stdout: string} {
  const {stdout, ...ending} = writer.end();
  return {...ending, stdout: [...piecesOf(stdout)].join('')};
}

export function whole({nature, pieces}: FormattedOutput): PrintedWhole {
  let stdout = '';
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (piece.done === true) return {...piece.value, nature, stdout};
    stdout += piece.value;
  }
}
