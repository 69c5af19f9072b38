import {isObject} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {parseExact, TooDeep} from '../../json/exact.js';
import type {Io} from '../io.js';

/** @param what the text in messages, which do not repeat it @throws Failure `usage` when it is no JSON */
export function parseInput(text: string, what: string, hint?: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    if (error instanceof TooDeep) throw new Failure('usage', `${what} is ${error.message}`, {hint: 'servers do not accept that'});
    const [where] = (error instanceof SyntaxError && /line \d+ column \d+/.exec(error.message)) || [];
    throw new Failure('usage', `${what} is not valid JSON${where === undefined ? '' : `, ${where}`}`, {hint});
  }
}

/**
 * The JSON object of `--input`, numbers as they are written there.
 * @param file a path, or `-` for standard input
 * @throws Failure `local` when it cannot be read, `usage` when it is no JSON object
 */
export async function readInputFile(file: string, io: Io): Promise<Record<string, unknown>> {
  const what = `The input (${file === '-' ? 'standard input' : file})`;
  const value = parseInput(await io.read(file, `the input file ${file}`), what);
  if (!isObject(value)) throw new Failure('usage', `${what} must be a JSON object, {…}`);
  return {...value};
}
