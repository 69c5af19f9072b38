import {request} from 'node:http';
import {createServer} from 'node:net';
import {once} from 'node:events';
import {describe, expect, test} from 'vitest';
import {freePort} from '../free-port.js';
import {begin, run, type Begun} from './in-process.js';
import {hasTerminal, runShell, start, startAtTerminal} from './program.js';
import {failing} from './told.js';

interface Printed {
  readonly running: Begun;
  readonly url: string;
  readonly text: string;
  get(path: string, token?: string): Promise<Response>;
}

async function sandbox(flags: readonly string[] = []): Promise<Printed> {
  const running = begin(['sandbox', ...flags]);
  const text = await running.seen(/export PIXELCTL_TOKEN=\S+\n/);
  const url = /https?:\S+(?=;)/.exec(text)?.[0] ?? '';
  const get = (path: string, token = /all scopes +(\S+)/.exec(text)?.[1] ?? ''): Promise<Response> =>
    fetch(url + path, {headers: {accept: 'application/json', authorization: `Bearer ${token}`}});
  return {running, url, text, get};
}

async function stop({running}: Printed): Promise<void> {
  running.signal('SIGINT');
  await running.ended;
}

test.concurrent('prints its address, two tokens, and the lines to export', async () => {
  const printed = await sandbox();
  const {url, text, get} = printed;
  const [, all = '', readOnly = ''] = /^ {2}all scopes {2}(\S+)\n {2}read only {3}(\S+)$/m.exec(text) ?? [];
  expect(text.startsWith(`Sandbox (behaves like Pixelfed 2026) at ${url}; Ctrl-C stops it.\n`)).toBe(true);
  expect(text).toContain(`\n  export PIXELCTL_SERVER=${url}\n  export PIXELCTL_TOKEN=${all}\n`);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await get('/api/v1/blocks', all)).status).toBe(200);
  expect((await get('/api/v1/blocks', readOnly)).status).toBe(200);
  const write = await fetch(`${url}/api/v2/filters/1`, {method: 'DELETE', headers: {authorization: `Bearer ${readOnly}`}});
  expect(write.status).toBe(403);
  // Every request is told of, on standard error.
  expect(await printed.running.seen(/^403 DELETE \/api\/v2\/filters\/1$/m)).toContain('200 GET /api/v1/blocks\n');
  await stop(printed);
  expect((await printed.running.ended).stdout).not.toContain('GET');
});

test.concurrent('the printed lines are enough to use it', async () => {
  const printed = await sandbox();
  const exported = [...printed.text.matchAll(/^ {2}export (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]);
  expect(await run(['blocks', 'list'], {env: Object.fromEntries(exported)})).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('@grumpy'),
  });
  await stop(printed);
});

test.runIf(hasTerminal)('--shell opens a shell that uses the server, which stops with it', async () => {
  const running = startAtTerminal('pixelctl sandbox --shell; echo "ended with $?"', 80, {env: {PS1: '$ '}});
  await running.seen(/type `exit` to stop it/);
  running.child.stdin.write('pixelctl blocks list --fields username -o csv; echo "at $PIXELCTL_SERVER"; exit 3\n');
  const {stdout} = await running.ended;
  expect(stdout).toContain('grumpy');
  expect(stdout).toContain('ended with 0');
  const [, url = ''] = /at (http:\/\/[\d.:]+)/.exec(stdout) ?? [];
  await expect(fetch(url)).rejects.toThrow();
});

test.concurrent('--json prints one object', async () => {
  const running = begin(['sandbox', '--json']);
  await running.seen(/\n/);
  running.signal('SIGTERM');
  const {stdout, stderr, status} = await running.ended;
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  expect(JSON.parse(stdout)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    tokens: {all: expect.any(String), read_only: expect.any(String), admins: {admin: expect.any(String), 'rosa.film': expect.any(String)}},
  });
});

test.concurrent('--accounts prints the commands that save a profile for each account', async () => {
  const running = begin(['sandbox', '--accounts', '3']);
  const text = await running.seen(/--profile clara\n/);
  expect(text).toMatch(/^ {2}ana {4}sandbox-ana\n {2}bob {4}sandbox-bob\n {2}clara {2}sandbox-clara\n$/m);
  const lines = [...text.matchAll(/^ {2}(?:export|echo) .*$/gm)].map(([line]) => line.trim());
  const {status, stdout} = await runShell(
    [...lines, 'pixelctl domain-blocks list --all-profiles --json', 'rm -r "$PIXELCTL_CONFIG_DIR"'].join(' && '),
    {env: {BROWSER: 'false'}},
  );
  expect(status).toBe(0);
  const items: {account: string}[] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  expect(new Set(items.map(({account}) => account.split('@')[0]))).toEqual(new Set(['ana']));
  running.signal('SIGINT');
  await running.ended;
});

test.concurrent('--accounts makes the accounts that the data lacks', async () => {
  const running = begin(['sandbox', '--seed', 'empty', '--accounts', '20', '--json']);
  const {url, tokens} = JSON.parse(await running.seen(/\n/));
  expect(Object.keys(tokens.users)).toEqual(['ana', ...Array.from({length: 19}, (_, index) => `user${index + 2}`)]);
  const headers = {authorization: `Bearer ${tokens.users.user20}`};
  const answer = await fetch(`${url}/api/v1/accounts/verify_credentials`, {headers});
  expect(await answer.json()).toMatchObject({username: 'user20'});
  running.signal('SIGINT');
  await running.ended;
});

test.concurrent.each(['SIGINT', 'SIGTERM'] as const)('%s stops it during a request, and frees the port', async (signal) => {
  const running = start(['sandbox', '--fault', 'delay=3600000']);
  const [, url = ''] = /at (http:\S+);/.exec(await running.seen(/export PIXELCTL_TOKEN=/)) ?? [];
  // The server says that it has the request, and would answer it in an hour.
  const waiting = request(`${url}/api/v1/instance`, {headers: {expect: '100-continue'}}).on('error', () => {});
  let isAnswered = false;
  waiting.on('response', () => (isAnswered = true)).end();
  await once(waiting, 'continue');
  const ended = new Promise((resolve) => waiting.once('close', resolve));
  running.child.kill(signal);
  expect(await running.ended).toMatchObject({status: 0, signal: null});
  await ended;
  expect(isAnswered).toBe(false);
  const server = createServer().listen(Number(new URL(url).port), '127.0.0.1');
  await once(server, 'listening');
  server.close();
});

test.concurrent('reports a port in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const {failure} = await failing(['sandbox', '--port', port]);
  taken.close();
  expect(failure).toMatchObject({
    code: 'local',
    exit: 9,
    message: `Port ${port} is taken`,
    hint: 'choose another port, or let --port 0 choose one',
  });
});

describe('refuses', () => {
  test.concurrent.each([
    [['--port', '65536'], '--port must be a whole number from 0 to 65535'],
    [['--port', 'http'], '--port must be a whole number from 0 to 65535'],
    [['--shell'], '--shell needs a terminal'],
    [['--like', '3.0'], '--like takes one of 0.12.6, 2026'],
    [['--seed', 'world.json'], '--seed takes one of demo, empty'],
    [['--fault', 'explode'], '--fault: unknown fault "explode": use one of status, delay, drop, truncate, html, rate-limit'],
    [['--fault', 'status=200'], '--fault: "status" takes a number from 400 to 599, not "200".'],
    [['--fault', 'drop,chance=2'], '--fault: "chance" takes a number from 0 to 1, not "2".'],
    [['--fault', 'html,at=nowhere'], '--fault: "at" takes a path'],
  ])('%j', async (flags, message) => {
    const {failure} = await failing(['sandbox', ...flags]);
    expect(failure).toMatchObject({code: 'usage', exit: 2, message: expect.stringContaining(message)});
  });
});

test.concurrent('--seed empty has only an account', async () => {
  const printed = await sandbox(['--seed', 'empty']);
  expect(await (await printed.get('/api/v1/blocks')).text()).toBe('[]');
  expect(await (await printed.get('/api/v2/filters')).text()).toBe('[]');
  await stop(printed);
});

test.concurrent('--instances and --no-rate-limit have an effect', async () => {
  const running = begin(['sandbox', '--instances', '20', '--no-rate-limit', '--json']);
  const {url, tokens} = JSON.parse((await running.seen(/\}\n$/)).trim());
  const env = {PIXELCTL_SERVER: url, PIXELCTL_TOKEN: Object.values<string>(tokens.admins)[0] ?? ''};
  expect(JSON.parse((await run(['instances', 'list', '--all', '--json'], {env})).stdout)).toHaveLength(20);
  const {headers} = await fetch(`${url}/api/v1/blocks`, {headers: {accept: 'application/json', authorization: `Bearer ${tokens.all}`}});
  expect(headers.has('x-ratelimit-limit')).toBe(false);
  running.signal('SIGINT');
  await running.ended;
});

test.concurrent('--like, --fault and --port have an effect', async () => {
  const port = String(await freePort());
  const printed = await sandbox(['--like', '0.12.6', '--port', port, '--fault', 'status=503,at="GET /api/v1/mutes",times=1', '--quiet']);
  expect(printed.url).toBe(`http://127.0.0.1:${port}`);
  expect((await printed.get('/api/v2.1/config')).status).toBe(404);
  expect((await printed.get('/api/v1/mutes')).status).toBe(503);
  expect((await printed.get('/api/v1/mutes')).status).toBe(200);
  await stop(printed);
  expect((await printed.running.ended).stderr).toBe('');
});
