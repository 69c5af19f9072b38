/** How answers are printed, as the flags say; everything that can be wrong with that is found before anything is sent. */
import type {Endpoint} from '../../api/endpoint.js';
import {Failure} from '../../client/failure.js';
import type {Output, Printed, PrintSetting} from '../../print/print.js';
import type {Session} from '../session.js';

export type Printing = Omit<PrintSetting, 'view'>;

function refuse(...flags: readonly [string, string]): never {
  throw new Failure('usage', `${flags[0]} and ${flags[1]} do not go together`);
}

function checkCombination({flags, format}: Session): void {
  if (flags.fields !== undefined && flags.output === 'curl') refuse('--fields', '--output curl');
  if (flags.jq !== undefined) {
    if (flags.fields !== undefined) refuse('--jq', '--fields');
    if (flags.output !== undefined && format !== 'json' && format !== 'ndjson') refuse('--jq', `--output ${flags.output}`);
  }
  const isDelimited = format === 'csv' || format === 'tsv';
  for (const name of ['no-header', 'spreadsheet-safe'] as const) {
    if (flags[name] && !isDelimited) throw new Failure('usage', `--${name} is for --output csv and tsv`);
  }
}

async function chosenFields(text: string | undefined): Promise<PrintSetting['fields']> {
  if (text === undefined) return undefined;
  const {FieldError, parseFields} = await import('../../print/fields.js');
  try {
    return parseFields(text);
  } catch (error) {
    if (error instanceof FieldError) throw new Failure('usage', `--fields: ${error.message}`);
    throw error;
  }
}

async function chosenFilter(text: string | undefined, session: Session): Promise<PrintSetting['jq']> {
  if (text === undefined) return undefined;
  const {compileJq, JqError} = await import('../../print/jq.js');
  try {
    return await compileJq(text, (words) => session.tell(words));
  } catch (error) {
    if (error instanceof JqError) throw new Failure('usage', `--jq: ${error.message}`, {hint: 'the language is that of jq 1.8'});
    throw error;
  }
}

/** @throws Failure `usage` for flags that do not go together, unreadable fields, or a bad jq expression */
export async function printingOf(session: Session): Promise<Printing> {
  checkCombination(session);
  const {flags, format, out, io} = session;
  const [fields, jq] = [await chosenFields(flags.fields), await chosenFilter(flags.jq, session)];
  const header = flags['no-header'] !== true;
  return {format, terminal: out, now: io.now, header, spreadsheetSafe: flags['spreadsheet-safe'] === true, fields, jq};
}

/** Whose fields `--fields` chooses from. */
export type Source =
  | {readonly of: 'answers' | 'results'; readonly endpoint: Pick<Endpoint, 'output' | 'rows' | 'view'>}
  | {readonly of: 'batch'};

/** Names fields that were asked for and that the record does not know; servers send more than is documented. */
export async function warnOfFields({fields}: Printing, source: Source, session: Session): Promise<void> {
  if (fields === undefined) return;
  const {itemSchema, knownFields, unknownFields} = await import('../../print/fields.js');
  const {batchResultSchema, resultSchema} = await import('../../run/results.js');
  const schema =
    source.of === 'batch' ? batchResultSchema() : source.of === 'results' ? resultSchema(source.endpoint) : itemSchema(source.endpoint);
  const unknown = unknownFields(fields, schema);
  if (unknown.length === 0) return;
  session.warn(`no field ${unknown.join(', ')} is documented here; known are ${knownFields(schema).join(', ')}`);
}

/** Writes what a format makes of an answer. @throws Failure as {@link writePrinted} does */
export async function writeOutput({nature, pieces}: Output, session: Session, {isEmptySaid = true} = {}): Promise<void> {
  let piece = pieces.next();
  for (; piece.done !== true; piece = pieces.next()) {
    await session.io.write(piece.value, nature);
    if (session.io.isReaderGone) return;
  }
  const {stderr, ...ending} = piece.value;
  await writePrinted({...ending, ...(stderr !== undefined && isEmptySaid && {stderr}), stdout: '', nature}, session);
}

/**
 * Writes what is left to print, and says what there is to say.
 * @throws Failure `local` when a jq filter failed on the answer, or standard output cannot be written
 */
export async function writePrinted({stdout, nature, stderr, warning, failure, failedOn}: Printed, session: Session): Promise<void> {
  await session.io.write(stdout, nature);
  if (stderr !== undefined) session.note(stderr);
  if (warning !== undefined) session.warn(warning);
  if (failure === undefined) return;
  throw new Failure('local', `The answer came, but --jq failed on it: ${failure}`, {
    body: failedOn,
    hint: 'compare the filter with what --json prints',
  });
}
