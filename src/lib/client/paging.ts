/** A list as a stream of pages: one page ahead, without loops, and without what came before. */
import type * as z from 'zod/mini';
import type {Paging} from '../api/endpoint.js';
import {itemsOf} from '../json/items.js';
import type {Answer} from './answer.js';
import type {Client} from './client.js';
import type {PlannedRequest} from './encode.js';
import {Failure} from './failure.js';
import {nextQuery, type PageQuery} from './next-page.js';
import {RecentItems} from './recent-items.js';

/** How many pages in a row may bring nothing new before a list counts as going round in circles. */
const mostStalePages = 3;
/** The same for empty pages, of which servers that filter after paging send many. */
const mostEmptyPages = 1000;

export interface Page {
  readonly answer: Answer;
  /** The items as text, without those of earlier pages and those beyond the bounds that were asked for. */
  readonly items: readonly string[];
  /** What `--resume-from` takes to begin with this page. */
  readonly cursor: string;
}

export interface ListRequest {
  readonly request: PlannedRequest;
  readonly schema: z.ZodMiniType;
  readonly paging: Paging;
  readonly rows: readonly string[];
  /** Items at the most; endless if absent. */
  readonly most?: number | undefined;
}

/** A cursor is the query of a page, as it stands in a URL. */
function cursorOf(query: PageQuery): string {
  return new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
}

/** @throws Failure `usage` for what is no cursor */
export function queryOf(cursor: string): PageQuery {
  const query = [...new URLSearchParams(cursor)];
  if (query.length === 0 || query.some(([name]) => !/^[a-z_]+(\[\])?$/.test(name))) {
    throw new Failure('usage', 'That is no cursor', {hint: 'give the one that the hint of an interrupted list printed'});
  }
  return query;
}

/** A failure on the way, with the place to go on from. */
export class PageFailure extends Failure {
  constructor(
    failure: Failure,
    readonly cursor: string,
    readonly pages: number,
  ) {
    super(failure.code, failure.message, failure.details);
  }
}

/**
 * The pages of a list. The next page is asked for while the last one is being used, never more than one ahead, and
 * none beyond `most` items. Ends where the server says so, and where it goes round in circles.
 * @throws PageFailure when a page after the first fails; Failure when the first does
 */
export async function* pagesOf(client: Client, list: ListRequest): AsyncGenerator<Page> {
  const {request, schema, paging, rows, most = Number.POSITIVE_INFINITY} = list;
  const recent = new RecentItems(request.query);
  const seen = new Set([cursorOf(request.query)]);
  let given = 0;
  let pages = 0;
  let stale = 0;
  let empty = 0;

  const fetch = (query: PageQuery) => {
    const answer = client.send({...request, query}, schema);
    // Whoever awaits the page sees its failure; a page that nobody awaits any more has none to tell.
    answer.catch(() => undefined);
    return {query, answer};
  };

  let coming: ReturnType<typeof fetch> | undefined = fetch(request.query);
  while (coming !== undefined) {
    const {query} = coming;
    const answer = await coming.answer.catch((error: unknown) => {
      if (pages > 0 && error instanceof Failure) throw new PageFailure(error, cursorOf(query), pages);
      throw error;
    });
    pages++;
    const {texts} = itemsOf(answer.text, rows);
    const {items, isBeyond} = recent.sift(texts);
    stale = items.length === 0 && texts.length > 0 ? stale + 1 : 0;
    empty = texts.length === 0 ? empty + 1 : 0;
    const next = nextQuery(paging, answer, query);
    const cursor = next === undefined ? '' : cursorOf(next);
    const goesOn = !isBeyond && !seen.has(cursor) && stale < mostStalePages && empty < mostEmptyPages;
    const taken = items.slice(0, most - given);
    given += taken.length;
    seen.add(cursor);
    if (seen.size > 10_000) for (const oldest of seen.values().take(1)) seen.delete(oldest);
    coming = next !== undefined && goesOn && given < most ? fetch(next) : undefined;
    yield {answer, items: taken, cursor: cursorOf(query)};
  }
}
