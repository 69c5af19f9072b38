/** What an export says of what failed. */
import {chmodSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import {changing, filesIn, newArchive, sandboxOf} from './archives.js';
import {HeldClock} from '../loopback-server.js';
import {begin, run} from './in-process.js';
import {newFolder} from './program.js';

const group = '1029249428955471394';

test.each([
  ['backup', ['rate-limit=300,at="/api/v1/mutes",times=1'], 11, /: mutes failed: .* it asks to wait 300 s/],
  // The waits of the lists and of the messages count together.
  [
    'backup',
    ['rate-limit=70,at="/api/v1/mutes",times=1', 'rate-limit=70,at="GET /api/v1.1/direct/conversations",times=1'],
    11,
    /: messages failed: .* wait 70 s/,
  ],
  ['dm export', ['rate-limit=300,at="GET /api/v1.1/direct/conversations",times=1'], 6, /it asks to wait 300 s/],
])('%s ends when the server asks it to wait for more than two minutes: %j', async (command, faults, status, said) => {
  const {env} = await sandboxOf({faults: faults.map((fault) => parseFault(fault))});
  const ended = await run([...command.split(' '), '--to', newArchive()], {env});
  expect(ended).toMatchObject({status, stderr: expect.stringMatching(said)});
});

test('an export shows that it is paused by the server', async () => {
  const {env} = await sandboxOf({faults: [parseFault('rate-limit=60,at="GET /api/v1.1/direct/conversations"')]});
  const {seen, signal, ended} = begin(['dm', 'export', '--to', newArchive()], {env, columns: 100, clock: new HeldClock()});
  await seen(/paused by the server for \d+ s/);
  signal('SIGINT');
  expect(await ended).toMatchObject({status: 130});
});

describe('conversations that failed', () => {
  test('conversations that failed are not among those that were exported', async () => {
    const server = await changing();
    const to = newArchive();
    await run(['dm', 'export', '--to', to], {env: server.env});
    server.change = ({target}) =>
      target.includes('/messages') && !target.includes(group) ? {status: 404, text: '{"error":""}'} : undefined;
    const {status, stderr} = await run(['dm', 'export', '--to', to], {env: server.env});
    expect(status).toBe(11);
    expect(stderr).toBe(
      `Exported 1 conversation to ${to}: 4 messages, 0 new.\nError: 3 of 4 conversations failed; the rest is in ${to}\nHint: the results say why; to try again what failed, run the same command again\n`,
    );
  });

  test('the only conversation that failed gives its error and exit status', async () => {
    const server = await changing();
    const {env} = server;
    const to = newArchive();
    const {host} = new URL(server.url);
    const failed = async (...args: readonly string[]) => run(['dm', 'export', '--to', to, ...args], {env});
    expect(await failed('99')).toMatchObject({
      status: 4,
      stderr: `Error: ${host}: not found (404)\nHint: check the id with \`pixelctl dm list\`; objects of other accounts are not found either\n`,
    });
    expect(await failed('@nobody')).toMatchObject({
      status: 4,
      stderr: expect.stringContaining(`Error: No account @nobody on ${host}\nHint: search for it: `),
    });
    await failed();
    const log = join(to, group, 'log.ndjson');
    writeFileSync(log, 'x\n');
    expect(await failed(group)).toMatchObject({
      status: 9,
      stderr: `Error: ${log} is damaged at line 1: it is not what was written\nHint: put it aside, then run the same command again: \`mv ${log} ${join(to, group, 'log.damaged-1.ndjson')}\`\n`,
    });
  });

  test('a conversation with as many levels as are read stays readable', async () => {
    const server = await changing();
    const to = newArchive();
    const nested = `${'['.repeat(498)}${']'.repeat(498)}`;
    server.change = ({target}, answered) =>
      target.endsWith(`/conversations/${group}`) ? {...answered, text: answered.text.replace('{', `{"deep":[${nested}],`)} : undefined;
    const go = () => run(['dm', 'export', group, '--to', to], {env: server.env});
    expect([await go(), await go()]).toMatchObject([{status: 0}, {status: 0}]);
  });
});

describe.each([
  ['dm export', 'archive', ['dm', 'export', '--no-media']],
  ['backup', 'backup', ['backup', '--no-messages']],
])('the folder of %s', (_, noun, command) => {
  async function accounts() {
    const {sandbox} = await sandboxOf();
    const url = sandbox.url;
    return {
      host: new URL(url).host,
      one: {PIXELCTL_SERVER: url, PIXELCTL_TOKEN: sandbox.tokens.all},
      both: {
        PIXELCTL_PROFILES: 'ana,bob',
        PIXELCTL_SERVER_ANA: url,
        PIXELCTL_SERVER_BOB: url,
        PIXELCTL_TOKEN_ANA: sandbox.tokens.all,
        PIXELCTL_TOKEN_BOB: sandbox.tokens.users['bob'] ?? '',
      },
    };
  }

  test('a folder of one account is refused for several', async () => {
    const {host, one, both} = await accounts();
    const to = newArchive();
    await run([...command, '--to', to], {env: one});
    const before = readdirSync(to);
    const {status, stderr} = await run([...command, '--to', to, '--all-profiles'], {env: both});
    expect(status).toBe(2);
    expect(stderr).toContain(`${to} is the ${noun} of @ana on ${host}, and several accounts need folders of their own: nothing was sent`);
    expect(readdirSync(to)).toEqual(before);
  });

  test('with a folder that has those of several accounts, one account is told which to name', async () => {
    const {host, one, both} = await accounts();
    const to = newArchive();
    await run([...command, '--to', to, '--all-profiles'], {env: both});
    const {status, stderr} = await run([...command, '--to', to], {env: one});
    expect(status).toBe(2);
    const names = ['ana', 'bob'].map((name) => join(to, `${name}@${encodeURIComponent(host)}`));
    expect(stderr).toContain(`Hint: it has folders of accounts: name one of ${names.join(', ')}\n`);
    for (const [index, acct] of ['ana', 'bob'].entries())
      expect(JSON.parse(readFileSync(join(names[index] ?? '', `${noun}.json`), 'utf8'))).toMatchObject({account: {acct}});
  });

  test('the folder of another account is refused, and left as it is', async () => {
    const {host, one, both} = await accounts();
    const to = newArchive();
    await run([...command, '--to', to], {env: one});
    const content = () => filesIn(to).map((name) => readFileSync(join(to, name), 'utf8'));
    const before = content();
    const {status, stdout, stderr} = await run([...command, '--to', to], {env: {...one, PIXELCTL_TOKEN: both.PIXELCTL_TOKEN_BOB}});
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toContain(`is the ${noun} of @ana on ${host}`);
    expect(content()).toEqual(before);
  });

  test('a folder with other files is refused, and its permissions stay', async () => {
    const {one} = await accounts();
    const to = newFolder();
    chmodSync(to, 0o755);
    writeFileSync(join(to, 'notes.txt'), 'mine');
    const {status, stderr} = await run([...command, '--to', to], {env: one});
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`is not empty, and not an? ${noun}`));
    expect([filesIn(to), statSync(to).mode & 0o777]).toEqual([['notes.txt'], 0o755]);
  });
});
