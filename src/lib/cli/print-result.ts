/** Prints the result of a command: a document, or items as they arrive. */
import {membersOf} from '../api/schema.js';
import {asFailure, Failure, isInterruption} from '../client/failure.js';
import {formatResult, openList, piecesOf, type Ending, type FormattedOutput, type ItemWriter} from '../print/print.js';
import type {Session} from './session.js';
import type {Finishing, Items, ItemsEnding, Note, Printing, Result} from './sink.js';

/**
 * Prints the result of a command, and then its notes.
 * @throws Failure that the result has; `local` if it cannot be printed, or a jq filter fails on it
 */
export async function printResult(result: Result, session: Session, printing: Printing): Promise<void> {
  try {
    await (result.items === undefined ? printDocument(result, printing, session) : printItems(result.items, result, printing, session));
  } catch (error) {
    if (result.carriedOut === undefined) throw error;
    throw asFailure(error).saying('; the request was carried out', {body: result.carriedOut, hint: 'do not repeat it'});
  }
}

async function printDocument(result: Result, printing: Printing, session: Session): Promise<void> {
  const {done, notes, failure, isWhole = true} = result;
  if (done !== undefined && !session.hasChosenFormat && !wantsAnswer(printing)) session.note(done);
  else {
    const formatted = await formatResult(result, {...printing, ...result, names: await namesFor(result, printing)});
    if (formatted !== undefined) await writeDocument(formatted, session, isWhole);
  }
  if (!session.io.isReaderGone) {
    sayNotes(notes, printing, session);
    await result.notePrinted?.();
  }
  if (failure !== undefined) throw failure;
}

/** @param isWhole whether it may be said that there is nothing @throws Failure `local` when a jq filter failed on the response */
function sayEnding({notShown, stderr = '', warning, ...filter}: Ending, session: Session, isWhole: boolean): void {
  noteNotShown(notShown, session);
  if (isWhole && stderr !== '') session.note(stderr);
  if (warning !== undefined) session.warn(warning);
  refuseFiltered(filter, session);
}

/** @throws Failure `local` where a jq filter failed on the response */
function refuseFiltered({failure, failedOn}: Pick<Ending, 'failedOn' | 'failure'>, {format}: Session): void {
  if (failure === undefined) return;
  throw new Failure('local', `--jq failed on the response: ${failure}`, {
    body: failedOn,
    hint:
      format === 'ndjson'
        ? 'with -o ndjson the filter gets one item at a time: write .id, not .[].id'
        : 'compare the filter with the output of --json',
  });
}

/** Says once which columns a terminal is too narrow for. */
function noteNotShown(headings: readonly string[] = [], session: Session): void {
  const text = `Not shown: ${headings.join(', ')} (wider terminal, --fields or -o yaml)`;
  if (headings.length > 0 && session.isNew(text)) session.note(text);
}

/** Whether the flags ask for another format than a table, for a filter or for fields. */
function wantsAnswer({format, jq, fields}: Printing): boolean {
  return format !== 'table' || jq !== undefined || fields !== undefined;
}

function sayNotes(notes: readonly Note[] = [], printing: Printing, session: Session): void {
  for (const note of notes) {
    if (typeof note === 'string') session.note(note);
    else if (note.to === 'warning') {
      if (session.traits.hasNotes) session.warn(note.text);
    } else if (note.to === 'tables') {
      if (!wantsAnswer(printing)) session.note(note.text);
    } else if (note.to === 'all' || !session.traits.isForPrograms) session.tellUnlessQuiet(note.text);
  }
}

/** @throws Failure as {@link sayEnding} does; `local` when standard output cannot be written */
async function writeDocument({nature, pieces}: FormattedOutput, session: Session, isWhole: boolean): Promise<void> {
  let piece = pieces.next();
  for (; piece.done !== true; piece = pieces.next()) {
    await session.io.write(piece.value, nature);
    if (session.io.isReaderGone) return;
  }
  sayEnding(piece.value, session, isWhole);
}

const readerGone = new Failure('local', 'Standard output was closed');

/** @throws Failure as {@link printResult} does; if the items fail before anything is printed, only that failure is told */
async function printItems(items: Items, result: Result, printing: Printing, session: Session): Promise<void> {
  const {io} = session;
  const {finishing} = result;
  let opened: ItemWriter | undefined;
  const open = async (): Promise<ItemWriter> =>
    (opened ??= await openList({...printing, ...result, names: await namesFor(result, printing)}));
  const print = async (batch: readonly unknown[]): Promise<void> => {
    const writer = await open();
    await io.write(writer.items(batch), writer.nature);
    noteNotShown(writer.notShown, session);
  };
  let lost: Failure | undefined;
  /** Does the work, unless printing has failed. A failure to print does not end a run of writes. */
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    if (lost !== undefined || io.isReaderGone) return;
    if (finishing === undefined) return work();
    await work().catch((error: unknown) => void (lost = asFailure(error)));
  };
  // Results are held back as long as each says that the token was refused, because they then become one failure.
  let held: readonly unknown[] | undefined = [];
  const {ending, thrown} = await readBatches(items, async (batch) => {
    const all: readonly unknown[] = [...(held ?? []), ...batch];
    held = finishing !== undefined && held !== undefined && batch.every(isRefusedToken) ? all : undefined;
    if (held === undefined) await attempt(() => print(all));
    if (lost === undefined && !io.isReaderGone) return true;
    if (finishing === undefined || finishing.isRead) return false;
    if (finishing.failsFast) finishing.stop(lost ?? readerGone);
    return true;
  });
  const {notes = [], isWhole = true, isStopped = false, failure = thrown} = ending;
  if (held !== undefined && !io.isReaderGone) {
    if (failure !== undefined && (thrown !== undefined || failure.code === 'auth')) throw failure;
    if (isStopped) return;
  }
  let filter: Pick<Ending, 'failedOn' | 'failure'> = {};
  await attempt(async () => {
    if (held !== undefined && held.length > 0) await print(held);
    const writer = await open();
    const {failure: why, failedOn, stdout, ...rest} = writer.end();
    filter = {failure: why, failedOn};
    for (const piece of piecesOf(stdout)) await io.write(piece, writer.nature);
    sayEnding(rest, session, (failure === undefined || finishing !== undefined) && isWhole);
  });
  if (io.isReaderGone && finishing?.isRead !== false) return;
  if (!io.isReaderGone) {
    await result.notePrinted?.();
    sayNotes([...(result.notes ?? []), ...notes], printing, session);
  }
  if (finishing === undefined) {
    if (failure !== undefined) throw failure;
    return refuseFiltered(filter, session);
  }
  lost ??= finishing.failsFast && io.isReaderGone ? readerGone : undefined;
  const end = failureOfPrinting({failure, lost, filter, hasJournal: finishing.hasJournal, done: finishing.doneText()});
  if (end !== undefined) throw end;
}

/** Hands batches to `take` until that returns false. @returns how the items end, or what they threw */
async function readBatches(
  items: Items,
  take: (batch: readonly unknown[]) => Promise<boolean>,
): Promise<{readonly ending: ItemsEnding; readonly thrown?: Failure}> {
  for (;;) {
    let next: IteratorResult<readonly unknown[], ItemsEnding | undefined>;
    try {
      next = await items.next();
    } catch (error) {
      return {ending: {}, thrown: asFailure(error)};
    }
    if (next.done === true) return {ending: next.value ?? {}};
    if (await take(next.value)) continue;
    await items.return(undefined);
    return {ending: {}};
  }
}

/** Names of accounts, which only people need. */
const namesFor = async ({names}: Result, printing: Printing) => (wantsAnswer(printing) ? undefined : names?.());

function isRefusedToken(item: unknown): boolean {
  const {ok, unknown, error} = membersOf(item);
  const {code, fate} = membersOf(error);
  return ok === false && unknown !== true && code === 'auth' && fate !== 'unknown';
}

interface End extends Pick<Finishing, 'hasJournal'> {
  readonly failure: Failure | undefined;
  /** Why some results were not printed. */
  readonly lost: Failure | undefined;
  readonly filter: Pick<Ending, 'failedOn' | 'failure'>;
  readonly done: string;
}

/** Joins the failures of sending and of printing into one; undefined when there is none. */
export function failureOfPrinting({failure, lost, filter, done, hasJournal}: End): Failure | undefined {
  const inEffect = 'requests that were carried out remain in effect';
  if (lost !== undefined && !(failure && isInterruption(failure))) {
    const hint = hasJournal ? 'run the same command with the same journal: it prints the results and sends only what remains' : inEffect;
    return lost.saying(`; ${done}`, {hint});
  }
  const {failure: filterFailure, failedOn: body} = filter;
  if (failure !== undefined) return failure.with({body});
  return filterFailure === undefined
    ? undefined
    : new Failure('local', `--jq failed on the results: ${filterFailure}; ${done}`, {body, hint: inEffect});
}
