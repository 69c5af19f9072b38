/** Lists over all their pages, as a pipe takes them. */
import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {leavingReader, newFolder, runShell, start, startShell, tellingSignals} from './program.js';
import {serverThat, type Answered, type Received} from './server.js';
import {failureIn} from './told.js';

/** More than a pipe holds. */
const long = 'x'.repeat(100_000);

/** A list of blocks without end, two on a page. */
function endless(note: string): (received: Received) => Answered {
  return ({target}) => {
    const page = pageOf(target);
    const items = [1, 2].map((nth) => ({id: String(page * 2 + nth), username: 'ben', note}));
    return {text: JSON.stringify(items), headers: {link: `</api/v1/blocks?page=${page + 1}>; rel="next"`}};
  };
}

function pageOf(target: string): number {
  return Number(new URL(target, 'http://server.invalid').searchParams.get('page') ?? 1);
}

describe('a reader that leaves', () => {
  test.concurrent.each([
    ['long', long],
    ['short', ''],
  ])('a reader that leaves ends an endless list of %s items quietly', async (_, note) => {
    const answer = endless(note);
    const reader = leavingReader('head -1');
    await using server = await serverThat(async (received) => {
      if (pageOf(received.target) > 1) await reader.gone();
      return answer(received);
    });
    const {stdout, stderr} = await runShell(`{ pixelctl blocks list --all -o ndjson; echo "status $?" >&2; } | ${reader.line}`, {
      env: server.env,
    });
    expect(stdout).toMatch(/^\{"id":"3",.*\}\n$/);
    expect(stderr).toBe('status 0\n');
    expect(server.exchanges.length).toBeLessThanOrEqual(2);
  });

  test.concurrent('a reader that leaves ends a list whose next page never arrives', async () => {
    const answer = endless(long);
    await using server = await serverThat((received) =>
      pageOf(received.target) === 1 ? answer(received) : {status: 429, text: '{"error": ""}', headers: {'retry-after': '100'}},
    );
    const {stderr} = await runShell(`{ pixelctl blocks list --all -o ndjson; echo "status $?" >&2; } | head -c 1`, {env: server.env});
    expect(stderr).toBe('status 0\n');
  });
});

describe('a signal', () => {
  test.concurrent.each([
    ['SIGINT', 130, 'interrupted'],
    ['SIGTERM', 143, 'terminated'],
  ] as const)('%s completes the document, and names the cursor to resume from', async (signal, status, code) => {
    const answer = endless('');
    await using server = await serverThat((received) => (pageOf(received.target) < 3 ? answer(received) : new Promise(() => {})));
    const running = start(['blocks', 'list', '--all', '--json'], {env: server.env});
    await running.seen(/"id":"6"/);
    running.child.kill(signal);
    const ended = await running.ended;
    expect(ended.status).toBe(status);
    expect(JSON.parse(ended.stdout)).toMatchObject(['3', '4', '5', '6'].map((id) => ({id})));
    expect(failureIn(ended.stderr)).toMatchObject({code, exit: status, hint: "continue with --resume-from '/api/v1/blocks?page=3'"});
  });

  test.concurrent('a signal ends a wait for a rate limit', async () => {
    const answer = endless('');
    await using server = await serverThat((received) =>
      pageOf(received.target) < 2 ? answer(received) : {status: 429, text: '{"error": ""}', headers: {'retry-after': '100'}},
    );
    const running = start(['blocks', 'list', '--all', '--json', '--verbose'], {env: server.env});
    await running.seen(/\* waiting 100\.0 s/);
    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.status).toBe(130);
    expect(JSON.parse(ended.stdout)).toHaveLength(2);
  });

  test.concurrent('a signal that is repeated does not wait for a reader that never reads', async () => {
    const answer = endless(long);
    await using server = await serverThat(answer);
    const line = 'sh -c \'echo $$ > pid; exec pixelctl blocks list --all -o ndjson\'; echo "status $?" >&2';
    const [folder, telling] = [newFolder(), tellingSignals()];
    execFileSync('mkfifo', [join(folder, 'read-on')]);
    const env = {...server.env, ...telling.env};
    const running = startShell(`{ ${line}; } | { read _ < read-on; }`, {env, folder});
    await server.answered(1);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    process.kill(pid, 'SIGINT');
    await telling.heard();
    process.kill(pid, 'SIGINT');
    await running.seen(/status 130\n/);
    writeFileSync(join(folder, 'read-on'), '\n');
    await running.ended;
  });

  test.concurrent('a signal before the first page prints nothing', async () => {
    await using server = await serverThat(() => new Promise(() => {}));
    const running = start(['blocks', 'list', '--all', '--json', '--verbose'], {env: server.env});
    await running.seen(/^> GET/m);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({status: 130, stdout: ''});
  });
});
