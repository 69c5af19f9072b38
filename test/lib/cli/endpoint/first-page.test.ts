/** Lists of which one page is printed: what is said of the others, by every command that lists. */
import {kinds} from '../../../../src/lib/api/kinds.js';
import {describe, expect, test} from 'vitest';
import {factsOf, membersOf} from '../../../../src/lib/api/schema.js';
import {at} from '../../../../src/lib/json/path.js';
import {isPaged, type PagedEndpoint, type Row} from '../../../endpoints/row.js';
import {table} from '../../../endpoints/table.js';
import {pixelfed, runCommand} from '../../../run-command.js';

interface List {
  readonly endpoint: PagedEndpoint;
  /** A whole answer. */
  readonly example: unknown;
  readonly words: readonly string[];
  readonly path: string;
  /** The answer with these items, and its headers. */
  readonly answer: (items: readonly unknown[], more: boolean) => readonly [body: unknown, headers: Record<string, string>];
  /** The query of the next page. */
  readonly next: Readonly<Record<string, string>>;
}

/** A copy of an answer with other values at some places. */
function changed(example: unknown, places: readonly (readonly [path: readonly string[], value: unknown])[]): unknown {
  return places.reduce((whole, [path, value]) => replaced(whole, path, value), example);
}

function replaced(whole: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  return {...membersOf(whole), [name]: replaced(membersOf(whole)[name], rest, value)};
}

/** The parameter that leads to the next page. */
function parameterOf({paging, query}: PagedEndpoint): string {
  if (paging.by === 'cursor' || paging.by === 'number') return paging.parameter;
  return ['cursor', 'page', 'max_id'].find((name) => name in query) ?? '';
}

function listOf({command, answer: example}: Row, endpoint: PagedEndpoint): List {
  const {paging, rows = []} = endpoint;
  const path = endpoint.path.replaceAll(/\{\w+\}/g, '5');
  const next = {[parameterOf(endpoint)]: paging.by === 'number' ? '2' : '7'};
  const places = (more: boolean): readonly (readonly [readonly string[], unknown])[] => {
    const total = paging.total === undefined ? [] : [[paging.total, 26] as const];
    if (paging.by === 'link' || paging.by === 'number') return total;
    if (paging.by === 'bounds') return [...total, [paging.more, more], [paging.oldest, '7'], [paging.newest, '9']];
    const mark = typeof at(example, paging.next).value === 'number' ? 7 : '7';
    return [...total, [paging.next, more ? mark : null], ...(paging.more === undefined ? [] : [[paging.more, more] as const])];
  };
  const link: Record<string, string> = {link: `<https://pix.example${path}?${new URLSearchParams(next)}>; rel="next"`};
  return {
    endpoint,
    example,
    words: [...command.split(' '), ...Object.keys(endpoint.pathFields).map(() => '5')],
    path,
    answer: (items, more) => [changed(example, [[rows, items], ...places(more)]), paging.by === 'link' && more ? link : {}],
    next,
  };
}

/** An empty first page of some lists is read once more after a pause, where one is allowed. */
const withoutPause = ['--max-wait', '0'];

/** Every list with pages that has a command. */
const lists = table.flatMap((row) => (isPaged(row.endpoint) ? [listOf(row, row.endpoint)] : []));

function itemsOf(count: number, {example, endpoint: {rows = []}}: List): unknown[] {
  const isPlain = typeof at(example, [...rows, 0]).value === 'string';
  const hasNumbers = typeof at(example, [...rows, 0, 'id']).value === 'number';
  const id = (index: number) => (hasNumbers ? 100 + index : String(100 + index));
  return Array.from({length: count}, (_, index) => (isPlain ? `${index}.example` : {id: id(index)}));
}

/** A table of messages asks for their senders as well. */
function page({path, answer, endpoint}: List, items: readonly unknown[], more: boolean, query: Readonly<Record<string, string>> = {}) {
  const [body, headers] = answer(items, more);
  if (endpoint.items === kinds.message) pixelfed().get(path.replace('/messages', '')).optionally().reply(200, {participants: []});
  pixelfed()
    .get(path)
    .query({...endpoint.always, ...query})
    .reply(200, JSON.stringify(body), {'content-type': 'application/json', ...headers});
}

/** Standard error without the notes of the tables. */
async function said(words: readonly string[]) {
  const {status, stderr} = await runCommand(words);
  return {status, stderr};
}

test('there are lists with pages', () => {
  expect(lists.map(({words}) => words.join(' '))).toContain('blocks list');
});

describe.each(lists.map((list) => [list.words.join(' '), list] as const))('%s', (_, list) => {
  const {words, endpoint} = list;
  const {pageSize, total: hasTotal} = endpoint.paging;
  const total = hasTotal === undefined ? '' : ' of 26';
  const full = pageSize ?? 30;
  const all = '--all lists all of them.\n';
  /** Of the last page, where the answer does not tell that it is the last. */
  const noteOfLast = (count: number) => (endpoint.paging.by === 'number' ? `Showing ${count}; there may be more. ${all}` : '');

  test.each<readonly [count: number, flags: readonly string[]]>([
    [3, []],
    [full, []],
    [full, ['--json']],
    [full, ['-o', 'ndjson']],
    [full, ['-o', 'csv']],
    [full, ['--jq', '.']],
  ])('notes that more follow a page of %i, with %j', async (count, flags) => {
    page(list, itemsOf(count, list), true);
    const are = pageSize === undefined || count < full ? 'may be' : 'are';
    const note = `Showing ${count}${total}${total === '' ? `; there ${are} more` : ''}. ${all}`;
    expect(await said([...words, ...flags])).toEqual({status: 0, stderr: note});
  });

  test('prints no note for the last page, where the answer tells that it is', async () => {
    page(list, itemsOf(3, list), false);
    expect(await said(words)).toEqual({status: 0, stderr: noteOfLast(3)});
  });

  test('prints no note with --quiet', async () => {
    page(list, itemsOf(full, list), true);
    expect(await said([...words, '--quiet'])).toEqual({status: 0, stderr: ''});
  });

  test('skips pages without items, and prints the first page with items unmodified', async () => {
    // Where rows may be null, a page without any is the last.
    page(list, endpoint.paging.nulls === undefined ? [] : [null], true);
    page(list, itemsOf(2, list), false, list.next);
    const {stdout, stderr} = await runCommand([...words, '--json', ...withoutPause]);
    const said = noteOfLast(2);
    expect({stdout: JSON.parse(stdout), stderr}).toEqual({stdout: list.answer(itemsOf(2, list), false)[0], stderr: said});
  });
});

describe('a list of which a part is asked for', () => {
  const fields = lists.flatMap((list) =>
    Object.entries(list.endpoint.query).map(([name, schema]) => ({list, name, facts: factsOf(schema)})),
  );
  const parts = fields.filter(({facts}) => facts?.part === true);

  test.each(parts.map((one) => [one.list.words.join(' '), one.name, one.list] as const))(
    'prints no note: %s, %s',
    async (_, name, list) => {
      page(list, itemsOf(name === 'limit' ? 1 : 3, list), true, {[name]: '2'});
      expect(await said([...list.words, `--${name.replaceAll('_', '-')}`, '2'])).toEqual({status: 0, stderr: ''});
    },
  );

  const sized = lists.filter(({endpoint: {query}}) => 'limit' in query);

  test.each(sized.map((list) => [list.words.join(' '), list] as const))(
    'notes that more follow where a page of %s is full, and the answer names the next one',
    async (_, list) => {
      const are = list.endpoint.paging.pageSize === undefined ? 'may be' : 'are';
      for (const more of [true, false]) {
        page(list, itemsOf(2, list), more, {limit: '2'});
        const {status, stderr} = await said([...list.words, '--limit', '2']);
        const note = `Showing 2; there ${are} more. --all lists all of them.\n`;
        expect({status, stderr}).toEqual({status: 0, stderr: more ? note : ''});
      }
    },
  );

  test.each(fields.map((one) => [one.list.words.join(' '), one.name, one.facts] as const))(
    '%s %s chooses by kind or by a text, or asks for a part',
    (_list, name, facts) => {
      expect(facts?.part === true).toBe(facts?.known === undefined && name !== 'q');
    },
  );
});

describe('empty pages', () => {
  const notifications = '/api/v1/notifications';
  const empty = (from: number | undefined, to: number) =>
    pixelfed()
      .get(notifications)
      .query(from === undefined ? {} : {max_id: String(from)})
      .reply(200, '[]', {link: `<https://pix.example${notifications}?max_id=${to}>; rel="next"`});

  test('empty pages are skipped at most ten times, and then not reported as an empty list', async () => {
    empty(undefined, 100);
    for (let turn = 0; turn < 10; turn += 1) empty(100 - turn, 99 - turn);
    expect(await runCommand(['notifications', 'list', ...withoutPause])).toEqual({
      status: 0,
      stdout: '',
      stderr: `The first 11 pages are empty; there may be more. --all lists all of them.\n`,
    });
  });

  test('empty pages whose next page is itself end the list', async () => {
    pixelfed()
      .get(notifications)
      .query({max_id: '5'})
      .reply(200, '[]', {link: `<https://pix.example${notifications}?max_id=5>; rel="next"`});
    expect(await runCommand(['notifications', 'list', '--max-id', '5'])).toEqual({status: 0, stdout: '', stderr: 'No notifications.\n'});
  });
});

describe('a list that ends before its total', () => {
  const mutuals = '/api/v1.1/direct/compose/mutuals';
  const reply = (more: boolean) => ({
    data: [
      {id: '1', acct: 'a'},
      {id: '2', acct: 'b'},
    ],
    has_more: more,
    next_cursor: 9,
    total_count: 26,
  });

  test.each([[['--all']], [['--all', '--json']], [['--max', '20']]])('a list that ends before its total has a note: %j', async (flags) => {
    pixelfed().get(mutuals).reply(200, reply(true)).get(mutuals).query({cursor: '9'}).reply(200, reply(true));
    expect((await runCommand(['dm', 'mutuals', ...flags])).stderr).toBe('Showing 2 of 26; pix.example does not list the others\n');
  });

  test.each([
    ['--max', '1'],
    ['--quiet', '--all'],
  ])('a list that ends before its total has no note with %s %s', async (...flags) => {
    pixelfed().get(mutuals).reply(200, reply(false));
    expect((await runCommand(['dm', 'mutuals', ...flags])).stderr).toBe('');
  });
});
