/** Lists that are followed by the built program: what is printed, how it ends, and how it goes on. */
import {mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {fileThere} from '../events.js';
import {begin, run} from './in-process.js';
import {isOtherProgram, newFolder, preloading, start, startShell, type Running} from './program.js';
import {serverThat, type Answered, type Received, type RecordingServer} from './server.js';

const command = ['dm', 'messages', '5', '--follow', '--interval', '1'];

/** A process in which seconds are over at once: those between two requests. Its time-outs are longer, and stay. */
const withoutSeconds = preloading(
  'const {setTimeout} = globalThis; globalThis.setTimeout = (call, ms, ...rest) => setTimeout(call, ms >= 900 && ms <= 1100 ? 0 : ms, ...rest);',
);

interface Conversation {
  last: number;
}

const message = (id: number) => ({id: String(id), text: `The ${id}th`, created_at: '2026-05-01T10:00:00.000Z'});

/** A conversation of messages with the ids from 1, as real servers page it upwards. */
function answerOf({last}: Conversation, {target}: Received): Answered {
  const {searchParams: query} = new URL(target, 'http://server.invalid');
  const limit = Number(query.get('limit') ?? 20);
  const above = query.get('min_id');
  const [from, to] = above === null ? [Math.max(1, last - limit + 1), last] : [Number(above) + 1, Math.min(last, Number(above) + limit)];
  const ids = Array.from({length: Math.max(0, to - from + 1)}, (_, index) => to - index);
  const meta = {has_more: above === null ? from > 1 : to < last, newest_id: ids[0] ?? null, oldest_id: ids.at(-1) ?? null};
  return {text: JSON.stringify({data: ids.map(message), meta})};
}

/** @param grow what comes with every request */
function growing(conversation: Conversation, grow = 0): Promise<RecordingServer> {
  return serverThat((received) => {
    const answer = answerOf(conversation, received);
    conversation.last += grow;
    return answer;
  });
}

const idsIn = (stdout: string): number[] => [...stdout.matchAll(/^\{"id":"(\d+)".*\}$/gm)].map(([, id]) => Number(id));
const seen = (running: Running, id: number): Promise<string> => running.seen(new RegExp(`"id":"${id}"`));

/** What people are told, and programs that read NDJSON are not. */
const waiting = 'Waiting for new items. Press Ctrl-C to stop.\n';

describe('prints new items as they come', () => {
  test.concurrent('one per line', async () => {
    const conversation = {last: 3};
    await using server = await growing(conversation);
    const running = start([...command, '-o', 'ndjson', '--max', '4'], {env: {...server.env, ...withoutSeconds}});
    await server.answered(2);
    conversation.last = 5;
    await seen(running, 5);
    conversation.last = 9;
    expect(await running.ended).toEqual({
      status: 0,
      signal: null,
      stderr: '',
      stdout: [4, 5, 6, 7].map((id) => `${JSON.stringify(message(id))}\n`).join(''),
    });
  });

  const formats = [
    [['-o', 'csv', '--fields', 'id,text'], 'id,text\r\n2,The 2th\r\n3,The 3th\r\n4,The 4th\r\n'],
    [['-o', 'tsv', '--fields', 'id', '--no-header'], '2\n3\n4\n'],
    [['-o', 'yaml', '--fields', 'id'], '- id: "2"\n- id: "3"\n- id: "4"\n'],
    [['--jq', '.id'], '2\n3\n4\n'],
    [['--fields', 'id,text'], 'id  text\n2   The 2th\n3   The 3th\n4   The 4th\n'],
    [[], expect.stringMatching(/^id +from +sent +files +reply to +message\n2 .* The 2th\n3 .* The 3th\n4 .* The 4th\n$/)],
  ] as const;

  test.concurrent.each(formats)('--follow prints new items as they come, as %j, with one header', async (words, stdout) => {
    const conversation = {last: 2};
    await using server = await growing(conversation, 1);
    expect(await run([...command, '--min-id', '1', '--max', '3', ...words], {env: server.env})).toMatchObject({
      status: 0,
      stderr: waiting,
      stdout,
    });
    expect(server.exchanges.length).toBeGreaterThan(1);
  });

  // Another program runs as a process, which has no terminal of this kind.
  test.skipIf(isOtherProgram)('names the columns that a terminal is too narrow for once', async () => {
    await using server = await growing({last: 2}, 1);
    const ended = await run([...command, '--min-id', '1', '--max', '3', '-o', 'table'], {env: server.env, columns: 60});
    expect(ended.stderr.match(/Not shown: .*/g)).toEqual([expect.stringMatching(/^Not shown: sent, /)]);
  });
});

describe('ends', () => {
  test.concurrent.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('quietly with %s', async (signal, status) => {
    await using server = await growing({last: 3});
    const running = start([...command, '--min-id', '1', '-o', 'ndjson'], {env: {...server.env, ...withoutSeconds}});
    await seen(running, 3);
    running.child.kill(signal);
    const ended = await running.ended;
    expect({...ended, stdout: idsIn(ended.stdout)}).toEqual({status, signal: null, stderr: '', stdout: [2, 3]});
  });

  test.concurrent('quietly with a signal before the first answer', async () => {
    await using server = await serverThat(() => new Promise(() => {}));
    const running = begin([...command, '-o', 'csv', '--fields', 'id'], {env: server.env});
    await server.arrived(1);
    running.signal('SIGINT');
    expect(await running.ended).toMatchObject({status: 130, stdout: '', stderr: ''});
  });

  test.concurrent('--follow ends when the reader is gone', async () => {
    await using server = await growing({last: 3}, 1);
    const {stdout, stderr} = await startShell(`{ pixelctl ${command.join(' ')} --min-id 1 -o ndjson; echo "status $?" >&2; } | head -1`, {
      env: {...server.env, ...withoutSeconds},
    }).ended;
    expect(idsIn(stdout)).toEqual([2]);
    expect(stderr).toBe('status 0\n');
  });

  test.concurrent('--follow ends with a permanent failure, after the printed items', async () => {
    const conversation = {last: 3};
    await using server = await serverThat((received) =>
      conversation.last === 3
        ? {...answerOf(conversation, received), ...(conversation.last++ && {})}
        : {status: 404, text: '{"error": ""}'},
    );
    const ended = await run([...command, '--min-id', '1', '-o', 'csv', '--fields', 'id'], {env: server.env});
    expect(ended).toMatchObject({status: 4, stdout: 'id\r\n2\r\n3\r\n', stderr: expect.stringMatching(/^Waiting .*\nError: .*\(404\)/)});
  });
});

test.concurrent('reports errors and retries; waits as long as a 429 says', async () => {
  const conversation = {last: 2};
  let requests = 0;
  await using server = await serverThat((received) => {
    requests += 1;
    if (requests === 2) return {status: 429, text: '{"error": ""}', headers: {'retry-after': '1'}};
    if (requests === 3) return {status: 500, text: '{"error": "Out of order"}'};
    conversation.last = requests;
    return answerOf(conversation, received);
  });
  const {status, stdout, stderr} = await run([...command, '--min-id', '1', '--max', '3', '-o', 'ndjson'], {env: server.env});
  expect({status, ids: idsIn(stdout)}).toEqual({status: 0, ids: [2, 3, 4]});
  expect(stderr).toMatch(/^Warning: .*\(500\): Out of order; trying again in 2 s\n$/);
});

describe('--since-file', () => {
  test.concurrent('--since-file is private, and the next run continues from it despite --min-id', async () => {
    const conversation = {last: 4};
    await using server = await growing(conversation);
    const folder = newFolder();
    const follow = (most: number) =>
      run([...command, '--since-file', 'last', '--min-id', '1', '--max', String(most), '-o', 'ndjson'], {env: server.env, folder});
    expect(idsIn((await follow(2)).stdout)).toEqual([2, 3]);
    const file = join(folder, 'last');
    expect(readFileSync(file, 'utf8')).toBe('3\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    conversation.last = 6;
    expect(idsIn((await follow(3)).stdout)).toEqual([4, 5, 6]);
    expect(readFileSync(file, 'utf8')).toBe('6\n');
  });

  test.concurrent('--since-file exists after the first request', async () => {
    const conversation = {last: 7};
    await using server = await growing(conversation);
    const folder = newFolder();
    const running = start([...command, '--since-file', 'last', '-o', 'ndjson'], {env: server.env, folder});
    await fileThere(join(folder, 'last'));
    running.child.kill('SIGKILL');
    await running.ended;
    conversation.last = 9;
    const ended = await run([...command, '--since-file', 'last', '--max', '2', '-o', 'ndjson'], {env: server.env, folder});
    expect(idsIn(ended.stdout)).toEqual([8, 9]);
  });

  test.concurrent('--since-file never names an item that was not printed', async () => {
    const text = 'x'.repeat(100_000);
    await using server = await serverThat(() => ({
      text: JSON.stringify({data: [{id: '2', text}], meta: {has_more: false, newest_id: '2', oldest_id: '2'}}),
    }));
    const folder = newFolder();
    await startShell(`pixelctl ${command.join(' ')} --since-file last --min-id 1 -o ndjson | head -c 1`, {env: server.env, folder}).ended;
    expect(readFileSync(join(folder, 'last'), 'utf8')).toBe('1\n');
  });

  test.concurrent.each(['', 'x\n', '12 \n', '-1\n', '1\n2\n', '{"id": "5"}'])(
    '--since-file is refused when it holds %j',
    async (content) => {
      const folder = newFolder();
      writeFileSync(join(folder, 'last'), content);
      await using server = await growing({last: 1});
      const ended = await run([...command, '--since-file', 'last', '-o', 'ndjson'], {env: server.env, folder});
      expect(ended).toMatchObject({status: 9, stdout: '', stderr: expect.stringContaining('last does not contain the id of an item')});
      expect(server.exchanges).toEqual([]);
    },
  );

  test.concurrent('--since-file that can no longer be written ends the run', async () => {
    const file = join(newFolder(), 'last');
    await using server = await serverThat((received) => {
      mkdirSync(file);
      return answerOf({last: 3}, received);
    });
    const {status, stdout, stderr} = await run([...command, '--since-file', file, '-o', 'ndjson'], {env: server.env});
    expect({status, stdout}).toEqual({status: 9, stdout: ''});
    expect(stderr).toContain(`Cannot write ${file}: `);
  });
});

describe('--since-file without --follow prints what is new, and ends', () => {
  const list = ['dm', 'messages', '5', '--since-file', 'last'];

  test.concurrent('run after run', async () => {
    const conversation = {last: 4};
    await using server = await growing(conversation);
    const folder = newFolder();
    const kept = () => readFileSync(join(folder, 'last'), 'utf8');
    const next = async (...words: readonly string[]) => run([...list, ...words], {env: server.env, folder});
    expect(await next()).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'last was not there: nothing is printed, and the next run prints what comes from now on.\n',
    });
    expect(kept()).toBe('4\n');
    expect(await next()).toMatchObject({status: 0, stdout: '', stderr: ''});
    conversation.last = 7;
    expect(await next('--json', '--limit', '2')).toMatchObject({status: 0, stderr: '', stdout: expect.stringContaining('"id":"7"')});
    expect(await next('--json')).toMatchObject({status: 0, stdout: '[]\n', stderr: ''});
    conversation.last = 12;
    expect(await next('-o', 'csv', '--fields', 'id', '--max', '3')).toMatchObject({status: 0, stdout: 'id\r\n8\r\n9\r\n10\r\n'});
    expect(kept()).toBe('10\n');
    expect(await next('--jq', '.[].id')).toMatchObject({status: 0, stdout: '11\n12\n'});
    expect(kept()).toBe('12\n');
  });

  test.concurrent.each(['--json', '-o=ndjson'])(
    'a page that fails ends it after what was printed, which is not printed again: %s',
    async (format) => {
      const conversation = {last: 6};
      let isBroken = true;
      await using server = await serverThat((received) =>
        isBroken && received.target.includes('min_id=3') ? {status: 404, text: '{"error": "Gone"}'} : answerOf(conversation, received),
      );
      const folder = newFolder();
      writeFileSync(join(folder, 'last'), '1\n');
      const words = [...list, '--limit', '2', format];
      const failed = await run(words, {env: server.env, folder});
      const idsOf = (text: string) => [...text.matchAll(/"id":"(\d+)"/g)].map(([, id]) => Number(id));
      expect({status: failed.status, ids: idsOf(failed.stdout)}).toEqual({status: 4, ids: [2, 3]});
      if (format === '--json') expect(JSON.parse(failed.stdout)).toHaveLength(2);
      isBroken = false;
      const rest = await run(words, {env: server.env, folder});
      expect({status: rest.status, ids: idsOf(rest.stdout)}).toEqual({status: 0, ids: [4, 5, 6]});
    },
  );

  test.concurrent.each([1, 2, 3])('a kill at request %d loses no item', async (request) => {
    let requests = 0;
    await using server = await serverThat((received) => {
      requests += 1;
      return requests === request ? new Promise(() => {}) : answerOf({last: 7}, received);
    });
    const folder = newFolder();
    writeFileSync(join(folder, 'last'), '1\n');
    const running = start([...list, '--limit', '2', '-o', 'ndjson'], {env: server.env, folder});
    await server.arrived(request);
    running.child.kill('SIGKILL');
    const before = idsIn((await running.ended).stdout);
    const rest = await run([...list, '-o', 'ndjson'], {env: server.env, folder});
    if (request === 1) expect(idsIn(rest.stdout)[0]).toBe(2);
    expect([...new Set([...before, ...idsIn(rest.stdout)])].sort()).toEqual([2, 3, 4, 5, 6, 7]);
  });

  test.concurrent('a file that cannot be written is refused before anything is printed, also with --follow', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'last'));
    await using server = await growing({last: 3});
    for (const flags of [['--json'], ['--follow', '-o', 'ndjson']])
      expect(await run([...list, '--min-id', '1', ...flags], {env: server.env, folder})).toMatchObject({status: 9, stdout: ''});
  });
});

/** Moments at which a run is killed: with a request, with a line, or both. */
const moments: readonly ((running: Running, server: RecordingServer) => Promise<unknown>)[] = [
  async (_, server) => requested(server, 1),
  (running) => running.seen(/\}\n/),
  async (_, server) => requested(server, 2),
  async (running, server) => running.seen(/\}\n/).then(() => requested(server, 1)),
  async (_, server) => requested(server, 3),
  async (running, server) => requested(server, 1).then(() => running.seen(/\}\n/)),
  async (running) => running.seen(/(\}\n.*){4}/s),
  async (_, server) => requested(server, 4),
  async (running) => running.seen(/(\}\n.*){7}/s),
];

const requested = (server: RecordingServer, more: number): Promise<void> => server.answered(server.exchanges.length + more);

test('continues without a gap after a kill, and repeats only the items being printed', async () => {
  await using server = await growing({last: 5}, 4);
  const folder = newFolder();
  const limit = 3;
  let last = 1;
  for (const moment of moments) {
    const running = start([...command, '--limit', String(limit), '--since-file', 'last', '--min-id', '1', '-o', 'ndjson'], {
      env: {...server.env, ...withoutSeconds},
      folder,
    });
    await moment(running, server);
    running.child.kill('SIGKILL');
    const ids = idsIn((await running.ended).stdout);
    const [first] = ids;
    if (first === undefined) continue;
    expect(ids).toEqual(ids.map((_, index) => first + index));
    expect(first).toBeLessThanOrEqual(last + 1);
    expect(first).toBeGreaterThan(last - limit);
    last = Math.max(last, ids.at(-1) ?? 0);
  }
  expect(last).toBeGreaterThan(10);
});

test.concurrent.each([
  [['--follow', '--json'], /ndjson/],
  [['--follow', '--all', '-o', 'ndjson'], /--follow and --all/],
  [['--follow', '--resume-from', 'x', '-o', 'ndjson'], /--follow and --resume-from/],
  [['--follow', '--max-id', '5', '-o', 'ndjson'], /--follow and --max-id/],
  [['--follow', '--interval', '0', '-o', 'ndjson'], /--interval must be a number from 1/],
  [['--interval', '5'], /--interval is for --follow/],
  [['--since-file', 'last', '--all'], /--since-file and --all/],
  [['--since-file', 'last', '--max-id', '5'], /--since-file and --max-id/],
])('%j is refused', async (words, told) => {
  await using server = await growing({last: 1});
  const ended = await run(['dm', 'messages', '5', ...words], {env: server.env});
  expect(ended).toMatchObject({status: 2, stdout: '', stderr: expect.stringMatching(told)});
  expect(server.exchanges).toEqual([]);
});
