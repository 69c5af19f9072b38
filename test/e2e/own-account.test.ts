/** One's own account as what a command acts on, where the profile says whose it is. */
import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {serverThat, requestsTo} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

const names = ['1', '@ana', '@ANA'];

test.each(
  names.flatMap((name): [string, number, string[]][] => [
    ['mutes add', 2, [name]],
    ['blocks add', 2, [name, '--yes']],
    ['dm start', 2, [name]],
    ['thread send', 2, [name, 'Hello']],
    ['thread mute', 2, [name]],
    ...(name === '1' ? [] : [['dm send', 2, [name, 'Hello']] satisfies [string, number, string[]]]),
  ]),
)('%s is refused with %i before anything is sent: %j', async (command, status, args) => {
  await using server = await serverThat(() => ({text: '{}'}));
  const machine = await machineWith([profileOn(server.url, {account: {id: '1', acct: 'ana'}}), {accessToken: 'a'}]);
  const ended = await machine.run([...command.split(' '), ...args]);
  expect(ended).toMatchObject({
    status,
    stdout: '',
    stderr: expect.stringMatching(/^Error: (1|@ANA?) is your own account: nothing was sent$/im),
  });
  expect(server.exchanges).toEqual([]);
});

test('--skip-invalid that leaves out the only target leaves nothing to do', async () => {
  await using server = await serverThat(() => ({text: '{}'}));
  const machine = await machineWith([profileOn(server.url, {account: {id: '1', acct: 'ana'}}), {accessToken: 'a'}]);
  expect(await machine.run(['mutes', 'add', '@ana', '--skip-invalid'])).toMatchObject({
    status: 2,
    stdout: '',
    stderr: 'Warning: skipped: @ana is your own account\nError: Nothing to do\nHint: see `pixelctl mutes add --help`\n',
  });
  expect(server.exchanges).toEqual([]);
});

describe('where the server does not say whose token it is', () => {
  const unknown = (target: string) => target.includes('verify_credentials');

  test('a list is taken for that of others', async () => {
    await using server = await serverThat(({target}) => (unknown(target) ? {status: 404, text: '{"error":""}'} : {text: '{}'}));
    const stdin = '{"id": "7", "account": {"id": "8"}}';
    expect(await run(['mutes', 'add', '-', '--json'], {env: server.env, stdin})).toMatchObject({status: 0});
    expect(requestsTo(server)).toEqual(['GET /api/v1/accounts/verify_credentials', 'POST /api/v1/accounts/8/mute']);
  });

  test('items of a named account are refused', async () => {
    await using server = await serverThat(() => ({status: 404, text: '{"error":""}'}));
    const {host} = new URL(server.url);
    const stdin = `{"account": "ana@${host}", "item": {"id": "7"}}`;
    expect(await run(['mutes', 'add', '-'], {env: server.env, stdin})).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(`The list has items of ana@${host}, but the command acts as ${host}: nothing was sent`),
    });
  });
});

test('a conversation whose id is that of the own account is no message to oneself', async () => {
  await using server = await serverThat(() => ({text: '{"id":"9","text":"Hello"}'}));
  const machine = await machineWith([profileOn(server.url, {account: {id: '1', acct: 'ana'}}), {accessToken: 'a'}]);
  expect((await machine.run(['dm', 'send', '1', 'Hello', '--no-limits', '--json'])).status).toBe(0);
});
