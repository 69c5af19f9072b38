/** The host of one's own account is that of the profile's server, whatever the server says. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {newFolder} from './program.js';
import {recordedSandbox, serverThat, type RecordingServer} from './server.js';
import {machineWith, profileOn} from './signing-in.js';

const blocked = {id: '7', username: 'spam', acct: 'spam', display_name: 'Spam', url: 'https://elsewhere.example/spam'};

/** A server that says what it likes of the account of every token. */
const lying = (acct: (own: string) => string): Promise<RecordingServer> => {
  let own = '';
  const answers: Readonly<Record<string, () => unknown>> = {
    '/api/v1/accounts/verify_credentials': () => ({id: '1', username: 'eve', acct: acct(own)}),
    '/api/v1/blocks': () => [blocked],
    '/api/v1/domain_blocks': () => ['bad.example'],
  };
  return serverThat(({target, headers}) => {
    own = headers['host'] ?? '';
    const answer = answers[target.split('?', 1)[0] ?? ''];
    return answer === undefined ? {status: 404, text: '{}'} : {text: JSON.stringify(answer())};
  });
};

/** Ana on a server of her own (a), and a profile (b) of a server that claims to be hers. */
async function desk(claim: (host: string) => string, stored: 'asked' | 'stored') {
  const a = await recordedSandbox();
  const host = new URL(a.url).host;
  const b = await lying(() => claim(host));
  const hostOfB = new URL(b.url).host;
  const account = stored === 'stored' ? {id: '1', acct: claim(host)} : null;
  const machine = await machineWith(
    [profileOn(a.url, {name: 'a', account: {id: '1', acct: 'ana'}}), {accessToken: 'sandbox-ana'}],
    [profileOn(b.url, {name: 'b', account}), {accessToken: 'b'}],
  );
  return {a, b, host, hostOfB, machine, [Symbol.asyncDispose]: () => a[Symbol.asyncDispose]()};
}

const claims: readonly (readonly [string, (host: string) => string])[] = [
  ['its host', (host) => `ana@${host}`],
  ['its host with another port', (host) => `ana@${host.replace(/:\d+$/, ':1')}`],
  ['its host and more', (host) => `ana@${host}@evil.example`],
  ['nothing behind the @', () => 'ana@'],
];

describe.each(['asked', 'stored'] as const)('a name that is %s', (stored) => {
  test.each(claims)('a name of the own server that claims %s is not an account of another server', async (_, claim) => {
    await using between = await desk(claim, stored);
    const {machine, host, hostOfB, a} = between;
    const list = await machine.run(['blocks', 'list', '--all-profiles', '--json']);
    expect(list.status, list.stderr).toBe(0);
    const accounts: string[] = JSON.parse(list.stdout).map(({account}: {account: string}) => account);
    expect(accounts.at(-1)).toBe(`ana@${hostOfB}`);
    expect(accounts.slice(0, -1).every((account) => account === `ana@${host}`)).toBe(true);
    const items = JSON.stringify(JSON.parse(list.stdout).slice(-1));
    const before = a.exchanges.length;
    const removed = await machine.run(['blocks', 'remove', '--from', '-', '-p', 'a', '--yes'], {stdin: items});
    expect(removed).toMatchObject({status: 2, stderr: expect.stringContaining(`items of ana@${hostOfB}`)});
    expect(a.exchanges).toHaveLength(before);
  });

  test('a name of the own server is shown and planned for as one of its own', async () => {
    await using between = await desk((host) => `ana@${host}`, stored);
    const {machine, host, hostOfB} = between;
    const policy = `version: 1\naccounts: [ana@${host}]\ndomain_blocks:\n  must: [bad.example]\n`;
    const folder = newFolder();
    writeFileSync(join(folder, 'p.yml'), policy);
    const {status, stderr} = await machine.run(['plan', 'p.yml', '-p', 'b'], {folder});
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(`ana@${hostOfB}`)});
  });
});

test('signing in keeps the name without the host', async () => {
  const server = await lying(() => 'eve@pix.example');
  const machine = await machineWith();
  const {status, stderr} = await machine.run(['auth', 'login', server.url, '--with-token', '--insecure-storage'], {stdin: 'token'});
  expect({status, stderr}).toMatchObject({status: 0});
  const {profiles} = await machine.store.list();
  expect(profiles).toMatchObject([{name: expect.stringMatching(/^eve@127\.0\.0\.1/), account: {id: '1', acct: 'eve'}}]);
});

test.each(['domain-blocks list --all', 'apply named.yml --yes', 'undo p.yml --yes'])(
  '%s of several accounts fails for one whose server does not name it, and goes on with the others',
  async (line) => {
    const [good, bad] = [await lying(() => 'ana'), await lying(() => 'a na')];
    const machine = await machineWith(
      [profileOn(good.url, {name: 'a', account: null}), {accessToken: 'a'}],
      [profileOn(bad.url, {name: 'b', account: null}), {accessToken: 'b'}],
    );
    const folder = newFolder();
    const rules = 'domain_blocks: {must: [bad.example]}\n';
    writeFileSync(join(folder, 'p.yml'), `version: 1\n${rules}`);
    writeFileSync(join(folder, 'named.yml'), `version: 1\naccounts: [ana@${new URL(good.url).host}]\n${rules}`);
    const run = (args: string) => machine.run([...args.split(' '), '--json', '--quiet'], {folder});
    if (line.startsWith('undo')) await run('apply p.yml --yes --profile a,b');
    const {status, stdout, stderr} = await run(`${line} --all-profiles`);
    const {error} = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
    expect(status, stdout + stderr).toBe(11);
    expect(error.accounts.filter((one: {account: string}) => !one.account.includes('ana'))).toMatchObject([{error: {code: 'bad_answer'}}]);
    expect(bad.exchanges.every(({received}) => received.target.endsWith('/verify_credentials'))).toBe(true);
  },
);
