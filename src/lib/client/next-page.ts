/** Where the next page of a list is: each kind of list says it in its own way. */
import type {Paging} from '../api/endpoint.js';
import {at, identifierAt} from '../json/path.js';
import type {Answer} from './answer.js';
import type {PlannedRequest} from './encode.js';

/** The query of a page. */
export type PageQuery = PlannedRequest['query'];

/** The `next` of a `Link` header: only its query counts, on the configured server and the path that was asked. */
function linkedQuery(header: string | undefined): PageQuery | undefined {
  const next = (header ?? '').split(/,\s*(?=<)/).find((link) => /;\s*rel="?next"?/i.test(link));
  const address = /<([^>]*)>/.exec(next ?? '')?.[1];
  if (address === undefined || !URL.canParse(address, 'https://server.invalid')) return undefined;
  return [...new URL(address, 'https://server.invalid').searchParams];
}

/** The asked query with some of its parameters replaced; lists (`types[]`) are replaced as a whole. */
function replaced(query: PageQuery, by: PageQuery): PageQuery {
  const names = new Set(by.map(([name]) => name));
  return [...query.filter(([name]) => !names.has(name)), ...by];
}

function textAt(answer: Answer, path: readonly string[]): string | undefined {
  const text = identifierAt(answer.text, path);
  return text === undefined || text === '' ? undefined : text;
}

function saysNoMore(answer: Answer, path: readonly string[]): boolean {
  return at(answer.value, path).value === false;
}

/** The query of the page after this answer; undefined at the end. The bounds that were asked for stay in it. */
export function nextQuery(paging: Paging, answer: Answer, asked: PageQuery): PageQuery | undefined {
  if (paging.by === 'link') {
    const linked = linkedQuery(answer.headers['link']);
    return linked === undefined ? undefined : replaced(asked, linked);
  }
  if (paging.more !== undefined && saysNoMore(answer, paging.more)) return undefined;
  if (paging.by === 'cursor') {
    const cursor = textAt(answer, paging.next);
    return cursor === undefined ? undefined : replaced(asked, [[paging.parameter, cursor]]);
  }
  // From a lower bound the pages go up, else down: https servers let `min_id` win when both are given.
  const isUpwards = asked.some(([name]) => name === 'min_id');
  const bound = textAt(answer, isUpwards ? paging.newest : paging.oldest);
  return bound === undefined ? undefined : replaced(asked, [[isUpwards ? 'min_id' : 'max_id', bound]]);
}
