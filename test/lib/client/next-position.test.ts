/** The next page that an answer names, for each way in which lists are divided, and the bounds of a list. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Paging} from '../../../src/lib/api/endpoint.js';
import {
  isPagedUpwards,
  keyOf,
  ListBounds,
  nextPosition,
  RecentKeys,
  resumeAt,
  saysMore,
  type PagePosition,
} from '../../../src/lib/client/paging.js';
import {parseExact} from '../../../src/lib/json/exact.js';
import type {Request} from '../../../src/lib/client/request.js';

const answer = (value: unknown, link?: string, text = JSON.stringify(value)) => ({
  exact: parseExact(text),
  status: 200,
  headers: link === undefined ? {} : {link},
  text,
  value,
  mismatches: [],
});
const page = (...query: [string, string][]): PagePosition => ({path: '/a', query});
const listOf = (paging: Paging | undefined) => ({query: {}, ...(paging && {paging})});

const cursor = {by: 'cursor', next: ['next'], parameter: 'cursor', more: ['more']} as const;
const bounds = {by: 'bounds', oldest: ['oldest'], newest: ['newest'], more: ['more']} as const;
const number = {by: 'number', parameter: 'page', maxEmpty: 3} as const;
const link = {by: 'link'} as const;

describe('the next page', () => {
  test('of a list without pages is none', () => {
    expect(nextPosition(listOf(undefined), answer({next: 'x'}, '</a?b=1>; rel=next'), page(), page())).toBeUndefined();
  });

  test.each([
    [{next: 'x', more: true}, 'x'],
    [{next: 'x', more: null}, 'x'],
    [{next: 'x'}, 'x'],
    [{next: 'x', more: false}, undefined],
    [{next: '', more: true}, undefined],
    [{next: null}, undefined],
    [{next: 7}, '7'],
    [[], undefined],
  ])('by cursor after %j', (value, next) => {
    const found = nextPosition(listOf(cursor), answer(value), page(['limit', '2'], ['cursor', 'w']), page());
    expect(found).toEqual(next === undefined ? undefined : page(['limit', '2'], ['cursor', next]));
  });

  test('by a cursor that is not valid text is a bad answer', () => {
    const text = String.raw`{"next":"\ud800"}`;
    expect(() => nextPosition(listOf(cursor), answer(JSON.parse(text), undefined, text), page(), page())).toThrow(
      expect.objectContaining({code: 'bad_answer', message: 'The response cannot be used: next is not valid text'}),
    );
  });

  test('by bounds goes down, and up from a lower bound', () => {
    const value = {oldest: '3', newest: '9', more: true};
    const next = (first: PagePosition) => nextPosition(listOf(bounds), answer(value), first, first);
    expect(next(page(['max_id', '10']))).toEqual(page(['max_id', '3']));
    expect(next(page(['min_id', '1']))).toEqual(page(['min_id', '9']));
    expect(next(page(['since_id', '1']))).toEqual(page(['since_id', '1'], ['max_id', '3']));
    expect(isPagedUpwards(listOf(bounds), page(['min_id', '1']))).toBe(true);
    expect(isPagedUpwards(listOf(cursor), page(['min_id', '1']))).toBe(false);
    expect(isPagedUpwards(listOf(undefined), page(['min_id', '1']))).toBe(false);
  });

  test.each([
    [page(), 0, '2'],
    [page(['page', '1']), 0, '2'],
    [page(['page', '9007199254740993']), 2, '9007199254740994'],
    [page(['page', 'x']), 0, '2'],
    [page(['page', '1x']), 0, '2'],
    [page(['page', '4']), 3, undefined],
  ])('by number after %j and %i empty pages', (asked, empty, next) => {
    const found = nextPosition(listOf(number), answer([]), asked, asked, empty);
    expect(found?.query).toEqual(next === undefined ? undefined : [['page', next]]);
  });

  const forward = Buffer.from('{"_pointsToNextItems":true}').toString('base64url');
  const back = Buffer.from('{"_pointsToNextItems":false}').toString('base64url');

  test.each([
    ['</b?c=1>; rel="next"', '/b?c=1'],
    ['<b?c=1>; rel=next', '/b?c=1'],
    ['< https://elsewhere.example/b?c=1 >; rel="next"', '/b?c=1'],
    ['</b>; REL=NEXT', '/b?'],
    ['</b>; rel="next",</c>; rel="prev"', '/b?'],
    ['</b>; title="a, <b>; rel=\\"prev"; rel="next"', '/b?'],
    ['</b?page=2&ids=1,2>; rel="next"', '/b?page=2&ids=1,2'],
    ['</b>; title="; rel=next"; rel="prev"', undefined],
    ['<mailto:someone@pix.example>; rel="next"', undefined],
    ['rel="next"', undefined],
    ['</b>; title="a, \\" b"; rel="first next"', '/b?'],
    ['</b>; rel="prev", </c>; rel="next"', '/c?'],
    ['</b>;rel=next;rel=prev', '/b?'],
    ['</b>; rel="nextone"', undefined],
    ['</b>; rel="prev"', undefined],
    ['</b>', undefined],
    ['', undefined],
    ['/b; rel="next"', undefined],
    ['<ftp://a.example/b>; rel="next"', undefined],
    ['<http://[x>; rel="next"', undefined],
    ['<http://[x>; rel="next", </c>; rel=next', '/c?'],
    [`</b?cursor=${forward}>; rel="prev"`, `/b?cursor=${forward}`],
    [`</b?cursor=${back}>; rel="next"`, undefined],
    [`</b?cursor=${back}>; rel="next", </b?cursor=${forward}>; rel="prev"`, `/b?cursor=${forward}`],
    [`</b?cursor=${forward}>; rel="first"`, undefined],
    ['</b?cursor=e30>; rel="next"', '/b?cursor=e30'],
    ['</b?cursor=***>; rel="next"', '/b?cursor=***'],
  ])('by the link %s', (header, next) => {
    const found = nextPosition(listOf(link), answer([], header), page(), page());
    expect(found && `${found.path}?${found.query.map((pair) => pair.join('=')).join('&')}`).toBe(next);
  });
});

test.each([
  [undefined, {more: true}, true, false],
  [link, {more: true}, true, false],
  [number, {more: true}, true, false],
  [cursor, {more: true}, false, true],
  [cursor, {more: false}, true, false],
  [cursor, {more: 'true'}, true, false],
  [cursor, {}, true, false],
  [{by: 'cursor', next: ['next'], parameter: 'cursor'} as const, {}, true, true],
  [{by: 'cursor', next: ['next'], parameter: 'cursor'} as const, {}, false, false],
  [{...cursor, endsAtKnown: true} as const, {more: true}, true, false],
  [bounds, {more: true}, false, true],
])('whether there is more by %j after %j and a next page: %s', (paging, value, hasNext, says) => {
  expect(saysMore(listOf(paging), answer(value), hasNext ? page() : undefined)).toBe(says);
});

describe('the bounds of a list', () => {
  const id = fc.nat(20);
  const text = (number: number) => String(number);

  test('the bounds of a list keep what is strictly between them, and tell when all that follows is beyond', () => {
    const bound = fc.option(id, {nil: undefined});
    fc.assert(
      fc.property(bound, bound, bound, bound, fc.boolean(), id, (min, since, newerThan, max, isUp, item) => {
        const query: [string, string][] = [];
        if (min !== undefined) query.push(['min_id', text(min)]);
        if (since !== undefined) query.push(['since_id', text(since)]);
        if (max !== undefined) query.push(['max_id', text(max)]);
        const list = new ListBounds(page(...query), isUp, newerThan === undefined ? undefined : text(newerThan));
        const above = Math.max(-1, ...[min, since, newerThan].flatMap((one) => one ?? []));
        const [isLow, isHigh] = [item <= above, max !== undefined && item >= max];
        expect(list.check(text(item))).toEqual({isWithin: !isLow && !isHigh, isBeyond: isUp ? isHigh : isLow});
        expect(list.check('none')).toEqual({isWithin: true, isBeyond: false});
        const hasLower = above >= 0;
        expect(list.excludes(page(['max_id', text(item)]))).toBe(!isUp && hasLower && item - 1 <= above);
        expect(list.excludes(page(['min_id', text(item)]))).toBe(isUp && max !== undefined && item + 1 >= max);
        expect(list.excludes(page())).toBe(false);
      }),
    );
  });
});

describe('the cursor of an interrupted list', () => {
  const request: Request = {
    method: 'GET',
    path: '/api/v1/a',
    query: [['limit', '5']],
    headers: {},
    token: 'required',
    repeat: 'harmless',
    isWrite: false,
    secrets: [],
  };

  test('replaces the query', () => {
    expect(resumeAt(request, '/api/v1/a?max_id=3&types%5B%5D=x')).toEqual({
      ...request,
      query: [
        ['max_id', '3'],
        ['types[]', 'x'],
      ],
    });
  });

  test.each([
    '',
    'rubbish',
    'page=2',
    '/api/v1/a',
    '/api/v1/a?',
    'api/v1/a?b=1',
    '/api/v1/a?b',
    '/api/v1/a?b=',
    '/api/v1/a?b=1 ',
    '/api/v1/a?=1',
    '/api/v1/a?b=1#c',
    '/api/v1/a?b= 1',
    '/api /v1/a?b=1',
    '/api/v1/a?b=1\n',
  ])('is not valid as %j', (cursor) => {
    expect(() => resumeAt(request, cursor)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: 'The cursor is not valid',
        details: {hint: 'use the cursor that an interrupted list printed'},
      }),
    );
  });

  test('belongs to one list', () => {
    expect(() => resumeAt(request, '/api/v1/b?c=1')).toThrow('The cursor belongs to another list: /api/v1/b');
  });
});

describe('the keys of items', () => {
  test.each([
    ['"a.example"', 'a.example'],
    ['{"id":"7"}', '7'],
    ['{"id":12345678901234567890}', '12345678901234567890'],
    ['{"id":null,"b":1}', '{"id":null,"b":1}'],
    ['{"id":{}}', '{"id":{}}'],
    ['7', '7'],
    ['["x"]', '["x"]'],
  ])('of %s is %s', (text, key) => {
    expect(keyOf(parseExact(text))).toBe(key);
  });

  test('are known once each, the last 10,000 and some before them', () => {
    const keys = new RecentKeys();
    const add = (count: number, first = 0) => Array.from({length: count}, (_, index) => keys.add(String(first + index)));
    expect(add(10_000).every(Boolean)).toBe(true);
    expect(add(10_000).some(Boolean)).toBe(false);
    expect(keys.add('one more')).toBe(true);
    expect([keys.add('0'), keys.add('9999'), keys.add('one more')]).toEqual([false, false, false]);
    expect(add(10_000, 20_000).every(Boolean)).toBe(true);
    expect([keys.add('one more'), keys.add('0')]).toEqual([false, true]);
  });

  test.each([200, 201, 5000])('that are %i characters long are told apart by their last one', (length) => {
    const keys = new RecentKeys();
    const long = 'x'.repeat(length - 1);
    expect([keys.add(`${long}a`), keys.add(`${long}b`), keys.add(`${long}a`), keys.add(`${long}b`)]).toEqual([true, true, false, false]);
  });
});
