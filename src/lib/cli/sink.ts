/** Prints answers as the flags say. Mistakes in these flags are found before anything is sent. */
import type {Endpoint} from '../api/endpoint.js';
import type {ListView} from '../api/view.js';
import type {Answer} from '../client/answer.js';
import {Failure} from '../client/failure.js';
import {maxMismatches} from '../client/mismatch.js';
import type {PrintSetting, CommandResult} from '../print/print.js';
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
 * @param isDelimited whether rows with a header are printed, so that `--no-header` and `--spreadsheet-safe` are allowed
 * @throws Failure `usage` for flags that cannot be combined, fields that cannot be parsed, or a jq expression that does not compile
 */
export async function printingOf(session: Session, isDelimited: boolean = session.traits.isDelimited): Promise<Printing> {
  checkCombination(session, isDelimited);
  const {flags, format, out, io} = session;
  const [fields, jq] = [await chosenFields(flags.fields), await chosenFilter(flags.jq, session)];
  const header = flags['no-header'] !== true;
  return {
    format,
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
  | {readonly of: 'items' | 'results'; readonly endpoint: Pick<Endpoint, 'output' | 'rows' | 'view'>; readonly areOfAccounts?: boolean}
  /** The rows of a document that pixelctl makes itself. */
  | {readonly of: 'own'; readonly view: ListView};

/**
 * Warns of fields that are not documented, but allows them: servers send more than is documented.
 * @throws Failure `usage` for an unknown field of pixelctl's own documents
 */
export async function checkFields({fields}: Printing, source: FieldSource, session: Session): Promise<void> {
  if (fields === undefined) return;
  const {fieldsShown, foreignFields, itemFields, itemSchema, knownFields, unknownFields} = await import('../print/fields.js');
  const words = (unknown: readonly string[], known: readonly string[]) =>
    `unknown field ${unknown.join(', ')}; known fields are ${known.join(', ')}`;
  if (source.of === 'own') {
    const {view} = source;
    const names = view.fields ?? fieldsShown(view);
    const foreign = foreignFields(fields, names, view);
    if (foreign.length > 0) throw new Failure('usage', `--fields: ${words(foreign, names)}`);
    return;
  }
  const {resultSchema, resultsView} = await import('../run/results.js');
  const [schema, view] =
    source.of === 'items' ? [itemSchema(source.endpoint), source.endpoint.view] : [resultSchema(source.endpoint), resultsView];
  const unknown = unknownFields(source.areOfAccounts === true ? itemFields(fields) : fields, schema, view);
  if (unknown.length === 0) return;
  // The body of a result is what the server sent.
  const isOwn = source.of !== 'items' && unknown.some((name) => !name.startsWith('body.'));
  if (isOwn) throw new Failure('usage', `--fields: ${words(unknown, knownFields(schema))}`);
  session.warn(words(unknown, knownFields(schema)));
}

/**
 * A note that is said after the output. A string is for tables. `warning`: a warning with tables; `tables`: only if no fields are chosen;
 * `people`: all formats but JSON and NDJSON; `all`: every format.
 */
export type Note =
  | string
  | {
      readonly text: string;
      readonly to: 'all' | 'people' | 'tables' | 'warning';
    };

export interface ItemsEnding {
  readonly notes?: readonly Note[] | undefined;
  /** The failure after some items were printed. A failure before the first item is thrown. */
  readonly failure?: Failure | undefined;
  /** Whether somebody stopped an endless list. If there were no items until then, nothing is printed. */
  readonly isStopped?: boolean | undefined;
  /** Whether there are no further items; true by default. People are told that a list is empty only then. */
  readonly isWhole?: boolean | undefined;
}

/** Items in batches, as they arrive. The next batch is asked for when the last one is printed. */
export type Items = AsyncGenerator<readonly unknown[], ItemsEnding | undefined, undefined>;

/** How to treat items that are results of requests: the requests are all sent, even if the results cannot be printed. */
export interface Finishing {
  /** Whether the requests only read. They then end when standard output is closed. */
  readonly isRead: boolean;
  readonly failsFast: boolean;
  readonly hasJournal: boolean;
  /** `3 of 4 done` */
  doneText(): string;
  /** Begins no further request. */
  stop(failure: Failure): void;
}

/** The result of a command: what is printed, the notes after that, and how the command ends. */
export interface Result
  extends CommandResult, Pick<PrintSetting, 'areOfAccounts' | 'documented' | 'hides' | 'isEndless' | 'view'>, ItemsEnding {
  /** Items to print in place of a document, as an array in JSON. */
  readonly items?: Items | undefined;
  readonly finishing?: Finishing | undefined;
  /** Looks up the names of accounts whose ids are in the items; only people need them. */
  readonly names?: (() => Promise<ReadonlyMap<string, string> | undefined>) | undefined;
  /** A sentence about a write. It replaces the answer, if no flag says how to print that. */
  readonly done?: string | undefined;
  /** The answer to a write that was carried out: it must not be lost, whatever fails. */
  readonly carriedOut?: unknown;
  /** Called when everything is printed, unless the reader is gone. */
  readonly notePrinted?: (() => Promise<void>) | undefined;
}

/**
 * Warns of fields of another type than documented, and passes on the warnings of the answer; prints the other mismatches with `--verbose`.
 * The same is said once, however many pages and accounts have it.
 */
export function warnOfAnswer({mismatches, warnings = []}: Answer, host: string, session: Session): void {
  for (const warning of warnings) session.warnOnce(warning);
  const isNew = ({path, message}: Answer['mismatches'][number]) => session.isNew(`${host} ${path.replaceAll(/\d+/g, '#')} ${message}`);
  const [first, ...others] = mismatches.filter(({kind}) => kind === 'type');
  if (first !== undefined && isNew(first)) {
    const least = mismatches.length >= maxMismatches ? 'at least ' : '';
    const more = others.length === 0 ? '' : `, and ${least}${others.length} more like it`;
    session.warn(`schema mismatch in the response of ${host}: ${first.path}: ${first.message}${more}`);
  }
  if (!session.isVerbose) return;
  for (const one of mismatches) {
    const {kind, path, message} = one;
    if (kind !== 'type' && isNew(one)) session.tell(`* ${kind === 'known' ? 'known ' : ''}schema mismatch: ${path}: ${message}`);
  }
}
