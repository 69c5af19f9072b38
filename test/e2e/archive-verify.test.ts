import {appendFileSync, existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {large} from './large-world.js';
import type {SeedState} from '../../src/lib/sandbox/seed.js';
import {someInTurn} from '../contract/sample.js';
import {startSandbox, type SandboxOptions} from '../sandbox/start.js';
import {changingSandbox, forget, itemsOf, linesOf, newArchive} from './archives.js';
import {begin, run} from './in-process.js';
import {pass, serverThat} from './server.js';

const world: SeedState = {
  me: 'ana',
  accounts: [{acct: 'ana'}, {acct: 'bob'}, {acct: 'eve'}],
  mutuals: ['bob', 'eve'],
  conversations: [
    {between: ['ana', 'eve'], messages: [{from: 'eve', text: 'One', media: ['image/png']}]},
    {
      between: ['ana', 'bob'],
      messages: Array.from({length: 120}, (_, index) => ({
        from: 'ana',
        text: `Message ${index}`,
        ...(index === 3 && {media: ['video/mp4' as const]}),
      })),
    },
  ],
};

async function exported(options: SandboxOptions = {}) {
  const server = await changingSandbox({seed: world, ...options});
  onTestFinished(() => server[Symbol.asyncDispose]());
  const {env} = server;
  const to = newArchive();
  await run(['dm', 'export', '--to', to], {env});
  const [{id}, {id: eves}] = itemsOf(to, 'conversations.ndjson');
  const verify = async (...flags: readonly string[]) => {
    const ended = await run(['dm', 'export', '--to', to, '--verify', '--json', ...flags], {env});
    return {...ended, results: JSON.parse(ended.stdout)};
  };
  return {server, env, to, id, eves, verify};
}

const complete = {missing: 0, gaps: [], changed: 0, deleted: 0, media_missing: 0, media_damaged: 0, error: null};

describe('a verification', () => {
  test('nothing is missing right after an export, and nothing is changed by looking', async () => {
    const {to, env, verify} = await exported();
    const before = readFileSync(join(to, 'conversations.ndjson'), 'utf8');
    const {status, results} = await verify();
    expect(status).toBe(0);
    expect(results).toMatchObject([
      {...complete, with: ['@bob'], server: {messages: 120}, archive: {messages: 120}, media: 1},
      {...complete, with: ['@eve'], server: {messages: 1}, archive: {messages: 1}, media: 1},
    ]);
    expect(readFileSync(join(to, 'conversations.ndjson'), 'utf8')).toBe(before);
    const table = await run(['dm', 'export', '--to', to, '--verify'], {env});
    expect(table.stderr).toBe('Nothing is missing of 2 conversations.\n');
  });

  test('messages that are missing are counted, with the gaps that they leave', async () => {
    const {to, id, env, verify} = await exported();
    const file = join(to, id, 'messages.ndjson');
    const lines = linesOf(file);
    const ids = lines.map((line) => JSON.parse(line).id);
    forget(to, id, (place) => place < 2 || (place >= 50 && place < 53));
    await run(['dm', 'send', id, 'New'], {env});
    const {status, results, stderr} = await verify('--no-media');
    expect(status).toBe(10);
    expect(results[0]).toMatchObject({
      missing: 6,
      gaps: [
        {after: null, before: ids[2], messages: 2},
        {after: ids[49], before: ids[53], messages: 3},
        {after: ids[119], before: null, messages: 1},
      ],
      server: {messages: 121, first_id: ids[0]},
      archive: {messages: 115, first_id: ids[2], last_id: ids[119]},
    });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'drift',
      message: expect.stringContaining('6 messages of the server are not in'),
    });
    const again = await run(['dm', 'export', '--to', to], {env});
    expect(again.status).toBe(0);
    expect((await verify()).status).toBe(0);
  });

  test('messages that were edited or deleted on the server are told, and are not missing', async () => {
    const {id, to, env, server, verify} = await exported();
    const [first] = itemsOf(to, id, 'messages.ndjson');
    await run(['dm', 'delete-message', id, first.id, '--yes'], {env});
    server.change = ({target}, answered) =>
      target.includes('/messages') ? {...answered, text: answered.text.replace('"Message 60"', '"edited"')} : undefined;
    const {status, results} = await verify();
    expect(status).toBe(0);
    expect(results[0]).toMatchObject({missing: 0, changed: 1, deleted: 1, archive: {messages: 120}, server: {messages: 119}});
  });

  test('files that are gone or damaged are told apart', async () => {
    const {id, eves, env, to, verify} = await exported();
    const bobs = join(to, id, itemsOf(to, id, 'index.ndjson')[3].media[0].file);
    const whole = readFileSync(bobs);
    rmSync(bobs);
    const {file} = itemsOf(to, eves, 'index.ndjson')[0].media[0];
    appendFileSync(join(to, eves, file), 'x');
    const {status, results, stderr} = await verify();
    expect(status).toBe(9);
    expect(results).toMatchObject([
      {media: 1, media_missing: 1, media_damaged: 0},
      {media: 1, media_missing: 0, media_damaged: 1},
    ]);
    expect(JSON.parse(stderr).error.message).toBe(`1 file of the server is not in ${to}; 1 file in ${to} is damaged`);
    expect((await verify('--no-media')).status).toBe(0);
    const {stdout} = await run(['dm', 'export', '--to', to, '--verify'], {env});
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/).slice(6))).toEqual([
      ['files', 'note'],
      ['1 missing'],
      ['1 damaged', `damaged: ${eves}/${file}`],
      [],
    ]);
    writeFileSync(bobs, Buffer.concat([whole, Buffer.from('x')]));
    expect(JSON.parse((await verify()).stderr).error.message).toBe(`2 files in ${to} are damaged`);
  });

  test.each([
    ['of another length', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
    ['of the same length', (bytes: Buffer) => Buffer.from(bytes).fill(0, bytes.length - 1)],
  ])('a damaged file %s is named, and fetched again by the command that the verification names', async (_, damage) => {
    const {eves, env, to, verify} = await exported();
    const {file} = itemsOf(to, eves, 'index.ndjson')[0].media[0];
    const path = join(to, eves, file);
    const whole = readFileSync(path);
    writeFileSync(path, damage(whole));
    const {status, results, stderr} = await verify();
    expect(status).toBe(9);
    expect(results).toMatchObject([{damaged_files: []}, {media_damaged: 1, damaged_files: [`${eves}/${file}`]}]);
    expect(JSON.parse(stderr).error.hint).toContain(`to fetch them again: \`pixelctl dm export --to=${to} `);
    const again = await run(['dm', 'export', '--to', to], {env});
    expect(again).toMatchObject({status: 0, stderr: expect.stringContaining('0 new, 1 new file.')});
    expect(readFileSync(path)).toEqual(whole);
    expect((await verify()).status).toBe(0);
    expect(await run(['dm', 'export', '--to', to], {env})).toMatchObject({status: 0, stderr: expect.not.stringContaining('new file')});
  });

  test('a note of damaged files that cannot be read does not keep an export from its end', async () => {
    const {eves, env, to} = await exported();
    writeFileSync(join(to, eves, '.damaged.json'), '{');
    expect((await run(['dm', 'export', '--to', to], {env})).status).toBe(0);
  });

  test('a file of another length is fetched again by the next full export, and stays where it cannot be', async () => {
    const {eves, env, to, server} = await exported();
    const {file} = itemsOf(to, eves, 'index.ndjson')[0].media[0];
    const path = join(to, eves, file);
    const whole = readFileSync(path);
    appendFileSync(path, 'x');
    await run(['dm', 'export', '--to', to, '--new-only'], {env});
    expect(readFileSync(path)).not.toEqual(whole);
    server.change = ({target}) => (target.startsWith('/storage') ? {status: 404, text: ''} : undefined);
    expect(await run(['dm', 'export', '--to', to], {env})).toMatchObject({status: 11, stderr: expect.stringContaining('1 file failed')});
    expect(readFileSync(path)).toEqual(Buffer.concat([whole, Buffer.from('x')]));
    server.change = undefined;
    expect((await run(['dm', 'export', '--to', to], {env})).status).toBe(0);
    expect(readFileSync(path)).toEqual(whole);
  });

  test('a single message that is missing is told, also where another conversation could not be compared', async () => {
    const {id, eves, env, to, server} = await exported();
    forget(to, id, (place) => place === 119);
    const one = await run(['dm', 'export', '--to', to, '--verify'], {env});
    expect(one).toMatchObject({status: 10, stderr: expect.stringContaining(`1 message of the server is not in ${to}.`)});
    server.change = ({target}) => (target.includes(`${eves}/messages`) ? {status: 404, text: '{"error":""}'} : undefined);
    const failed = await run(['dm', 'export', '--to', to, '--verify'], {env});
    expect(failed).toMatchObject({
      status: 11,
      stderr: expect.stringContaining(`Error: 1 conversation could not be compared; 1 message of the server is not in ${to}\n`),
    });
    server.change = undefined;
    writeFileSync(join(to, eves, 'messages.ndjson'), 'x\n');
    const damaged = await run(['dm', 'export', '--to', to, '--verify'], {env});
    expect(damaged).toMatchObject({
      status: 9,
      stderr: expect.stringContaining(`Error: 1 message of the server is not in ${to}; 1 conversation in ${to} is damaged\n`),
    });
  });

  test('a conversation that is gone is no difference but a failure', async () => {
    const {id, server, verify} = await exported();
    server.change = ({target}) => (target.includes(`${id}/messages`) ? {status: 404, text: '{"error":""}'} : undefined);
    const {status, results} = await verify();
    expect(status).toBe(11);
    expect(results).toMatchObject([{error: {code: 'not_found'}}, {error: null}]);
  });

  test('a conversation that is named and not found is told by that name', async () => {
    const {env, to} = await exported();
    const {status, stdout} = await run(['dm', 'export', '@nobody', '--to', to, '--verify', '--json'], {env});
    expect(status).toBe(11);
    expect(JSON.parse(stdout)).toMatchObject([{id: '@nobody', error: {code: 'not_found'}}]);
  });

  test('a verification ends with the first conversation where the token is not accepted', async () => {
    const {server, verify} = await exported();
    const before = server.asked.length;
    server.change = ({target}) => (target.includes('/messages') ? {status: 401, text: '{"error":"Unauthenticated."}'} : undefined);
    const {status, results} = await verify();
    expect({status, results}).toMatchObject({status: 3, results: [{error: {code: 'auth'}}]});
    expect(server.asked.slice(before).filter((line) => line.includes('/messages')).length).toBe(1);
  });

  test('only what was sent since a date is compared with --since', async () => {
    const {id, to, verify} = await exported();
    const file = join(to, id, 'messages.ndjson');
    const lines = linesOf(file);
    forget(to, id, (place) => place < 10);
    expect((await verify('--since', JSON.parse(lines[10] ?? '').created_at)).status).toBe(0);
    expect((await verify('--since', JSON.parse(lines[8] ?? '').created_at)).results[0]).toMatchObject({missing: 2});
  });

  test('a folder without an archive is refused, and stays as it is', async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all};
    const to = newArchive();
    const {status, stderr} = await run(['dm', 'export', '--to', to, '--verify'], {env});
    expect(status).toBe(4);
    expect(stderr).toContain(`There is no archive in ${to}`);
    expect(existsSync(to)).toBe(false);
  });
});

describe('a verification of several accounts', () => {
  async function both() {
    const sandbox = await startSandbox({seed: world, limitsRate: false});
    onTestFinished(() => sandbox.close());
    const {host} = new URL(sandbox.url);
    const tokens = {PIXELCTL_TOKEN_ANA: sandbox.tokens.all, PIXELCTL_TOKEN_BOB: sandbox.tokens.users['bob'] ?? ''};
    const env = {PIXELCTL_PROFILES: 'ana,bob', PIXELCTL_SERVER_ANA: sandbox.url, PIXELCTL_SERVER_BOB: sandbox.url, ...tokens};
    const to = newArchive();
    const go = (...flags: readonly string[]) => run(['dm', 'export', '--to', to, '--all-profiles', '--json', ...flags], {env});
    expect((await go()).status).toBe(0);
    const folderOf = (name: string) => join(to, `${name}@${encodeURIComponent(host)}`);
    return {
      go,
      ana: `ana@${host}`,
      bob: `bob@${host}`,
      to,
      folderOf,
      async verify() {
        const {status, stderr} = await go('--verify');
        return {status, error: JSON.parse(stderr).error};
      },
      /** Those that the two wrote to each other. */
      messagesOf(name: string) {
        const [{id}] = itemsOf(folderOf(name), 'conversations.ndjson');
        return join(folderOf(name), id, 'messages.ndjson');
      },
    };
  }

  test('differences of each are a result, with the command that fetches all of them', async () => {
    const {go, ana, bob, to, folderOf, messagesOf, verify} = await both();
    const dropLast = (file: string) => forget(dirname(dirname(file)), basename(dirname(file)), (place) => place === 119);
    const left = (name: string) => `1 message of the server is not in ${folderOf(name)}`;
    const hint = `to fetch them: \`pixelctl dm export --to=${to} --all-profiles\``;
    dropLast(messagesOf('ana'));
    expect(await verify()).toMatchObject({status: 10, error: {code: 'drift', message: `${ana}: ${left('ana')}`, hint}});
    dropLast(messagesOf('bob'));
    expect(await verify()).toMatchObject({
      status: 10,
      error: {code: 'drift', message: `${ana}: ${left('ana')}; ${bob}: ${left('bob')}`, hint},
    });
    expect((await go()).status).toBe(0);
    expect((await go('--verify')).status).toBe(0);
    dropLast(messagesOf('ana'));
    writeFileSync(messagesOf('bob'), 'x\n');
    expect(await verify()).toMatchObject({
      status: 11,
      error: {
        code: 'partial',
        message: `2 of 2 accounts failed: ${ana}: ${left('ana')}; ${bob}: 1 conversation in ${folderOf('bob')} is damaged`,
      },
    });
  });
});

test('the progress of an export says how many messages and files there are', async () => {
  const sandbox = await startSandbox({seed: world, limitsRate: false});
  onTestFinished(() => sandbox.close());
  const held = Promise.withResolvers<void>();
  await using server = await serverThat(async (received) => {
    if (received.target.startsWith('/storage') && server.exchanges.some(({received: {target}}) => target.startsWith('/storage')))
      await held.promise;
    return pass(received, sandbox.url);
  }, sandbox.tokens.all);
  const {ended, seen} = begin(['dm', 'export', '--to', newArchive(), '--json'], {env: server.env, columns: 120});
  await seen(/\d of 2, 121 messages, 1 file/);
  held.resolve();
  expect((await ended).status).toBe(0);
});

test.each([
  [['--verify', '--drop-missing'], '--verify and --drop-missing cannot be used together'],
  [['--verify', '--new-only'], '--verify and --new-only cannot be used together'],
])('%s are refused', async (flags, message) => {
  const {status, stderr} = await run(['dm', 'export', '--to', 'x', ...flags], {env: {PIXELCTL_SERVER: 'http://127.0.0.1:9'}});
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('an export without a folder is refused', async () => {
  expect(await run(['dm', 'export'], {env: {PIXELCTL_SERVER: 'http://127.0.0.1:9'}})).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Missing: --to'),
  });
});

const many = (conversations: number): SeedState => {
  const accounts = Array.from({length: conversations}, (_, index) => `friend${index}`);
  const messages = Array.from({length: 120}, (_, index) => ({
    from: 'ana',
    text: `Message ${index}`,
    ...(index % 20 === 0 && {media: ['image/png' as const]}),
  }));
  return {
    me: 'ana',
    accounts: ['ana', ...accounts].map((acct) => ({acct})),
    mutuals: accounts,
    conversations: accounts.map((acct) => ({between: ['ana', acct], messages})),
  };
};

const worlds = [
  {conversations: 12, messages: '1,440', files: 72, seed: many(12)},
  {conversations: 40, messages: '10,000', files: 500, seed: large()},
] as const;

test.each(someInTurn(worlds, 1))(
  '$messages messages and $files files are exported, and none is missing',
  async ({conversations, messages, files, seed}) => {
    const sandbox = await startSandbox({seed, limitsRate: false});
    onTestFinished(() => sandbox.close());
    const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all};
    const to = newArchive();
    const ended = await run(['dm', 'export', '--to', to], {env});
    // On a slow machine, the progress is told before.
    expect(ended.stderr.split('\n').at(-2)).toBe(
      `Exported ${conversations} conversations to ${to}: ${messages} messages, ${messages} new, ${files} new files.`,
    );
    const verified = await run(['dm', 'export', '--to', to, '--verify'], {env});
    expect(verified).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(new RegExp(String.raw`(?:^|\n)Nothing is missing of ${conversations} conversations\.\n$`)),
    });
  },
);
