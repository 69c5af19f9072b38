/** What the spam filter held back: how it is read to its end, and what is shown of it. */
import {array, asyncProperty, assert as check, constantFrom, nat} from 'fast-check';
import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {recordingsIn} from '../lib/sandbox/recording.js';
import {runCommand, server} from '../run-command.js';

const path = '/api/admin/autospam';
const textOf = (recording: string): string =>
  recordingsIn('0.12.6', 'admin-people').find(({name}) => name === recording)?.response.text ?? '';

/** Pages by their number, from 1; those that are not given are empty. @returns the numbers that were asked for */
function filter(...pages: readonly string[]): readonly number[] {
  const asked: number[] = [];
  nock(server)
    .persist()
    .get(`${path}/list`)
    .query(({page}) => {
      asked.push(Number(page ?? 1));
      return true;
    })
    .reply(() => [200, pages[(asked.at(-1) ?? 1) - 1] ?? '[]', {'content-type': 'application/json'}]);
  return asked;
}

describe('autospam list', () => {
  test('an entry is shown with its account, time, text and address', async () => {
    filter(textOf('autospam-page-1'));
    const {stdout} = await runCommand(['autospam', 'list', '--quiet']);
    expect(stdout).toMatch(/^7 +@spam3 +2026-11-23T05:45:26.* +buy now spam3 0 +https:\/\/pix\.example\/p\/spam3\/1030355633409081353$/m);
  });

  test('the recorded pages are read to the first that is empty', async () => {
    const asked = filter(textOf('autospam-page-1'), textOf('autospam-page-2'), textOf('autospam-page-3'));
    const {stdout, status} = await runCommand(['autospam', 'list', '--all', '--jq', '.[].id']);
    expect({stdout, status}).toEqual({stdout: '7\n8\n9\n1\n2\n3\n4\n5\n6\n', status: 0});
    expect(asked).toEqual([1, 2, 3]);
  });

  test('entries whose posts are gone are passed over and counted, and a page of nothing else is not the end', async () => {
    filter('[null,{"id":9},null]', '[null,null,null,null,null,null]', '[{"id":4}]');
    const {stdout, stderr} = await runCommand(['autospam', 'list', '--all', '--fields', 'id']);
    expect({stdout, stderr}).toEqual({stdout: 'id\n9\n4\n', stderr: 'Passed over 8 entries whose posts are gone.\n'});
  });

  test('the first page with an entry is printed, as the server sent it in JSON', async () => {
    const asked = filter('[null]', '[null,{"id":4}]');
    expect(await runCommand(['autospam', 'list', '--json'])).toEqual({
      status: 0,
      stdout: '[null,{"id":4}]\n',
      stderr: expect.stringContaining('Showing 1; there may be more.'),
    });
    expect(asked).toEqual([1, 2]);
    nock.cleanAll();
    filter('[null]', '[null,{"id":4}]');
    expect(await runCommand(['autospam', 'list', '-o', 'csv', '--fields', 'id'])).toMatchObject({status: 0, stdout: 'id\r\n4\r\n'});
  });

  test('one entry whose post is gone is told as one', async () => {
    filter('[null,{"id":4}]');
    const {stderr} = await runCommand(['autospam', 'list']);
    expect(stderr).toContain('Passed over 1 entry whose post is gone.\n');
  });

  test('a filter that holds nothing back is said to', async () => {
    const asked = filter();
    expect(await runCommand(['autospam', 'list'])).toEqual({status: 0, stdout: '', stderr: 'The spam filter holds nothing back.\n'});
    expect(asked).toEqual([1]);
  });

  test.each([['[{"id":7}]'], ['{"data":[{"id":7}]}']])('an entry without a post, bare or in `data`, is shown: %s', async (text) => {
    filter(text);
    const {status, stdout} = await runCommand(['autospam', 'list', '--quiet', '--fields', 'id,status.id']);
    expect({status, stdout}).toEqual({status: 0, stdout: 'id  status.id\n7   –\n'});
  });

  test('every entry is listed once, whatever is null, and every null is counted', async () => {
    const rows = array(constantFrom('entry', 'null'), {maxLength: 40});
    await check(
      asyncProperty(rows, nat(5), async (kinds, extra) => {
        const size = extra + 1;
        const texts = kinds.map((kind, index) => (kind === 'null' ? 'null' : `{"id":${kinds.length - index}}`));
        const pages = Array.from(
          {length: Math.ceil(texts.length / size)},
          (_, page) => `[${texts.slice(page * size, (page + 1) * size).join(',')}]`,
        );
        filter(...pages);
        const {stdout, stderr} = await runCommand(['autospam', 'list', '--all', '-o', 'csv', '--fields', 'id', '--no-header']);
        nock.cleanAll();
        expect(stdout).toBe(texts.flatMap((text) => (text === 'null' ? [] : `${JSON.parse(text).id}\r\n`)).join(''));
        const nulls = kinds.filter((kind) => kind === 'null').length;
        expect(/Passed over (\d+)/.exec(stderr)?.[1] ?? '0').toBe(String(nulls));
      }),
      {numRuns: 40},
    );
  });
});

test('the spam filter is for admins', async () => {
  nock(server).get(`${path}/list`).reply(404, {error: ''});
  const {status, stderr} = await runCommand(['autospam', 'list']);
  expect({status, stderr}).toEqual({status: 3, stderr: expect.stringContaining('admin')});
});
