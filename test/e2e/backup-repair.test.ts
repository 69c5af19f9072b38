/** Backups of which a file is lost or damaged: the error says what to do, and what it suggests loses nothing. */
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {wordsOfShell} from '../shell-words.js';
import {suggestionsIn} from '../command-lines.js';
import {changingSandbox, itemsOf} from './archives.js';
import {generationsOf, latestOf, listsIn, newBackup, policyOf, someLists} from './backups.js';
import {run} from './in-process.js';

const seed = {
  me: 'ana',
  accounts: ['ana', 'bob', 'clara', 'eve', 'troll@spam.example', 'ads@shop.example'].map((acct) => ({acct})),
  conversations: [{between: ['ana', 'clara'], messages: [{from: 'clara', text: 'Hi'}]}],
  ...someLists,
};

async function backedUp() {
  const server = await changingSandbox({seed});
  onTestFinished(() => server[Symbol.asyncDispose]());
  const {env} = server;
  const to = newBackup();
  const go = async (...flags: readonly string[]) => run(['backup', '--to', to, ...flags], {env});
  expect(await go()).toMatchObject({status: 0});
  const fail = (path: string) => {
    server.change = ({target}) => (target.startsWith(path) ? {status: 503, text: '{"error":"later"}'} : undefined);
  };
  return {server, env, to, go, fail};
}

/** Runs the first command that a text suggests, as it is printed. */
async function runSuggested(text: string, env: Readonly<Record<string, string>>) {
  const [line = ''] = suggestionsIn(text);
  return run(wordsOfShell(line).slice(1), {env});
}

describe('the file that says whose a backup is', () => {
  test.each<readonly [string, (path: string) => void]>([
    ['removed', (path) => rmSync(path)],
    ['emptied', (path) => truncateSync(path, 0)],
    ['cut', (path) => truncateSync(path, 30)],
    ['replaced by a folder', (path) => (rmSync(path), mkdirSync(path))],
  ])('where it was %s, each command suggests what writes it again', async (_, damage) => {
    const {env, to, go} = await backedUp();
    const path = join(to, 'backup.json');
    const before = readFileSync(path, 'utf8');
    const lines = [
      ['backup', '--to', to],
      ['backup', '--to', to, '--list'],
      ['restore', to, '--dry-run'],
    ];
    for (const line of lines) {
      rmSync(path, {recursive: true, force: true});
      writeFileSync(path, before);
      damage(path);
      const {status, stderr} = await run(line, {env});
      expect({status, stderr}, line.join(' ')).toMatchObject({
        status: 9,
        stderr: expect.stringMatching(/names the owner of the backup .*\. Nothing was sent/),
      });
      expect(await runSuggested(stderr, env), line.join(' ')).toMatchObject({status: 0});
      expect(readFileSync(path, 'utf8')).toBe(before);
      expect(await run(line, {env}), line.join(' ')).toMatchObject({status: 0});
    }
    expect(generationsOf(to).length).toBe(1);
    expect(await go()).toMatchObject({status: 0});
  });

  test('is not written for another account than that of the messages', async () => {
    const {server, to} = await backedUp();
    rmSync(join(to, 'backup.json'));
    const env = {...server.env, PIXELCTL_TOKEN: server.sandbox.tokens.users['bob'] ?? ''};
    const before = readdirSync(to).toSorted();
    expect(await run(['backup', '--to', to, '--repair'], {env})).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/is the backup of @ana on \S+, not of @bob/),
    });
    expect(readdirSync(to).toSorted()).toEqual(before);
  });
});

test('a repair keeps what is readable of damaged messages', async () => {
  const {to, go, env} = await backedUp();
  const [{id}] = itemsOf(to, 'messages', 'conversations.ndjson');
  rmSync(join(to, 'messages', 'archive.json'));
  truncateSync(join(to, 'messages', id, 'messages.ndjson'), 4);
  const ended = await go();
  expect(ended).toMatchObject({status: 9, stderr: expect.stringContaining('archive.json is missing')});
  expect(await go('--repair')).toMatchObject({status: 0});
  expect(itemsOf(to, 'messages', id, 'messages.ndjson').map(({text}) => text)).toEqual(['Hi']);
  expect(await run(['dm', 'export', '--to', join(to, 'messages'), '--verify'], {env})).toMatchObject({status: 0});
});

describe('a list that is damaged in the latest lists, and cannot be read', () => {
  test.each(['blocks.json', 'policy.yml', 'kept.json'])(
    'comes from the lists before, where %s is damaged, also when it is accepted',
    async (file) => {
      const {to, go, env, fail} = await backedUp();
      const first = policyOf(to);
      await run(['mutes', 'remove', '@eve'], {env});
      expect(await go()).toMatchObject({status: 0});
      expect(generationsOf(to).length).toBe(2);
      truncateSync(join(listsIn(to), file), 10);
      fail('/api/v1/blocks');
      const ended = await go('--no-messages', '--retries', '0');
      expect(ended).toMatchObject({status: 11, stderr: expect.stringContaining('is damaged')});
      expect(await go('--no-messages', '--retries', '0', '--accept-loss')).toMatchObject({status: 11});
      expect(readdirSync(listsIn(to))).toContain('blocks.json');
      const blocks = (text: string) => /^blocks:\n(?: .*\n)*/m.exec(text)?.[0];
      expect(blocks(policyOf(to))).toBe(blocks(first));
    },
  );
});

describe('where the name of the latest lists is damaged', () => {
  test.each<readonly [string, (path: string) => void]>([
    ['emptied', (path) => truncateSync(path, 0)],
    ['another', (path) => writeFileSync(path, '2020-01-01T000000Z\n')],
    ['a folder', (path) => (rmSync(path), mkdirSync(path))],
  ])('(%s), losses are told all the same, and accepting them makes it whole', async (_, damage) => {
    const {to, go, env, server} = await backedUp();
    damage(join(to, 'lists', 'latest'));
    server.change = ({target}) => (target.startsWith('/api/v1/mutes') ? {text: '[]'} : undefined);
    const ended = await go('--no-messages');
    expect(ended).toMatchObject({status: 9, stderr: expect.stringContaining('mutes lost 2 of 2 entries')});
    expect(generationsOf(to).length).toBe(2);
    server.change = undefined;
    const again = await go('--no-messages');
    expect(again).toMatchObject({status: 9, stderr: expect.not.stringContaining('lost')});
    expect(await runSuggested(again.stderr, env)).toMatchObject({status: 0});
    expect(latestOf(to)).toBe(generationsOf(to).at(-1));
    expect(await go('--list')).toMatchObject({status: 0});
    expect(await go('--no-messages')).toMatchObject({status: 0});
  });
});

test('lists whose policy is gone, with none before, are named as they are', async () => {
  const {to, env} = await backedUp();
  const copy = newBackup();
  cpSync(to, copy, {recursive: true});
  rmSync(join(listsIn(copy), 'policy.yml'));
  expect(await run(['restore', copy, '--yes'], {env})).toMatchObject({
    status: 9,
    stderr: expect.stringContaining(
      `Hint: the lists are in ${listsIn(copy)}, as the server sent them and for other programs: README.md explains`,
    ),
  });
});
