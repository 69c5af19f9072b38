/** The queue of reports: how it is read to its end, what is shown of it, and what can be done with it. */
import nock from 'nock';
import {expect, test} from 'vitest';
import {recordingsIn} from '../lib/sandbox/recording.js';
import {expectFailure, pixelfed, runCommand, server} from '../run-command.js';

const path = '/api/admin/mod-reports';
const text = recordingsIn('0.12.6', 'admin').find(({name}) => name === 'reports-exact-text')?.response.text ?? '';
const exactId = '1029945878830809392';

/** Pages by their number; those that are not given are empty. @returns the numbers that were asked for */
function queue(pages: Readonly<Record<number, string>>): readonly number[] {
  const asked: number[] = [];
  nock(server)
    .persist()
    .get(`${path}/list`)
    .query(({page}) => {
      asked.push(Number(page ?? 1));
      return true;
    })
    .reply(() => {
      const page = asked.at(-1) ?? 1;
      return [200, pages[page] ?? '[]', {'content-type': 'application/json'}];
    });
  return asked;
}

const upTo = (last: number): readonly number[] => Array.from({length: last}, (_, index) => index + 1);

test('a list of reports ends after ten empty pages in a row', async () => {
  const asked = queue({1: '[{"id":9}]', 3: '[{"id":5}]', 13: '[{"id":2}]'});
  const {stdout, status} = await runCommand(['reports', 'list', '--all', '--jq', '.[].id']);
  expect({stdout, status}).toEqual({stdout: '9\n5\n2\n', status: 0});
  expect(asked).toEqual(upTo(23));
});

test('reports in `data` are read as well, to their end', async () => {
  queue({1: '{"data":[{"id":9}]}', 2: '{"data":[{"id":5}]}', 3: '{"data":[]}'});
  const {stdout, stderr, status} = await runCommand(['reports', 'list', '--all', '--jq', '.[].id']);
  expect({stdout, stderr, status}).toEqual({stdout: '9\n5\n', stderr: '', status: 0});
});

test('an empty queue is said to be empty after ten pages', async () => {
  const asked = queue({});
  expect(await runCommand(['reports', 'list'])).toEqual({status: 0, stdout: '', stderr: 'No open reports.\n'});
  expect(asked).toEqual(upTo(10));
});

test('no more pages of reports are read than --max needs', async () => {
  const asked = queue({1: '[{"id":9},{"id":8}]', 2: '[{"id":7},{"id":6}]'});
  const {stdout} = await runCommand(['reports', 'list', '--max', '3', '-o', 'ndjson', '--jq', '.id']);
  expect(stdout).toBe('9\n8\n7\n');
  expect(asked).toEqual([1, 2]);
});

test.each([
  ['--json', `"object_id":${exactId},`],
  ['-o csv', `,${exactId},`],
  ['--fields id,object_id', `8   ${exactId}\n`],
  ['--jq .[0].object_id', `${exactId}\n`],
])('the id of what is reported is exact with %s', async (flags, expected) => {
  queue({1: text});
  expect((await runCommand(['reports', 'list', '--quiet', ...flags.split(' ')])).stdout).toContain(expected);
});

test('a table of reports shows who reported what, why, since when, and the text and address of the post', async () => {
  queue({1: text.replace('"message":null', String.raw`"message":"look\u001b[31m"`)});
  const {stdout} = await runCommand(['reports', 'list', '--quiet']);
  expect(stdout).toMatch(
    /^8 +spam: look␛\[31m +post of @bob +@alice +2026-11-22T02:37:13.* +report me mwr878xi +https:\/\/pix\.example\/p\/bob\/1029945878830809392$/m,
  );
});

test('a report is shown although its post or its account is missing', async () => {
  queue({
    1: '[{"id":3,"type":"scam","object_type":"App\\\\Models\\\\Profile","object_id":7},{"id":2,"type":"spam","object_type":"App\\\\Story"}]',
  });
  const {stdout, stderr} = await runCommand(['reports', 'list', '--quiet']);
  expect(stdout).toMatch(/^3 +scam +profile that is gone/m);
  expect(stdout).toMatch(/^2 +spam +story that is gone/m);
  expect(stderr).toBe('');
});

test('reports are not followed from a page', () =>
  expectFailure(2, '--follow and --page cannot be used together', ['reports', 'list', '--follow', '--page', '2']));

test('what is missing for all reports is said once', async () => {
  const {status, stderr} = await runCommand(['reports', 'handle', '-'], {input: '8\n6\n'});
  expect({status, stderr}).toEqual({
    status: 2,
    stderr: 'Error: Missing: --action\nHint: --action is one of ignore, cw, unlist; see `pixelctl reports handle --help`\n',
  });
});

test.each([
  [['9gag.com', '--action', 'cw'], undefined, '"9gag.com" is not an id'],
  [['-', '--action', 'cw'], '["9gag.com"]', 'Item 1 of standard input looks like a domain, not a report: nothing was sent'],
  [['-', '--action', 'cw'], '["9x"]', 'Item 1 of standard input: "9x" is not an id: nothing was sent'],
  [['8', '--action', ''], undefined, 'action cannot be empty'],
])('reports are closed by their ids, with an action: %j %s', async (words, input, message) => {
  await expectFailure(2, message, ['reports', 'handle', ...words, '--yes'], {input});
});

test('the whole input is read before the first report is handled', async () => {
  pixelfed().post(`${path}/handle`, {id: '8', action: 'ignore'}).reply(200, {success: true});
  const {status, stderr} = await runCommand(['reports', 'handle', '-', '--action', 'ignore', '--yes'], {input: '{"id":8}\n{"id":\n'});
  expect(status).toBe(2);
  expect(stderr).toContain('Line 2 of standard input is not valid JSON: nothing was sent');
  expect(nock.isDone()).toBe(false);
  nock.cleanAll();
});

test('cw of a report of an account is refused, with what to do instead', async () => {
  pixelfed().post(`${path}/handle`).reply(500, {error: 'Attempt to read property "id" on null'});
  const says = 'use the action ignore for reports of accounts and of deleted posts';
  await expectFailure(5, says, ['reports', 'handle', '5', '--action', 'cw', '--yes']);
});
