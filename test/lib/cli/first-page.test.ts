/** Lists of which one page is printed: what is said of the others, by every command that lists. */
import {describe, expect, test} from 'vitest';
import {endpoints} from '../../../src/lib/api/index.js';
import {isPaged} from '../../../src/lib/cli/pages.js';
import {pixelfed, runCommand} from '../../run-command.js';

interface List {
  readonly words: readonly string[];
  readonly path: string;
  /** Items on a full page; undefined where no page is ever sure to be followed by another. */
  readonly full: number | undefined;
  /** The answer, and the query of the next page. */
  readonly answer: (items: readonly unknown[], more: boolean) => readonly [body: unknown, headers: Record<string, string>];
  readonly next: Readonly<Record<string, string>>;
}

const byLink =
  (path: string, query: string): List['answer'] =>
  (items, more) => [items, more ? {link: `<https://pix.example${path}?${query}>; rel="next"`} : {}];

const lists: Readonly<Record<string, List>> = {
  'list conversations': {
    words: ['dm', 'list'],
    path: '/api/v1.1/direct/conversations',
    full: 20,
    answer: (items, more) => [{data: items, meta: {filter: 'primary', next_cursor: more ? 'abc' : null, prev_cursor: null}}, {}],
    next: {cursor: 'abc'},
  },
  'list messages': {
    words: ['dm', 'messages', '5'],
    path: '/api/v1.1/direct/conversations/5/messages',
    full: 20,
    answer: (items, more) => [{data: items, meta: {has_more: more, newest_id: '9', oldest_id: '7'}}, {}],
    next: {max_id: '7'},
  },
  'list mutuals': {
    words: ['dm', 'mutuals'],
    path: '/api/v1.1/direct/compose/mutuals',
    full: undefined,
    answer: (items, more) => [{data: items, has_more: more, next_cursor: more ? 7 : null, total_count: 26}, {}],
    next: {cursor: '7'},
  },
  'list blocks': {
    words: ['blocks', 'list'],
    path: '/api/v1/blocks',
    full: 40,
    answer: byLink('/api/v1/blocks', 'page=2'),
    next: {page: '2'},
  },
  'list mutes': {words: ['mutes', 'list'], path: '/api/v1/mutes', full: 40, answer: byLink('/api/v1/mutes', 'page=2'), next: {page: '2'}},
  'list domain blocks': {
    words: ['domain-blocks', 'list'],
    path: '/api/v1/domain_blocks',
    full: 100,
    answer: byLink('/api/v1/domain_blocks', 'cursor=abc'),
    next: {cursor: 'abc'},
  },
  'list notifications': {
    words: ['notifications', 'list'],
    path: '/api/v1/notifications',
    full: undefined,
    answer: byLink('/api/v1/notifications', 'max_id=7'),
    next: {max_id: '7'},
  },
};

const names = Object.keys(lists);

function itemsOf(count: number, {words}: List): unknown[] {
  return Array.from({length: count}, (_, index) => (words[0] === 'domain-blocks' ? `${index}.example` : {id: String(100 + index)}));
}

/** A table of messages asks for their senders as well. */
function page({path, answer}: List, items: readonly unknown[], more: boolean, query: Readonly<Record<string, string>> = {}) {
  const [body, headers] = answer(items, more);
  if (path.endsWith('/messages')) pixelfed().get(path.replace('/messages', '')).optionally().reply(200, {participants: []});
  pixelfed()
    .get(path)
    .query(query)
    .reply(200, JSON.stringify(body), {'content-type': 'application/json', ...headers});
}

/** Standard error without the notes of the tables. */
async function said(words: readonly string[]) {
  const {status, stderr} = await runCommand(words);
  return {status, stderr};
}

test('the table contains every list with pages', () => {
  expect(names.toSorted()).toEqual(
    endpoints
      .filter(isPaged)
      .map(({name}) => name)
      .toSorted(),
  );
});

describe.each(Object.entries(lists))('%s', (_, list) => {
  const total = list.words[1] === 'mutuals' ? ' of 26' : '';
  const {full = 30, words} = list;
  const all = `To list all: pixelctl ${words.join(' ')} --all\n`;

  test.each([[[]], [['--json']], [['-o', 'ndjson']], [['-o', 'csv']], [['--jq', '.']]])(
    'notes that more follow a full page, with %j',
    async (flags) => {
      page(list, itemsOf(full, list), true);
      const {status, stderr} = await said([...words, ...flags]);
      const are = list.full === undefined ? 'may be' : 'are';
      const typed = flags.length === 0 ? '' : flags[0] === '--json' ? ' --json' : flags[0] === '--jq' ? ' --jq=.' : ` --output=${flags[1]}`;
      expect({status, stderr}).toEqual({
        status: 0,
        stderr: `Showing ${full}${total}; there ${are} more. To list all: pixelctl ${words.join(' ')}${typed} --all --server=https://pix.example\n`,
      });
    },
  );

  test('notes that more may follow a short page', async () => {
    page(list, itemsOf(3, list), true);
    expect((await said([...words])).stderr).toMatch(new RegExp(`^Showing 3${total}; there may be more\\. ${all.slice(0, -1)}`));
  });

  test('prints no note for the last page', async () => {
    page(list, itemsOf(3, list), false);
    expect(await said(words)).toEqual({status: 0, stderr: ''});
  });

  test('prints no note with --quiet', async () => {
    page(list, itemsOf(full, list), true);
    expect(await said([...words, '--quiet'])).toEqual({status: 0, stderr: ''});
  });

  test('skips empty pages, and prints the first page with items unmodified', async () => {
    page(list, [], true);
    page(list, itemsOf(2, list), false, list.next);
    const {stdout, stderr} = await runCommand([...words, '--json']);
    expect({stdout: JSON.parse(stdout), stderr}).toEqual({stdout: list.answer(itemsOf(2, list), false)[0], stderr: ''});
  });
});

describe('a list with a limit or cursor', () => {
  test.each([
    ['list blocks', '--limit', 'limit'],
    ['list mutes', '--page', 'page'],
    ['list domain blocks', '--cursor', 'cursor'],
    ['list conversations', '--cursor', 'cursor'],
    ['list messages', '--max-id', 'max_id'],
    ['list notifications', '--min-id', 'min_id'],
    ['list notifications', '--since-id', 'since_id'],
  ])('prints no note: %s %s', async (name, flag, field) => {
    const list = lists[name];
    if (list === undefined) throw new Error(name);
    page(list, itemsOf(3, list), true, {[field]: '2'});
    expect(await said([...list.words, flag, '2'])).toEqual({status: 0, stderr: ''});
  });
});

describe('empty pages', () => {
  const notifications = '/api/v1/notifications';
  const empty = (from: number | undefined, to: number) =>
    pixelfed()
      .get(notifications)
      .query(from === undefined ? {} : {max_id: String(from)})
      .reply(200, '[]', {link: `<https://pix.example${notifications}?max_id=${to}>; rel="next"`});

  test('are skipped at most ten times, and then not reported as an empty list', async () => {
    empty(undefined, 100);
    for (let turn = 0; turn < 10; turn += 1) empty(100 - turn, 99 - turn);
    expect(await runCommand(['notifications', 'list'])).toEqual({
      status: 0,
      stdout: '',
      stderr:
        'The first 11 pages are empty; there may be more. To list all: pixelctl notifications list --all --server=https://pix.example\n',
    });
  });

  test('whose next page is itself end the list', async () => {
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

  test.each([[['--all']], [['--all', '--json']], [['--max', '20']]])('has a note: %j', async (flags) => {
    pixelfed().get(mutuals).reply(200, reply(true)).get(mutuals).query({cursor: '9'}).reply(200, reply(true));
    expect((await runCommand(['dm', 'mutuals', ...flags])).stderr).toBe('Showing 2 of 26; pix.example does not list the others\n');
  });

  test.each([
    ['--max', '1'],
    ['--quiet', '--all'],
  ])('has no note with %s %s', async (...flags) => {
    pixelfed().get(mutuals).reply(200, reply(false));
    expect((await runCommand(['dm', 'mutuals', ...flags])).stderr).toBe('');
  });
});
