/** Reads the list of one account: one page as the server sent it, or the items of all pages as they come. */
import type {Endpoint} from '../../api/endpoint.js';
import {pageParameters} from '../../api/page-parameters.js';
import {factsOf} from '../../api/schema.js';
import {Failure, isInterruption} from '../../client/failure.js';
import {firstPage, PageFailure, pagesOf, resumeAt, type FirstPage} from '../../client/paging.js';
import type {Request} from '../../client/request.js';
import {singleQuoted} from '../../files/command-text.js';
import {at} from '../../json/path.js';
import {countNoun, withCommas} from '../../json/text.js';
import type {Selection} from '../../operations/selected-users.js';
import type {Connection} from '../connection.js';
import {hintFor} from '../errors.js';
import {type AccountsFlags, areSeveral, defaultInterval, type followFlags, type GivenFlags, type pagingFlags} from '../flags.js';
import type {Session} from '../session.js';
import {type Items, type Note, type Result, warnOfAnswer} from '../sink.js';
import {plainFlag} from './input-fields.js';

export interface PagingChoice {
  readonly most: number | undefined;
  readonly from: string | undefined;
}

type ListFlags = AccountsFlags & GivenFlags<typeof followFlags & typeof pagingFlags> & Readonly<Record<string, unknown>>;

/** @throws Failure `usage` where several accounts are meant */
function refuseSeveral(what: string, flags: AccountsFlags): void {
  if (areSeveral(flags)) throw new Failure('usage', `${what} is for one account: it cannot be used with several profiles`);
}

/** Undefined for a single page. @throws Failure `usage` for a cursor with several accounts */
export function pagingChoice(flags: AccountsFlags & GivenFlags<typeof pagingFlags>): PagingChoice | undefined {
  const {all, max, 'resume-from': from} = flags;
  if (from !== undefined) refuseSeveral('--resume-from', flags);
  return all || max !== undefined || from !== undefined ? {most: max, from} : undefined;
}

/** What `--follow` and `--since-file` ask for. */
export interface Following {
  /** Whether the command ends after it printed the items that are new now. */
  readonly isOnce: boolean;
  readonly interval: number;
  /** The file that remembers the id of the last printed item. */
  readonly sinceFile: string | undefined;
  readonly most: number;
}

const notFollowed = ['all', 'page', 'resume-from', ...[pageParameters.before, pageParameters.since].map(plainFlag)];

/**
 * @returns undefined without `--follow` and `--since-file`
 * @throws Failure `usage` for flags that cannot be combined
 */
export function followingChoice(flags: ListFlags, {traits}: Session): Following | undefined {
  const {follow, interval, max = Number.POSITIVE_INFINITY, 'since-file': sinceFile} = flags;
  if (!follow && interval !== undefined) throw new Failure('usage', '--interval is for --follow');
  if (!follow && sinceFile === undefined) return undefined;
  const other = notFollowed.find((name) => flags[name] !== undefined);
  const own = `--${follow ? 'follow' : 'since-file'}`;
  if (other !== undefined) throw new Failure('usage', `${own} and --${other} cannot be used together`);
  refuseSeveral(own, flags);
  if (follow && traits.isOneDocument) {
    throw new Failure('usage', '--follow cannot print one JSON document: the list has no end', {
      hint: 'use --output ndjson, which prints one item a line',
    });
  }
  return {isOnce: !follow, interval: interval ?? defaultInterval, sinceFile, most: max};
}

export interface ListSource {
  readonly endpoint: Endpoint;
  readonly request: Request;
  /** Undefined: the first page that has items. */
  readonly paging: PagingChoice | undefined;
  /** Chooses which of the items that were read are printed. */
  readonly selection?: (() => Selection) | undefined;
}

/** @param stop aborted when somebody stops the reading of many pages @throws Failure when only the first page is read, and that fails */
export async function readList(source: ListSource, connection: Connection, stop: () => AbortSignal): Promise<Result> {
  return source.paging === undefined ? readPage(source, connection) : {items: readItems(source, source.paging, connection, stop())};
}

/** Reads one page, which is printed as it was sent. An empty page is not reported as an empty list unless it is the last. */
async function readPage(source: ListSource, connection: Connection): Promise<Result> {
  const {endpoint, request} = source;
  const page = await firstPage(connection.client, {request, endpoint});
  const {answer, more, nulls} = page;
  warnOfAnswer(answer, connection.server.host, connection.session);
  const text = moreNote(page, request, endpoint);
  const notes: Note[] = [...omissionNotes(nulls, endpoint), ...(text === undefined ? [] : [{text, to: 'all' as const}])];
  return {answer, at: endpoint.rows ?? [], passesNulls: endpoint.paging?.nulls !== undefined, isWhole: more === 'no', notes};
}

/** The items of the pages that were asked for, each page requested when it is read. */
async function* readItems(
  {endpoint, request, selection}: ListSource,
  {most, from}: PagingChoice,
  connection: Connection,
  signal: AbortSignal,
): Items {
  await using client = connection.newClient({signal});
  const list = {request: from === undefined ? request : resumeAt(request, from), endpoint, signal};
  const chosen = selection?.();
  let [left, count, nulls] = [most ?? Number.POSITIVE_INFINITY, 0, 0];
  let total: unknown;
  let failure: Failure | undefined;
  try {
    for await (const page of pagesOf(client, {...list, ...(chosen === undefined && {most})})) {
      const {answer} = page;
      warnOfAnswer(answer, client.host, connection.session);
      const items = chosen === undefined ? page.items : page.items.filter((item) => chosen.keeps(item)).slice(0, left);
      left -= items.length;
      count += items.length;
      nulls += page.nulls;
      total = endpoint.paging?.total && at(answer.value, endpoint.paging.total).value;
      yield items;
      if (chosen !== undefined && (left === 0 || chosen.isOver(page.items))) break;
    }
  } catch (error) {
    if (!(error instanceof PageFailure)) throw error;
    failure = interruptedPage(error, connection);
  }
  const omissions = [
    ...omissionNotes(nulls, endpoint),
    ...(chosen?.note === undefined ? [] : [{text: chosen.note, to: 'people' as const}]),
  ];
  if (failure !== undefined) return {notes: omissions, failure};
  const isShort = from === undefined && typeof total === 'number' && count < Math.min(total, most ?? total);
  const short = {
    text: `Showing ${withCommas(count)} of ${withCommas(Number(total))}; ${client.host} does not list the others`,
    to: 'all',
  } as const;
  return {notes: [...omissions, ...(isShort ? [short] : [])]};
}

/** The parameters by which the user asked for a part of a list. */
function partsAsked({query}: Request, {query: fields}: Endpoint): string[] {
  return query.flatMap(([name]) => (fields[name] !== undefined && factsOf(fields[name])?.part === true ? name : []));
}

/** Says that there are more items; undefined if a part was asked for. With `--limit` it is said only of a full page. */
function moreNote({count = 0, passedOver, more, total}: FirstPage, request: Request, endpoint: Endpoint): string | undefined {
  const asked = partsAsked(request, endpoint);
  const [, size = '0'] = request.query.find(([name]) => name === pageParameters.size) ?? [];
  const isShort = more === 'maybe' && count < Number(size);
  if (more === 'no' || isShort || asked.some((name) => name !== pageParameters.size)) return undefined;
  const shown =
    count > 0
      ? `Showing ${withCommas(count)}${total === undefined ? '' : ` of ${withCommas(total)}`}`
      : `The first ${passedOver + 1} pages are empty`;
  const others = count > 0 && total !== undefined ? '' : `; there ${more === 'yes' ? 'are' : 'may be'} more`;
  return `${shown}${others}. --all lists all of them.`;
}

function omissionNotes(count: number, {paging}: Endpoint): Note[] {
  const [one, several] = paging?.nulls ?? [];
  return count === 0 || one === undefined ? [] : [{text: `Passed over ${countNoun(count, one, several)}.`, to: 'people'}];
}

/** The failure of a page, with advice on how to continue. */
function interruptedPage({failure, cursor, pages}: PageFailure, {session}: Connection): Failure {
  const {profile} = session.flags;
  const on = profile === undefined ? '' : `--profile=${profile} `;
  const advice = [
    (isInterruption(failure) ? undefined : hintFor(failure, session.inUse)) ?? [],
    `continue with ${on}--resume-from ${singleQuoted(cursor)}`,
  ].flat();
  return failure.saying(`, after ${countNoun(pages, 'page')}`, {hint: advice.join('; then ')});
}
