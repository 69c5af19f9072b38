/** The list of people: chosen from what is read, long, and broken off. */
import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {isSingleFile, run as runProcess} from './program.js';
import {recordedSandbox, serverThat, type RecordingServer} from './server.js';

const list = ['users', 'list'];

async function sandbox() {
  const server = await recordedSandbox({limitsRate: false});
  return {...server, env: {...server.env, PIXELCTL_TOKEN: server.sandbox.tokens.admins['admin'] ?? ''}};
}

const pagesOf = ({exchanges}: RecordingServer): number => exchanges.filter(({received: {target}}) => target.includes('users/list')).length;

/** Pages of people, the newest first, one a minute. */
async function serverOf(count: number, {failsAt, note}: {readonly failsAt?: number; readonly note?: string} = {}) {
  let requests = 0;
  return serverThat(async ({target}) => {
    requests += 1;
    if (requests === failsAt) return {status: 500, text: '{"error":"Server Error"}'};
    const from = Number(new URL(target, 'http://server.invalid').searchParams.get('cursor') ?? 0);
    const data = Array.from({length: Math.min(10, count - from)}, (_, index) => {
      const id = count - from - index;
      return {
        id: String(id),
        profile_id: `1${id}`,
        username: `p${id}`,
        created_at: new Date(id * 60_000).toISOString(),
        statuses_count: id % 3,
        note,
      };
    });
    return {text: JSON.stringify({data, meta: {next_cursor: from + 10 < count ? String(from + 10) : null}})};
  });
}

const ids = (stdout: string): number[] => (stdout.match(/\d+/g) ?? []).map(Number);

describe('what is chosen from what was read', () => {
  test('all pages are read, and JSON is one list of those that match', async () => {
    await using server = await serverOf(95);
    const {stdout, stderr, status} = await run([...list, '--max-posts', '0', '--json'], server);
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(JSON.parse(stdout).map(({id}: {readonly id: string}) => Number(id))).toEqual(
      Array.from({length: 31}, (_, index) => 93 - 3 * index),
    );
    expect(pagesOf(server)).toBe(10);
  });

  test('--max counts those that match', async () => {
    await using server = await serverOf(95);
    const {stdout} = await run([...list, '--max-posts', '0', '--max', '5', '-o', 'ndjson', '-q', '.id'], server);
    expect(ids(stdout)).toEqual([93, 90, 87, 84, 81]);
    expect(pagesOf(server)).toBeLessThan(5);
  });

  test.each([
    ['1970-01-01', 95],
    ['1970-01-01T00:05', 5],
    ['1970-01-01T00:05:00Z', 5],
    ['1970-01-01T01:05+01:00', 5],
    ['1969-12-31', 0],
  ])('until %s, inclusive: %i people', async (before, count) => {
    await using server = await serverOf(95);
    const {stdout} = await run([...list, '--created-before', before, '--json', '-q', 'length'], server);
    expect(stdout).toBe(`${count}\n`);
  });

  test.each(['tomorrow', '2026-02-31', '22.11.2026'])('%s is no date', async (date) => {
    await using server = await serverOf(1);
    const {status, stderr} = await run([...list, '--created-after', date], server);
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining('--created-after takes a date')});
  });

  test('people whose numbers are not told are counted, for people', async () => {
    await using server = await sandbox();
    const told = await run([...list, '--max-posts', '1000', '--fields', 'id'], server);
    expect(told.stderr).toBe('4 people left out: the server does not tell their numbers\n');
    expect((await run([...list, '--max-posts', '1000', '-o', 'ndjson'], server)).stderr).toBe('');
  });
});

describe('a long list', () => {
  test('a failed page names how to go on, and nobody is left out', async () => {
    await using server = await serverOf(95, {failsAt: 4});
    const first = await run([...list, '--all', '-o', 'ndjson', '-q', '.id', '--retries', '0'], server);
    expect(first.status).toBe(7);
    const [, cursor = ''] = /--resume-from '([^']+)'/.exec(JSON.parse(first.stderr).error.hint) ?? [];
    const rest = await run([...list, '--resume-from', cursor, '-o', 'ndjson', '-q', '.id'], server);
    expect([...ids(first.stdout), ...ids(rest.stdout)]).toEqual(Array.from({length: 95}, (_, index) => 95 - index));
  });

  test.skipIf(isSingleFile)('four thousand people with long texts are listed with a heap of 20 MB', async () => {
    await using server = await serverOf(4000, {note: 'x'.repeat(900)});
    const {stdout, stderr, status} = await runProcess([...list, '--all', '-o', 'ndjson', '--jq', '.id'], {
      env: {...server.env, NODE_OPTIONS: '--max-old-space-size=20'},
    });
    expect({status, stderr, count: ids(stdout).length}).toEqual({status: 0, stderr: '', count: 4000});
  });
});
