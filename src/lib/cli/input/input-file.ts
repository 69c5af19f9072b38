import {deepestInput, parseInput, sourceText, TooDeep} from '../../json/exact.js';
import {Failure} from '../../client/failure.js';
import type {Io} from '../io.js';

/**
 * The JSON object of `--input`, numbers as they are written there.
 * @param file a path, or `-` for standard input
 * @throws Failure `local` when it cannot be read, `usage` when it is no JSON object
 */
export async function readInputFile(file: string, io: Io): Promise<Record<string, unknown>> {
  const source = file === '-' ? 'standard input' : file;
  const text = await io.read(file, `the input file ${file}`);
  let value: unknown;
  try {
    value = parseInput(text);
  } catch (error) {
    if (error instanceof TooDeep)
      throw new Failure('usage', `The input (${source}) is nested deeper than ${deepestInput} levels`, {hint: 'servers do not read that'});
    const where = error instanceof SyntaxError ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined;
    throw new Failure('usage', `The input (${source}) is not valid JSON${where === undefined ? '' : `, ${where}`}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || sourceText(value) !== undefined) {
    throw new Failure('usage', `The input (${source}) has to be a JSON object, {…}`);
  }
  return {...value};
}
