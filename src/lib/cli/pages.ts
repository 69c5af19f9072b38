/** Prints a list: one page, or all pages as they arrive. */
import {setImmediate, setTimeout as sleep} from 'node:timers/promises';
import type {Endpoint, Paging} from '../api/endpoint.js';
import {factsOf} from '../api/schema.js';
import type {Answer} from '../client/answer.js';
import {Failure} from '../client/failure.js';
import {firstPage, PageFailure, pagesOf, resumed, unlessAborted, type FirstPage, type Page} from '../client/paging.js';
import type {Request} from '../client/request.js';
import type {SuggestedFlags, Suggest} from '../client/suggest.js';
import {singleQuoted} from '../files/shell-word.js';
import {keepMemoryFlat} from '../files/memory.js';
import {at} from '../json/path.js';
import {openList} from '../print/print.js';
import {watchListSignals} from '../run/signals.js';
import type {Typed} from './command.js';
import type {Connection} from './connection.js';
import {hintFor} from './errors.js';
import {defaultInterval} from './flags.js';
import type {Io} from './io.js';
import {mismatchWarnings, printAnswer, wantsAnswer, writePrinted, type Printing} from './printing.js';
import type {Session} from './session.js';

export interface PagingChoice {
  /** The largest number of items. */
  readonly most: number | undefined;
  /** The first cursor. */
  readonly from: string | undefined;
}

/** The flags of lists. */
interface ListFlags {
  readonly all?: boolean | undefined;
  readonly max?: number | undefined;
  readonly 'resume-from'?: string | undefined;
  readonly follow?: boolean | undefined;
  readonly interval?: number | undefined;
  readonly 'since-file'?: string | undefined;
  readonly 'max-id'?: unknown;
  readonly 'since-id'?: unknown;
}

/** Undefined for a single page. */
export function pagingChoice({all, max, 'resume-from': from}: ListFlags): PagingChoice | undefined {
  return all || max !== undefined || from !== undefined ? {most: max, from} : undefined;
}

/** What the flags of `--follow` ask for. */
export interface Following {
  /** Seconds. */
  readonly interval: number;
  /** The file that remembers the id of the last printed item. */
  readonly sinceFile: string | undefined;
  /** The largest number of items. */
  readonly most: number;
}

/** Flags that cannot be combined with --follow. */
const notFollowed = ['all', 'resume-from', 'max-id', 'since-id'] as const;

/**
 * @returns undefined without `--follow`
 * @throws Failure `usage` for flags that cannot be combined
 */
export function followingChoice(flags: ListFlags, {traits}: Session): Following | undefined {
  const {follow, interval = defaultInterval, max = Number.POSITIVE_INFINITY, 'since-file': sinceFile} = flags;
  if (!follow) {
    const lone = (['interval', 'since-file'] as const).find((name) => flags[name] !== undefined);
    if (lone !== undefined) throw new Failure('usage', `--${lone} is for --follow`);
    return undefined;
  }
  const other = notFollowed.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw new Failure('usage', `--follow and --${other} cannot be used together`);
  if (traits.isOneDocument) {
    throw new Failure('usage', '--follow cannot print one JSON document: the list has no end', {
      hint: 'use --output ndjson, which prints one item a line',
    });
  }
  return {interval, sinceFile, most: max};
}

export interface PagedEndpoint extends Endpoint {
  readonly paging: Paging;
}

export function isPaged(endpoint: Endpoint): endpoint is PagedEndpoint {
  return endpoint.paging !== undefined;
}

/**
 * A failed page with the advice how to go on; any other failure as it is.
 * @param profile to go on with, where the command uses several
 */
export function interruptedPage(error: Failure, suggest: Suggest, profile?: string): Failure {
  if (!(error instanceof PageFailure)) return error;
  const {failure, cursor, pages} = error;
  const {code, message, details} = failure;
  const isAtWill = code === 'interrupted' || code === 'terminated';
  const on = profile === undefined ? '' : `--profile=${profile} `;
  const advice = [(isAtWill ? undefined : hintFor(failure, suggest)) ?? [], `go on with ${on}--resume-from ${singleQuoted(cursor)}`].flat();
  return new Failure(code, `${message}, after ${pages} ${pages === 1 ? 'page' : 'pages'}`, {...details, hint: advice.join('; then ')});
}

export interface ListPrinting {
  readonly printing: Printing;
  readonly connection: Connection;
  /** Looks up the names of accounts whose ids are in the answer. Called when there is an answer. */
  readonly names?: (() => Promise<ReadonlyMap<string, string> | undefined>) | undefined;
  /** Called with the answer of each page that was printed. */
  readonly printed?: ((answer: Answer) => void) | undefined;
}

/** The same with the names of accounts, for a list that is not empty. */
export async function printingWithNames({printing, names}: Pick<ListPrinting, 'names' | 'printing'>): Promise<Printing> {
  return names === undefined || wantsAnswer(printing) ? printing : {...printing, names: await names()};
}

/** Whether the user asked for a part of a list, and is not told that there is more. */
export function isPart({query}: Request, {query: fields}: Endpoint): boolean {
  return query.some(([name]) => fields[name] !== undefined && factsOf(fields[name])?.part === true);
}

/** Says that there is more. */
export function moreText({count = 0, passedOver, more, total}: FirstPage): string {
  const shown = count > 0 ? `Showing ${count}${total === undefined ? '' : ` of ${total}`}` : `The first ${passedOver + 1} pages are empty`;
  return `${shown}; there ${more === 'yes' ? 'are' : 'may be'} more.`;
}

/** Flags that every suggestion adds where they are needed. */
const accountNames = new Set(['all-profiles', 'allow-http', 'cacert', 'profile', 'server']);

/** The command line as parts of a suggestion. */
export function typedParts({args, flags}: Typed): {args: string[]; flags: SuggestedFlags} {
  const given: Record<string, boolean | number | string | string[]> = {};
  for (const [name, value] of Object.entries(flags)) {
    if (accountNames.has(name)) continue;
    if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') given[name] = value;
    else if (Array.isArray(value)) given[name] = value.map(String);
  }
  return {args: Object.values(args).flatMap((value) => (value === undefined ? [] : String(value))), flags: given};
}

/**
 * Prints one page of a list, and a note if there are more.
 * @param command its name
 */
export async function printPage(
  request: Request,
  endpoint: PagedEndpoint,
  {command, typed}: {readonly command: readonly string[]; readonly typed: Typed},
  list: ListPrinting,
): Promise<void> {
  const {client, suggest} = list.connection;
  const {paging, rows = []} = endpoint;
  const schema = endpoint.output();
  const page = await firstPage(client, {request, schema, paging, rows});
  const {args, flags} = typedParts(typed);
  const everything = suggest(command, {args, flags: {...flags, all: true}});
  const more = page.more === 'no' ? undefined : `${moreText(page)} To list all: ${everything}`;
  // An empty page that may not be the last one is not reported as an empty list.
  const printing = page.count === 0 ? list.printing : await printingWithNames(list);
  await printAnswer(page.answer, rows, {...list, view: endpoint.view, printing, isWhole: page.more === 'no'});
  list.printed?.(page.answer);
  const {session} = list.connection;
  if (more !== undefined && !isPart(request, endpoint) && !session.io.isReaderGone) session.tellUnlessQuiet(more);
}

/** Milliseconds in which a reader such as `head` is usually gone. */
const readersMoment = 20;

/** After this many pages the reader is expected to read on. */
const firstPages = 2;

/** Prints one page after the other, and fetches the next one meanwhile, unless the reader is gone. */
async function printEach(
  pages: AsyncGenerator<Page, void, undefined>,
  {
    open,
    print,
    io,
  }: {
    readonly io: Io;
    /** Called before the first page is printed. */
    readonly open: () => Promise<void>;
    readonly print: (page: Page) => Promise<void>;
  },
): Promise<void> {
  let turn = await pages.next();
  await open();
  for (let count = 1; turn.done !== true; count += 1) {
    const begun = performance.now();
    const printing = count <= firstPages ? print(turn.value) : undefined;
    // With an empty buffer the write shows at once whether the reader is gone. Then no further page is fetched.
    if (io.system.stdout.writableLength === 0) await printing;
    if (io.isReaderGone) return;
    const coming = pages.next();
    coming.catch(() => {});
    // Lets the request go out first.
    if (printing === undefined) await setImmediate();
    await (printing ?? print(turn.value));
    if (io.isReaderGone) return;
    turn = await coming;
    // A fast server could send several pages before a reader such as `head` is gone.
    if (count === 1 && turn.done !== true) await sleep(Math.max(0, begun + readersMoment - performance.now()));
  }
}

/**
 * Prints the items of all pages as they arrive. When a page fails, the document is completed first.
 * @throws Failure of the page that failed, with the cursor to resume from
 */
export async function printPages(first: Request, endpoint: PagedEndpoint, {most, from}: PagingChoice, list: ListPrinting): Promise<void> {
  const {connection} = list;
  const {session} = connection;
  const request = from === undefined ? first : resumed(first, from);
  const {paging, rows = []} = endpoint;
  const schema = endpoint.output();
  let writer = await openList({...list.printing, view: endpoint.view});
  keepMemoryFlat(Number.POSITIVE_INFINITY);
  let interrupted: Failure | undefined;
  let printed = 0;
  let total: unknown;
  try {
    using signals = watchListSignals(session.io.system);
    const signal = signals.first;
    // Closing it also cancels the request for a next page that is no longer needed.
    await using client = connection.newClient({signal});
    const warn = mismatchWarnings(session);
    await printEach(pagesOf(client, {request, schema, paging, rows, most, signal}), {
      io: session.io,
      async open() {
        const named = await unlessAborted(printingWithNames(list), signal);
        if (named !== list.printing) writer = await openList({...named, view: endpoint.view});
      },
      async print({answer, items}) {
        warn(answer, client.host);
        printed += items.length;
        total = paging.total && at(answer.value, paging.total).value;
        await session.io.write(writer.items(items), writer.nature);
        list.printed?.(answer);
      },
    });
  } catch (error) {
    if (!(error instanceof PageFailure)) throw error;
    interrupted = interruptedPage(error, connection.suggest);
  }
  if (session.io.isReaderGone) return;
  const {stdout, warning, ...rest} = writer.end();
  await writePrinted(
    {stdout, nature: writer.nature, ...(warning !== undefined && {warning}), ...(interrupted === undefined && rest)},
    session,
  );
  if (interrupted !== undefined) throw interrupted;
  const isShort = typeof total === 'number' && printed < Math.min(total, most ?? total) && from === undefined;
  if (isShort) session.tellUnlessQuiet(`Showing ${printed} of ${total}; ${connection.server.host} does not list the others`);
}
