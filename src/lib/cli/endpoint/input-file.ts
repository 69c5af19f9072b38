import {isObject} from '../../api/schema.js';
import {Failure} from '../../client/failure.js';
import {parseExact, TooDeep} from '../../json/exact.js';
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
    value = parseExact(text);
  } catch (error) {
    if (error instanceof TooDeep)
      throw new Failure('usage', `The input (${source}) is ${error.message}`, {
        hint: 'servers do not accept that',
      });
    const where = error instanceof SyntaxError ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined;
    throw new Failure('usage', `The input (${source}) is not valid JSON${where === undefined ? '' : `, ${where}`}`);
  }
  if (!isObject(value)) {
    throw new Failure('usage', `The input (${source}) must be a JSON object, {…}`);
  }
  return {...value};
}
