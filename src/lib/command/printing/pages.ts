/** A list over all its pages, printed as they come. */
import type {Endpoint, Paging} from '../../api/endpoint.js';
import type {PlannedRequest} from '../../client/encode.js';
import {Failure} from '../../client/failure.js';
import {PageFailure, pagesOf, queryOf} from '../../client/paging.js';
import {openList} from '../../output/print.js';
import type {ViewName} from '../../output/views.js';
import type {Connection} from '../connection.js';
import {writePrinted, type Printing} from './printing.js';
import {isReaderGone, writeOut} from '../standard-streams.js';

export interface PagingChoice {
  readonly all: boolean;
  /** Items at the most. */
  readonly most: number | undefined;
  /** The cursor to begin with. */
  readonly from: string | undefined;
}

/** Undefined when one page is wanted, as it is. */
export function pagingChoice(flags: Readonly<Record<string, unknown>>): PagingChoice | undefined {
  const {all, max, 'resume-from': from} = flags;
  const most = typeof max === 'number' ? max : undefined;
  if (all !== true && most === undefined && from === undefined) return undefined;
  return {all: all === true, most, from: typeof from === 'string' ? from : undefined};
}

interface PagedEndpoint extends Endpoint {
  readonly paging: Paging;
}

export function isPaged(endpoint: Endpoint): endpoint is PagedEndpoint {
  return endpoint.paging !== undefined;
}

function interruptedList({code, message, details, cursor, pages}: PageFailure): Failure {
  return new Failure(code, `${message}, after ${pages} ${pages === 1 ? 'page' : 'pages'}`, {
    ...details,
    hint: `go on with --resume-from '${cursor}'`,
  });
}

/**
 * Prints the items of every page, each page as it comes; what was printed before a page failed is a whole document.
 * @throws Failure of the page that failed, with where to go on
 */
export async function printPages(
  planned: PlannedRequest,
  endpoint: PagedEndpoint,
  {most, from}: PagingChoice,
  {view, printing, connection}: {readonly view: ViewName | undefined; readonly printing: Printing; readonly connection: Connection},
): Promise<void> {
  const {session, client} = connection;
  const request = from === undefined ? planned : {...planned, query: queryOf(from)};
  const {paging, output: schema, rows = []} = endpoint;
  const writer = await openList({...printing, view});
  let failure: unknown;
  let count = 0;
  try {
    for await (const {answer, items} of pagesOf(client, {request, schema, paging, rows, most})) {
      session.warnOfDepartures(answer, client.host);
      count += items.length;
      await writeOut(writer.items(items));
      if (isReaderGone()) return;
    }
  } catch (error) {
    if (!(error instanceof PageFailure)) throw error;
    failure = interruptedList(error);
  }
  const {stderr, ...rest} = writer.end();
  await writePrinted({...rest, ...(stderr !== undefined && count === 0 && {stderr})}, session);
  if (failure !== undefined) throw failure;
}
