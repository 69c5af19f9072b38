import {parseExact, sourceText} from '../../json/exact.js';
import {Failure, localFailure} from '../../client/failure.js';
import {readText} from '../../files/read-file.js';
import {readStandardInput} from '../standard-streams.js';

/**
 * The JSON object of `--input`, numbers as they are written there.
 * @param file a path, or `-` for standard input
 * @throws Failure `local` when it cannot be read, `usage` when it is no JSON object
 */
export async function readInputFile(file: string): Promise<Record<string, unknown>> {
  const source = file === '-' ? 'standard input' : file;
  const text =
    file === '-'
      ? await readStandardInput()
      : await readText(file, 'file or pipe').catch((error: unknown) => {
          throw localFailure(`Cannot read the input file ${file}`, error);
        });
  let value: unknown;
  try {
    value = parseExact(text.replace(/^\u{feff}/u, ''));
  } catch (error) {
    const where = error instanceof SyntaxError ? /line \d+ column \d+/.exec(error.message)?.[0] : undefined;
    throw new Failure('usage', `The input (${source}) is not valid JSON${where === undefined ? '' : `, ${where}`}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || sourceText(value) !== undefined) {
    throw new Failure('usage', `The input (${source}) has to be a JSON object, {…}`);
  }
  return {...value};
}
