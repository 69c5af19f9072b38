/** Prints answers as the flags say. Mistakes in these flags are found before anything is sent. */
import type {Endpoint} from '../api/endpoint.js';
import type {ListView, View} from '../api/view.js';
import type {Answer} from '../client/answer.js';
import {Failure} from '../client/failure.js';
import {moreThan} from '../client/mismatch.js';
import {
  formatAnswer,
  formatResult,
  type FormattedOutput,
  piecesOf,
  type Printed,
  type PrintSetting,
  type CommandResult,
} from '../print/print.js';
import type {Connection} from './connection.js';
import type {Session} from './session.js';

export type Printing = Omit<PrintSetting, 'view'>;

function refuse(...flags: readonly [string, string]): never {
  throw new Failure('usage', `${flags[0]} and ${flags[1]} cannot be used together`);
}

function checkCombination({flags, traits}: Session, isDelimited: boolean): void {
  if (flags.fields !== undefined && flags.output === 'curl') refuse('--fields', '--output curl');
  if (flags.jq !== undefined) {
    if (flags.fields !== undefined) refuse('--jq', '--fields');
    if (flags.output !== undefined && !traits.isForPrograms) refuse('--jq', `--output ${flags.output}`);
  }
  for (const name of ['no-header', 'spreadsheet-safe'] as const) {
    if (flags[name] && !isDelimited) throw new Failure('usage', `--${name} is for --output csv and tsv`);
  }
}

async function chosenFields(text: string | undefined): Promise<PrintSetting['fields']> {
  if (text === undefined) return undefined;
  const {FieldError, parseFields} = await import('../print/fields.js');
  try {
    return parseFields(text);
  } catch (error) {
    if (error instanceof FieldError) throw new Failure('usage', `--fields: ${error.message}`);
    throw error;
  }
}

async function chosenFilter(text: string | undefined, session: Session): Promise<PrintSetting['jq']> {
  if (text === undefined) return undefined;
  const {compileJq, JqError} = await import('../print/jq.js');
  try {
    return await compileJq(text, (words) => session.tell(words));
  } catch (error) {
    if (error instanceof JqError) throw new Failure('usage', `--jq: ${error.message}`, {hint: 'see the manual of jq 1.8'});
    throw error;
  }
}

/**
 * @param isDelimited whether rows with a header are printed, whose header and formulas flags are about
 * @throws Failure `usage` for flags that cannot be combined, fields that cannot be parsed, or a jq expression that does not compile
 */
export async function printingOf(session: Session, isDelimited: boolean = session.traits.isDelimited): Promise<Printing> {
  checkCombination(session, isDelimited);
  const {flags, format, out, io} = session;
  const [fields, jq] = [await chosenFields(flags.fields), await chosenFilter(flags.jq, session)];
  const header = flags['no-header'] !== true;
  return {
    format,
    isFormatChosen: session.hasChosenFormat,
    terminal: out,
    now: io.now,
    header,
    spreadsheetSafe: flags['spreadsheet-safe'] === true,
    fields,
    jq,
  };
}

/** What `--fields` chooses from. */
type FieldSource =
  | {readonly of: 'items' | 'results'; readonly endpoint: Pick<Endpoint, 'output' | 'rows' | 'view'>}
  /** The rows of a document of our own. */
  | {readonly of: 'own'; readonly view: ListView};

/**
 * Warns of fields that are not documented. They are printed all the same: servers send more than is documented.
 * @throws Failure `usage` for those that pixelctl itself would print, and never does
 */
export async function checkFields({fields}: Printing, source: FieldSource, session: Session): Promise<void> {
  if (fields === undefined) return;
  const {fieldsShown, foreignFields, itemSchema, knownFields, listAbove, unknownFields} = await import('../print/fields.js');
  const words = (unknown: readonly string[], known: readonly string[]) =>
    `unknown field ${unknown.join(', ')}; known fields are ${known.join(', ')}`;
  if (source.of === 'own') {
    const {view} = source;
    const names = view.fields ?? fieldsShown(view);
    const foreign = foreignFields(fields, names, view);
    if (foreign.length > 0) throw new Failure('usage', `--fields: ${words(foreign, names)}`);
    return;
  }
  const [{resultSchema}, {resultsView}] = await Promise.all([import('../run/result-schema.js'), import('../run/results.js')]);
  const [schema, view] =
    source.of === 'items' ? [itemSchema(source.endpoint), source.endpoint.view] : [resultSchema(source.endpoint), resultsView];
  const unknown = unknownFields(fields, schema, view);
  if (unknown.length === 0) return;
  // The body of a result is what the server sent.
  const isOwn = source.of !== 'items' && unknown.some((name) => !name.startsWith('body.'));
  if (isOwn) throw new Failure('usage', `--fields: ${words(unknown, knownFields(schema))}`);
  const lists = new Set(unknown.flatMap((name) => listAbove(name, schema) ?? []));
  for (const list of lists) session.warn(`${list} is a list: read its items with --jq`);
  const others = unknown.filter((name) => listAbove(name, schema) === undefined);
  if (others.length > 0) session.warn(words(others, knownFields(schema)));
}

/** How the rows of a document of our own are printed; a dry run prints requests. @throws Failure as {@link printingOf} and {@link checkFields} */
export async function printingOfOwn(view: ListView, session: Session): Promise<Printing> {
  const printing = await printingOf(session);
  if (!session.dryRun) await checkFields(printing, {of: 'own', view}, session);
  return printing;
}

/** @throws Failure as {@link writePrinted} does */
async function writeOutput({nature, pieces}: FormattedOutput, session: Session, {isEmptySaid = true} = {}): Promise<void> {
  let piece = pieces.next();
  for (; piece.done !== true; piece = pieces.next()) {
    await session.io.write(piece.value, nature);
    if (session.io.isReaderGone) return;
  }
  const {stderr, ...ending} = piece.value;
  await writePrinted({...ending, ...(stderr !== undefined && isEmptySaid && {stderr}), stdout: '', nature}, session);
}

/**
 * Writes the end of a document, and its notes and warnings.
 * @throws Failure `local` when a jq filter failed on the response, or standard output cannot be written
 */
export async function writePrinted(
  {stdout, nature, notShown, stderr, warning, failure, failedOn}: Printed,
  session: Session,
): Promise<void> {
  for (const piece of piecesOf(stdout)) await session.io.write(piece, nature);
  noteNotShown(notShown, session);
  if (stderr !== undefined && stderr !== '') session.note(stderr);
  if (warning !== undefined) session.warn(warning);
  if (failure === undefined) return;
  throw new Failure('local', `--jq failed on the response: ${failure}`, {
    body: failedOn,
    hint: 'compare the filter with the output of --json',
  });
}

/** Says once which columns a terminal is too narrow for. */
export function noteNotShown(headings: readonly string[] = [], session: Session): void {
  if (headings.length > 0) session.noteOnce(`Not shown: ${headings.join(', ')} (wider terminal, --fields or -o yaml)`);
}

interface Presentation {
  readonly view: View | undefined;
  /** Printed instead of a table where the answer contains nothing to show. */
  readonly done?: string | undefined;
  /** Whether there are no more pages; true by default. */
  readonly isWhole?: boolean;
  /** Whether rows that are null are no items. */
  readonly passesNulls?: boolean;
  readonly printing: Printing;
  readonly connection: Connection;
}

/** Whether the flags ask for the answer itself, so that no sentence may replace it. */
export function wantsAnswer({format, jq, fields}: Printing): boolean {
  return format !== 'table' || jq !== undefined || fields !== undefined;
}

/** How a list is printed. */
export interface ListPrinting {
  readonly printing: Printing;
  /** Looks up the names of accounts whose ids are in the answer. Called when there is an answer. */
  readonly names?: ((connection: Connection) => Promise<ReadonlyMap<string, string> | undefined>) | undefined;
  /** Called with the answer of each page that was printed. */
  readonly printed?: ((answer: Answer) => void) | undefined;
}

/** How a list that is not empty is printed, with the names of accounts. */
export async function printingWithNames({printing, names}: ListPrinting, connection: Connection): Promise<Printing> {
  return names === undefined || wantsAnswer(printing) ? printing : {...printing, names: await names(connection)};
}

/** @param rows the path to the rows of a list inside the answer */
export async function printAnswer(
  answer: Answer,
  rows: readonly string[] | undefined,
  {view, done, isWhole = true, passesNulls, printing, connection}: Presentation,
): Promise<void> {
  const {session, client} = connection;
  warnOfMismatches(answer, client.host, session);
  for (const warning of answer.warnings ?? []) session.warn(warning);
  if (done !== undefined && !wantsAnswer(printing)) return session.note(done);
  await writeOutput(await formatAnswer(answer.text, {...printing, view, rows, passesNulls}), session, {isEmptySaid: isWhole});
}

/** Prints what a command has to say: the document, the rows or the text, as the format wants it. */
export async function printResult(
  result: CommandResult & {readonly view?: View | undefined},
  session: Session,
  printing?: Printing,
): Promise<void> {
  const {view, ...rest} = result;
  await writeOutput(await formatResult(rest, {...(printing ?? (await printingOf(session))), view}), session);
}

/**
 * Prints a document of our own.
 * @param rows the path to the rows of a list inside the document
 */
export async function printDocument(
  document: unknown,
  {view, rows}: {readonly view?: View | undefined; readonly rows?: readonly string[] | undefined},
  session: Session,
): Promise<void> {
  const printing = await printingOf(session);
  await writeOutput(await formatAnswer(JSON.stringify(document), {...printing, view, rows}), session);
}

/** Fields that are remembered, so that memory stays bounded. */
const maxFields = 1000;

/** Warns once of fields of another type than documented; prints the other mismatches with `--verbose`. */
function warnOfMismatches(
  {mismatches, mismatchCounts}: Pick<Answer, 'mismatchCounts' | 'mismatches'>,
  host: string,
  session: Session,
): void {
  const first = mismatches.find(({kind}) => kind === 'type');
  if (first !== undefined) {
    const more = moreThan(1, 'type', mismatchCounts);
    session.warn(
      `schema mismatch in the response of ${host}: ${first.path}: ${first.message}${more === undefined ? '' : `, and ${more} like it`}`,
    );
  }
  if (!session.isVerbose) return;
  for (const {kind, path, message} of mismatches) {
    if (kind !== 'type') session.tell(`* ${kind === 'known' ? 'known ' : ''}schema mismatch: ${path}: ${message}`);
  }
}

/** Warns of schema mismatches and of what an answer says, once of those that every page has, and every account of a server. */
export function answerWarnings(session: Session): (answer: Answer, host: string) => void {
  const told = new Set<string>();
  const {isVerbose} = session;
  return (answer, host) => {
    const mismatches = answer.mismatches.filter(({kind, path, message}) => {
      if (kind !== 'type' && !isVerbose) return false;
      const field = `${host} ${path.replaceAll(/\d+/g, '#')} ${message}`;
      return !told.has(field) && told.size < maxFields && told.add(field);
    });
    const type = mismatches.filter(({kind}) => kind === 'type').length;
    for (const warning of answer.warnings ?? [])
      if (!told.has(warning) && told.size < maxFields && told.add(warning)) session.warn(warning);
    if (mismatches.length > 0) warnOfMismatches({mismatches, mismatchCounts: {known: 0, missing: 0, shape: 0, type}}, host, session);
  };
}
