/** One's own account as what a command acts on, where the profile says whose it is. */
import {expect, test} from 'vitest';
import {serverThat} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

const names = ['1', '@ana', '@ANA'];

test.each(
  names.flatMap((name): [string, number, string[]][] => [
    ['mutes add', 5, [name]],
    ['blocks add', 5, [name, '--yes']],
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

test('lines of a batch that act on the own account are refused together, before anything is sent and in a dry run', async () => {
  await using server = await serverThat(() => ({text: '{}'}));
  const machine = await machineWith([profileOn(server.url, {account: {id: '1', acct: 'ana'}}), {accessToken: 'a'}]);
  const lines = ['blocks add @ana --yes', 'mutes add 7 1', 'dm start @ANA', 'thread send 1 Hello', 'mutes add 8', 'dm send @ana Hello'];
  for (const more of [[], ['--dry-run']]) {
    const {status, stdout, stderr} = await machine.run(['batch', ...more], {stdin: lines.join('\n')});
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    const refused = [1, 2, 3, 4, 6].map((line) => expect.stringContaining(`Line ${line}: `));
    for (const one of refused) expect(stderr).toEqual(one);
    expect(stderr).not.toContain('Line 5');
    expect(stderr.match(/is your own account \(name another account\)/gi)).toHaveLength(5);
  }
  expect(server.exchanges).toEqual([]);
});

test('a conversation whose id is that of the own account is no message to oneself', async () => {
  await using server = await serverThat(() => ({text: '{"id":"9","text":"Hello"}'}));
  const machine = await machineWith([profileOn(server.url, {account: {id: '1', acct: 'ana'}}), {accessToken: 'a'}]);
  expect((await machine.run(['dm', 'send', '1', 'Hello', '--no-limits', '--json'])).status).toBe(0);
});

test('a server that refuses to mute the own account is not asked again, and the outcome is known', async () => {
  await using server = await serverThat(() => ({status: 500, text: '{"error":"You cannot mute yourself"}'}));
  const machine = await machineWith([profileOn(server.url, {account: null}), {accessToken: 'a'}]);
  const {stderr, status} = await machine.run(['mutes', 'add', '1', '--json']);
  expect({status, error: JSON.parse(stderr).error}).toMatchObject({status: 5, error: {code: 'refused'}});
  expect(JSON.parse(stderr).error).not.toHaveProperty('fate');
  expect(server.exchanges).toHaveLength(1);
});
