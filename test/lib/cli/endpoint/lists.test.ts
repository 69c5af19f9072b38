import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand, server} from '../../../run-command.js';

const path = '/api/v1/notifications';
const link = (query: string) => ({link: `<${server}${path}?${query}>; rel="next"`});
const account = {id: '7', username: 'ben', acct: 'ben', display_name: 'Ben', url: 'https://pix.example/ben'};
const notification = (id: number) => ({id: String(id), type: 'follow', created_at: '2026-05-01T10:00:00.000Z', account});
const text = (id: number) => JSON.stringify(notification(id));

/** A page of these notifications; after the last one, no other. */
function page(query: Record<string, string>, ids: readonly number[], isLast = false) {
  const answer = ids.map(notification);
  return pixelfed()
    .get(path)
    .query(query)
    .reply(200, answer, isLast ? {} : link(`limit=2&max_id=${ids.at(-1)}`));
}

function threePages() {
  page({limit: '2'}, [6, 5]);
  page({limit: '2', max_id: '5'}, [4, 3]);
  page({limit: '2', max_id: '3'}, [2], true);
}

const list = (...words: readonly string[]) => runCommand(['notifications', 'list', '--limit', '2', ...words]);

describe('--all', () => {
  test.each([
    [['--json'], `[\n${[6, 5, 4, 3, 2].map(text).join(',\n')}\n]\n`],
    [['-o', 'ndjson'], [6, 5, 4, 3, 2].map((id) => `${text(id)}\n`).join('')],
    [['-o', 'csv', '--fields', 'id,account.acct'], 'id,account.acct\r\n6,ben\r\n5,ben\r\n4,ben\r\n3,ben\r\n2,ben\r\n'],
    [['-o', 'tsv', '--fields', 'id,type', '--no-header'], '6\tfollow\n5\tfollow\n4\tfollow\n3\tfollow\n2\tfollow\n'],
    [['-o', 'yaml', '--fields', 'id'], '- id: "6"\n- id: "5"\n- id: "4"\n- id: "3"\n- id: "2"\n'],
    [['--fields', 'id,type'], 'id  type\n6   follow\n5   follow\n4   follow\n3   follow\n2   follow\n'],
    [['--json', '--fields', 'id'], '[\n{"id":"6"},\n{"id":"5"},\n{"id":"4"},\n{"id":"3"},\n{"id":"2"}\n]\n'],
    [['--jq', 'map(.id) | join(" ")'], '6 5 4 3 2\n'],
    [['-o', 'ndjson', '--jq', '.id'], '6\n5\n4\n3\n2\n'],
  ])('%j prints the items of every page', async (words, stdout) => {
    threePages();
    expect(await list('--all', ...words)).toEqual({status: 0, stdout, stderr: ''});
  });

  test.each([
    [['--json'], '[]\n', ''],
    [['-o', 'ndjson'], '', ''],
    [[], '', 'No notifications.\n'],
    [['--jq', 'length'], '0\n', ''],
  ])('%j of an empty list', async (words, stdout, stderr) => {
    page({limit: '2', max_id: '1'}, [], true);
    expect(await list('--all', '--max-id', '1', ...words)).toEqual({status: 0, stdout, stderr});
  });

  test('warns once of a mismatch that every page has', async () => {
    const odd = (id: number) => ({...notification(id), type: 5, account: {...account, acct: id}});
    pixelfed()
      .get(path)
      .query({limit: '2'})
      .reply(200, [odd(4), odd(3)], link('limit=2&max_id=3'));
    pixelfed()
      .get(path)
      .query({limit: '2', max_id: '3'})
      .reply(200, [odd(2)]);
    const {stdout, stderr} = await list('--all', '-o', 'ndjson');
    expect(stdout.split('\n')).toHaveLength(4);
    expect(stderr).toMatch(
      /^Warning: schema mismatch in the response of pix\.example: 0\.type: expected string, got number, and 3 more like it\n$/,
    );
  });
});

test('--all warns of fields that later pages have and the table does not', async () => {
  page({limit: '2'}, [6, 5]);
  pixelfed()
    .get(path)
    .query({limit: '2', max_id: '5'})
    .reply(200, [{...notification(4), relay: 'x'}]);
  const {status, stdout, stderr} = await list('--all', '-o', 'csv');
  expect({status, rows: stdout.trim().split('\r\n').length}).toEqual({status: 0, rows: 4});
  expect(stderr).toMatch(/^Warning: no column for relay: /m);
});

test.each([
  [['-o', 'ndjson'], 'with -o ndjson the filter gets one item at a time: write .id, not .[].id'],
  [['--json'], 'compare the filter with the output of --json'],
])('a filter that fails says what it is given with %j', async (format, hint) => {
  page({limit: '2'}, [6], true);
  const {status, stderr} = await list(...format, '--jq', '.[].id.x');
  expect({status, error: JSON.parse(stderr).error}).toMatchObject({status: 9, error: {hint}});
});

describe('--max', () => {
  test('--max ends the list after N items', async () => {
    page({limit: '2'}, [6, 5]);
    page({limit: '2', max_id: '5'}, [4, 3]);
    expect(await list('--max', '3', '-o', 'ndjson', '--jq', '.id')).toMatchObject({status: 0, stdout: '6\n5\n4\n'});
  });

  test.each(['0', '-1', '1.5', 'x', ''])('%j is refused before anything is sent', async (most) => {
    const {status, stdout, stderr} = await list(`--max=${most}`);
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toContain('--max');
  });
});

describe('a page that fails', () => {
  const failed = (query: Record<string, string>, status = 500) => pixelfed().get(path).query(query).reply(status, {error: 'Out of order'});

  test('keeps the printed pages, and names the cursor from which it is resumed', async () => {
    page({limit: '2'}, [6, 5]);
    page({limit: '2', max_id: '5'}, [4, 3]);
    failed({limit: '2', max_id: '3'});
    const {status, stdout, stderr} = await list('--all', '--json');
    expect(status).toBe(7);
    expect(JSON.parse(stdout)).toEqual([6, 5, 4, 3].map(notification));
    const told = JSON.parse(stderr);
    expect(told).toEqual({
      error: {
        code: 'unavailable',
        exit: 7,
        message: expect.stringMatching(/\(500\): Out of order, after 2 pages$/),
        status: 500,
        method: 'GET',
        path,
        hint: expect.stringMatching(/; then continue with --resume-from '\/api\/v1\/notifications\?limit=2&max_id=3'$/),
      },
    });
    const [, cursor = ''] = /--resume-from '(.*)'/.exec(told.error.hint) ?? [];
    page({limit: '2', max_id: '3'}, [2, 1]);
    page({limit: '2', max_id: '1'}, [], true);
    expect(await runCommand(['notifications', 'list', '--resume-from', cursor, '-o', 'ndjson', '--jq', '.id'])).toEqual({
      status: 0,
      stdout: '2\n1\n',
      stderr: '',
    });
  });

  test('a page that fails without a valid token has a hint for the token and for resuming', async () => {
    page({limit: '2'}, [6, 5]);
    failed({limit: '2', max_id: '5'}, 401);
    const {status, stderr} = await list('--all');
    expect(status).toBe(3);
    expect(stderr).toMatch(/Hint: .*correct or unset PIXELCTL_TOKEN; .*; then continue with --resume-from/);
  });

  test.each([['--json'], ['-o', 'ndjson'], ['-o', 'csv'], ['-o', 'yaml'], []])(
    'a page that fails that is the first prints nothing: %s %s',
    async (...words) => {
      failed({limit: '2'});
      const {status, stdout, stderr} = await list('--all', ...words);
      expect({status, stdout}).toEqual({status: 7, stdout: ''});
      expect(stderr).not.toContain('--resume-from');
    },
  );

  test('a page that fails is reported rather than a jq error on the printed pages', async () => {
    page({limit: '2'}, [6, 5]);
    failed({limit: '2', max_id: '5'});
    expect((await list('--all', '--jq', 'error("no")')).status).toBe(7);
  });
});

test.each(['rubbish', 'max_id=5', '/api/v1/blocks?page=2', ''])('--resume-from %j is refused before anything is sent', async (cursor) => {
  const {status, stdout, stderr} = await list(`--resume-from=${cursor}`);
  expect({status, stdout}).toEqual({status: 2, stdout: ''});
  expect(stderr).toContain('cursor');
});
