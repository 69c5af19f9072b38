import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {run} from './in-process.js';
import {newFolder, start, tellingSignals} from './program.js';
import {serverThat, type Answered} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

const lines = (operations: readonly unknown[]): string => operations.map((operation) => `${JSON.stringify(operation)}\n`).join('');

test.concurrent('shares connections between operations', async () => {
  await using server = await serverThat(() => ({text: '{}'}));
  const operations = Array.from({length: 200}, (_, index) => ({
    command: index % 2 === 0 ? 'dm mute' : 'dm accept',
    args: [String(index)],
    id: index,
  }));
  const {stdout, stderr, status} = await run(['batch'], {env: server.env, stdin: lines(operations)});
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual(operations.map(({id}) => id));
  expect(server.exchanges).toHaveLength(200);
  expect(server.connections.length).toBeLessThanOrEqual(4);
});

test.concurrent('--concurrency 1 runs operations one after another', async () => {
  let underWay = 0;
  let peak = 0;
  await using server = await serverThat(async () => {
    underWay += 1;
    peak = Math.max(peak, underWay);
    // Whatever is sent beside it arrives in these turns.
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    underWay -= 1;
    return {text: '{}'};
  });
  const operations = ['dm hide', 'dm unhide', 'dm hide'].map((command) => ({command, args: ['5', '6']}));
  expect((await run(['batch', '--concurrency', '1'], {env: server.env, stdin: lines(operations)})).status).toBe(0);
  expect(peak).toBe(1);
  expect(server.exchanges.map(({received}) => received.target.replace(/^.*conversations/, ''))).toEqual([
    '/5/hide',
    '/6/hide',
    '/5/unhide',
    '/6/unhide',
    '/5/hide',
    '/6/hide',
  ]);
});

test.concurrent('a message of unknown outcome is not resent after a kill', async () => {
  const folder = newFolder();
  let isDown = true;
  let arrive = (): void => {};
  const hasArrived = new Promise<void>((resolve) => (arrive = resolve));
  const messages: string[] = [];
  await using server = await serverThat(({target, body}) => {
    if (target === '/api/v2.1/config') return {status: 404, text: '{"error": "The route api/v2.1/config could not be found."}'};
    messages.push(JSON.parse(body.toString()).message);
    if (!isDown || messages.length < 2) return {text: '{"id": "9"}'};
    arrive();
    return new Promise<Answered>(() => {});
  });
  const stdin = lines(['a', 'b', 'c'].map((message, id) => ({command: 'dm send', args: ['5', message], id})));
  const args = ['batch', '--journal', 'journal', '--concurrency', '1'];
  const first = start(args, {env: server.env, folder, stdin});
  await hasArrived;
  first.child.kill('SIGKILL');
  await first.ended;
  isDown = false;
  const second = await run(args, {env: server.env, folder, stdin});
  expect(second.status).toBe(11);
  expect(
    second.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    {line: 1, id: 0, ok: true, resumed: true},
    {line: 2, id: 1, ok: false, unknown: true},
    {line: 3, id: 2, ok: true},
  ]);
  expect(messages).toEqual(['a', 'b', 'c']);
  const third = await run([...args, '--resend-unknown'], {env: server.env, folder, stdin});
  expect(third.status).toBe(0);
  expect(messages).toEqual(['a', 'b', 'c', 'b']);
  expect(readFileSync(join(folder, 'journal'), 'utf8')).not.toContain(server.env['PIXELCTL_TOKEN']);
});

test.concurrent('refuses a journal of other operations', async () => {
  const folder = newFolder();
  await using server = await serverThat(() => ({text: '{}'}));
  const args = ['batch', '--journal', 'journal', '--yes'];
  const once = await run(args, {env: server.env, folder, stdin: lines([{command: 'filters delete', args: ['1']}])});
  const other = await run(args, {env: server.env, folder, stdin: lines([{command: 'filters delete', args: ['2']}])});
  expect([once.status, other.status]).toEqual([0, 2]);
  expect(other.stderr).toContain('its targets or options differ: nothing was sent');
});

test.concurrent('results have their own line numbers after an unsent line', async () => {
  const telling = tellingSignals();
  await using server = await serverThat(async ({target}) => {
    if (target.includes('/1/')) return {status: 429, headers: {'retry-after': '60'}, text: '{"error": "Too Many Attempts."}'};
    await telling.heard();
    return {text: '{}'};
  });
  const running = start(['batch', '--concurrency', '2'], {
    env: {...server.env, ...telling.env},
    stdin: lines([1, 2].map((id) => ({command: 'dm mute', args: [id]}))),
  });
  await server.arrived(2);
  running.child.kill('SIGINT');
  const {stdout, status} = await running.ended;
  expect(status).toBe(130);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{line: 2, target: '2', ok: true}]);
});

test.concurrent('a protected profile needs --yes for the batch', async () => {
  await using server = await serverThat(() => ({text: '{}'}));
  const around = await machineWith([profileOn(server.url, {name: 'ana', isProtected: true}), {accessToken: 'canary'}]);
  const stdin = lines([{command: 'filters delete', args: ['1'], flags: {yes: true}}]);
  const refused = await around.run(['batch'], {stdin});
  expect(refused).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining('The profile ana is protected')});
  expect(server.exchanges).toEqual([]);
  expect(await around.run(['batch', '--yes'], {stdin})).toMatchObject({status: 0});
  expect(server.exchanges.map(({received}) => received.headers['authorization'])).toEqual(['Bearer canary']);
});
