import {existsSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import {startSandbox} from '../sandbox/start.js';
import {newFolder, run, runShell, start, type Ended, tellingSignals} from './program.js';
import {serverThat} from './server.js';
import {expectDiscreet, failing, failureIn} from './told.js';

/** More than any pipe holds: whoever writes it sees that its reader has gone. */
const large = JSON.stringify(
  Array.from({length: 4000}, (_, index) => ({id: String(index), title: 'A title that is quite long '.repeat(4)})),
);

const statusOf = ({stderr}: Ended): string =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('status '))
    .join();

describe('a reader that leaves', () => {
  test.concurrent.each(['--json', ''])('a reader that leaves is not a failure: filters list %s', async (form) => {
    await using server = await serverThat(() => ({text: large}));
    const ended = await runShell(`{ pixelctl filters list ${form}; echo "status $?" >&2; } | head -c 1`, {env: server.env});
    expect(ended).toMatchObject({stderr: 'status 0\n', stdout: expect.stringMatching(/^[[i]$/)});
  });

  test.concurrent('a reader that leaves is not a failure for help', async () => {
    const {stderr} = await runShell('{ pixelctl filters update --help; echo "status $?" >&2; } | true');
    expect(stderr).toBe('status 0\n');
  });

  test.concurrent('a reader that leaves of standard error does not change the exit status', async () => {
    await using server = await serverThat(() => ({status: 404, text: '{"error": ""}'}));
    const {stdout} = await runShell('exec 3>&1; { pixelctl filters get 1 2>&1; echo "status $?" >&3; } | true', {env: server.env});
    expect(stdout).toBe('status 4\n');
  });
});

describe.runIf(existsSync('/dev/full'))('a full disk', () => {
  test.concurrent.each([
    ['table', 'filters list', /^Error: Cannot write to standard output: the disk is full\nHint: .+\nstatus 9\n$/],
    [
      'results',
      'filters delete 1 2 --yes',
      /^Error: Cannot write to standard output: the disk is full; 2 of 2 done\nHint: .+\nstatus 9\n$/,
    ],
    ['help', 'filters list --help', /status 9\n$/],
    ['front page', '--help', /status 9\n$/],
    ['dry run', 'filters delete 1 --dry-run', /^Error: Cannot write to standard output: the disk is full\nHint: .+\nstatus 9\n$/],
  ])('%s', async (_, args, told) => {
    await using server = await serverThat(({method}) => ({text: method === 'GET' ? '[{"id": "1"}]' : '{}'}));
    const ended = await runShell(`pixelctl ${args} > /dev/full; echo "status $?" >&2`, {env: server.env});
    expect(ended.stderr).toMatch(told);
    expectDiscreet(ended);
  });

  test.concurrent('a full disk is reported as JSON, too', async () => {
    await using server = await serverThat(() => ({text: '[]'}));
    const {stderr} = await runShell('pixelctl filters list --json > /dev/full', {env: server.env});
    expect(failureIn(stderr)).toMatchObject({code: 'local', exit: 9, status: null, method: null, path: null});
  });

  test.concurrent('a full disk for standard error changes nothing', async () => {
    await using server = await serverThat(() => ({text: '{}'}));
    const ended = await runShell('pixelctl filters delete 1 --yes 2> /dev/full; echo "status $?" >&2', {env: server.env});
    expect(statusOf(ended)).toBe('status 0');
  });
});

test.concurrent('a closed standard output is treated like a reader that left', async () => {
  await using server = await serverThat(() => ({text: '[]'}));
  expect(statusOf(await runShell('pixelctl filters list --json >&-; echo "status $?" >&2', {env: server.env}))).toBe('status 0');
});

describe('an unreadable file exits with 9 before anything is sent:', () => {
  test.concurrent.each([
    ['report --input missing.json', 'Cannot read the input file missing.json: no such file'],
    ['report --input folder', 'Cannot read the input file folder: it is a folder'],
    ['thread send-media 1 missing.jpg --no-limits', 'Cannot read missing.jpg: no such file'],
    ['dm send 1 --media missing.jpg --no-limits', 'Cannot read missing.jpg: no such file'],
    ['api POST /api/v2/media --file file=@missing.jpg', 'Cannot read missing.jpg: no such file'],
  ])('%s', async (args, message) => {
    await using server = await serverThat(() => ({text: '{}'}));
    const folder = newFolder();
    mkdirSync(join(folder, 'folder'));
    const {failure} = await failing(args.split(' '), {env: server.env, folder});
    expect(failure).toMatchObject({code: 'local', exit: 9, status: null, message});
    expect(server.exchanges).toEqual([]);
  });

  test.concurrent('an unreadable token file exits with 9 before anything is sent', async () => {
    const env = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN_FILE: 'missing.txt'};
    const {failure} = await failing(['blocks', 'list'], {env});
    expect(failure).toMatchObject({code: 'local', exit: 9, message: expect.stringContaining('missing.txt')});
  });
});

describe('a server that is down', () => {
  test.concurrent('a server that is down is reported', async () => {
    const gone = await startSandbox();
    await gone.close();
    const {failure} = await failing(['blocks', 'list', '--retries', '0'], {env: {PIXELCTL_SERVER: gone.url, PIXELCTL_TOKEN: 'canary'}});
    expect(failure).toMatchObject({code: 'unavailable', exit: 7, status: null});
    expect(failure.message).toMatch(/^Cannot connect to 127\.0\.0\.1:\d+: connection refused$/);
  });

  test.concurrent('a server that is down is reported when it does not speak TLS', async () => {
    await using server = await serverThat(() => ({text: '[]'}));
    const env = {...server.env, PIXELCTL_SERVER: server.url.replace('http:', 'https:')};
    const {failure} = await failing(['blocks', 'list', '--retries', '0'], {env});
    expect(failure).toMatchObject({code: 'unavailable', exit: 7, status: null});
  });
});

describe('a signal', () => {
  test.concurrent.each(['SIGINT', 'SIGTERM'] as const)('%s ends a command that waits for a response', async (signal) => {
    const sandbox = await startSandbox({faults: [parseFault('delay=3600000')]});
    const running = start(['blocks', 'list', '--verbose'], {env: {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all}});
    await running.seen(/^> GET/m);
    running.child.kill(signal);
    const ended = await running.ended;
    await sandbox.close();
    expect(ended.signal ?? `status ${ended.status}`).toBe(signal);
    expectDiscreet(ended);
  });

  test.concurrent.each([
    ['SIGINT', 130, 'interrupted', 'Interrupted'],
    ['SIGTERM', 143, 'terminated', 'Terminated'],
  ] as const)('%s keeps finished results of many targets', async (signal, status, code, word) => {
    const telling = tellingSignals();
    await using server = await serverThat(async () => {
      await telling.heard();
      return {text: '{}'};
    });
    const running = start(['dm', 'mute', '1', '2', '3', '--concurrency', '1', '--json'], {env: {...server.env, ...telling.env}});
    await server.arrived(1);
    running.child.kill(signal);
    const ended = await running.ended;
    expect(ended.status).toBe(status);
    expect(failureIn(ended.stderr)).toMatchObject({code, exit: status, message: `${word} after 1 of 3`});
    expect(JSON.parse(ended.stdout)).toEqual([{target: '1', ok: true, status: 200, body: {}}]);
    expect(server.exchanges).toHaveLength(1);
  });
});

test.concurrent('text from standard input is sent without the final newline', async () => {
  await using server = await serverThat(() => ({text: '{}'}));
  const args = ['dm', 'send', '1', '-', '--no-limits'];
  expect(await run(args, {env: server.env, stdin: 'Low\ntide 🌊\r\n'})).toMatchObject({status: 0});
  expect(server.exchanges.map(({received}) => JSON.parse(received.body.toString()))).toEqual([{message: 'Low\ntide 🌊'}]);
});
