/** What is in the way in archives, or damaged: only its conversation fails, and the command that the error suggests brings it in order. */
import {execFileSync} from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {wordsOfShell} from '../shell-words.js';
import type {SeedState} from '../../src/lib/sandbox/seed.js';
import {suggestionsIn} from '../command-lines.js';
import {changingSandbox, itemsOf, leaveReading, linesOf, newArchive} from './archives.js';
import {run} from './in-process.js';
import {machineWith, profileOn} from './signing-in.js';

const numbered = (length: number, first = 0) => Array.from({length}, (_, index) => `Message ${index + first}`);

const world: SeedState = {
  me: 'ana',
  accounts: [{acct: 'ana'}, {acct: 'bob'}, {acct: 'eve'}],
  mutuals: ['bob', 'eve'],
  conversations: [
    {
      between: ['ana', 'bob'],
      messages: numbered(12).map((text, index) => ({from: 'ana', text, ...(index === 8 && {media: ['image/png'] as const})})),
    },
    {
      between: ['ana', 'eve'],
      messages: [
        {from: 'eve', text: 'One'},
        {from: 'eve', text: 'Two'},
      ],
    },
  ],
};

/** An archive of two conversations. Of the first one the server shows only the last eight of twelve messages any more. */
async function exported() {
  const server = await changingSandbox({seed: world});
  onTestFinished(() => server[Symbol.asyncDispose]());
  const {env} = server;
  const to = newArchive();
  const go = async (...flags: readonly string[]) => run(['dm', 'export', '--to', to, ...flags], {env});
  expect(await go()).toMatchObject({status: 0});
  const all: readonly {readonly id: string; readonly messages: number}[] = itemsOf(to, 'conversations.ndjson');
  const idOf = (count: number) => all.find(({messages}) => messages === count)?.id ?? '';
  const [id, other] = [idOf(12), idOf(2)];
  const folder = join(to, id);
  const ids: readonly string[] = itemsOf(folder, 'messages.ndjson').map(({id: own}) => own);
  for (const own of ids.slice(0, 4)) await run(['dm', 'delete-message', id, own, '--yes'], {env});
  const texts = (own = id) => itemsOf(to, own, 'messages.ndjson').map(({text}) => text);
  const hide = (...hidden: readonly string[]) => {
    server.change = ({target}, answered) => {
      if (!/\/conversations\?/.test(target)) return undefined;
      const {data, ...rest} = JSON.parse(answered.text);
      return {...answered, text: JSON.stringify({...rest, data: data.filter((one: {id: string}) => !hidden.includes(one.id))})};
    };
  };
  return {server, env, to, id, other, go, texts, ids, folder, hide};
}

/** Runs the commands that a text suggests, as they are printed. */
async function runSuggested(text: string, env: Readonly<Record<string, string>>) {
  const suggestions = suggestionsIn(text);
  expect(suggestions.length).toBeGreaterThan(0);
  for (const line of suggestions) expect(await run(wordsOfShell(line).slice(1), {env}), line).toMatchObject({status: 0});
}

const cutLine = (path: string, count: number) =>
  truncateSync(path, Buffer.byteLength(linesOf(path).slice(0, count).join('\n')) + (count > 0 ? 1 : 0));

describe.skipIf(process.platform === 'win32')('something else in place of a file or a folder', () => {
  const kinds: Readonly<Record<string, (path: string) => void>> = {
    'a folder': (path) => {
      mkdirSync(path);
      writeFileSync(join(path, 'note'), 'mine');
    },
    'a named pipe': (path) => void execFileSync('mkfifo', [path]),
    'a file': (path) => writeFileSync(path, 'mine'),
  };
  const files = ['messages.ndjson', 'index.ndjson', 'kept.json', 'page.html', '.reading.ndjson'];
  const cases = [
    ...files.flatMap((name) => ['a folder', 'a named pipe'].map((kind) => [kind, name] as const)),
    ...['media', '.whole', ''].flatMap((name) => ['a file', 'a named pipe'].map((kind) => [kind, name] as const)),
  ];

  test.each(cases)(
    '%s in place of "%s" fails its conversation alone, and is moved aside by the command that the error suggests',
    async (kind, name) => {
      const {go, folder, env, id, other, to, texts} = await exported();
      const path = name === '' ? folder : join(folder, name);
      rmSync(path, {recursive: true, force: true});
      kinds[kind]?.(path);
      const ended = await go('--json');
      expect(ended.status).toBe(11);
      const results: readonly {readonly id: string; readonly error: {readonly message: string} | null}[] = JSON.parse(ended.stdout);
      expect(results.filter(({error}) => error !== null)).toMatchObject([
        {id, error: {message: expect.stringContaining(`${path} is ${kind}`)}},
      ]);
      expect(texts(other)).toEqual(['One', 'Two']);
      expect(await go('--verify', '--offline')).toMatchObject({status: 9, stdout: expect.stringContaining(`${path} is ${kind}`)});
      await runSuggested(ended.stderr, env);
      expect(texts()).toEqual(/messages|^$/.test(name) ? numbered(8, 4) : numbered(12));
      expect(await go('--verify')).toMatchObject({status: 0});
      const aside = readdirSync(name === '' ? to : folder).filter((one) => one.includes('.damaged-'));
      expect(aside.length).toBeGreaterThan(0);
      if (kind === 'a folder') expect(aside.some((one) => existsSync(join(folder, one, 'note')))).toBe(true);
    },
  );

  test.each(['conversations.ndjson', 'index.html'])('a folder in place of %s is told before anything is read', async (name) => {
    const {go, to, env, server} = await exported();
    rmSync(join(to, name));
    kinds['a folder']?.(join(to, name));
    const before = server.asked.length;
    const ended = await go();
    expect(ended).toMatchObject({status: 9, stderr: expect.stringContaining(`${join(to, name)} is a folder`)});
    expect(server.asked.slice(before).filter((line) => line.includes('/direct/'))).toEqual([]);
    await runSuggested(ended.stderr, env);
    expect(await go('--verify')).toMatchObject({status: 0});
  });
});

describe('a repair', () => {
  test('takes in what a killed run had read, which the server may not show any more', async () => {
    const {go, folder, ids, texts, env} = await exported();
    const message = JSON.parse(linesOf(folder, 'messages.ndjson')[11] ?? '');
    leaveReading(folder, JSON.stringify({page: [{...message, id: `${ids[11]}9`, text: 'Gone since'}]}));
    cutLine(join(folder, 'messages.ndjson'), 6);
    const {status, stderr} = await go('--json');
    expect(status).toBe(11);
    await runSuggested(stderr, env);
    expect(texts()).toEqual([...numbered(12), 'Gone since']);
  });

  test('repairs what the server does not list, which exists nowhere else', async () => {
    const {go, folder, id, hide, env, texts, to} = await exported();
    cutLine(join(folder, 'messages.ndjson'), 6);
    hide(id);
    const ended = await go('--verify');
    expect(ended).toMatchObject({status: 9, stdout: expect.stringContaining('messages.ndjson is damaged')});
    await runSuggested(ended.stderr, env);
    expect(texts()).toEqual(numbered(6));
    expect(await go('--verify')).toMatchObject({status: 0});
    expect(itemsOf(to, 'conversations.ndjson').map(({messages}) => messages)).toContain(6);
  });

  test('leaves out messages that somebody copied from another conversation, and keeps the file', async () => {
    const {go, folder, other, to, texts, env} = await exported();
    const path = join(to, other, 'messages.ndjson');
    const own = readFileSync(path, 'utf8');
    writeFileSync(path, `${own}${readFileSync(join(folder, 'messages.ndjson'), 'utf8')}`);
    const {status, stderr} = await go();
    expect(status).toBe(11);
    await runSuggested(stderr, env);
    expect(texts(other)).toEqual(['One', 'Two']);
    const [damaged = ''] = readdirSync(join(to, other)).filter((name) => name.startsWith('messages.damaged-'));
    expect(linesOf(to, other, damaged).length).toBe(14);
  });

  test('fetches photos whose bytes changed, also where the length did not, after a check without a server', async () => {
    const {go, folder, env} = await exported();
    const [name = ''] = readdirSync(join(folder, 'media'));
    const bytes = readFileSync(join(folder, 'media', name));
    const changed = Buffer.from(bytes);
    changed[changed.length - 1] = 0xff ^ (changed[changed.length - 1] ?? 0);
    writeFileSync(join(folder, 'media', name), changed);
    const ended = await run(['dm', 'export', '--to', join(folder, '..'), '--verify', '--offline'], {env: {}});
    expect(ended).toMatchObject({status: 9, stderr: expect.stringContaining('1 file in')});
    await runSuggested(ended.stderr, {...env, PIXELCTL_SERVER: ''});
    expect(readFileSync(join(folder, 'media', name))).toEqual(bytes);
    expect(await go('--verify', '--offline')).toMatchObject({status: 0});
  });
});

describe('the command that a check without a server suggests', () => {
  test.each<readonly [string, readonly string[], RegExp]>([
    ['names the server where there is no profile of the account', [], / --server=http:/],
    ['names the profile of the account where another one is active', ['mine', 'other'], / --profile=mine`/],
    ['names neither where the active profile is that of the account', ['other', 'mine'], / --repair`/],
  ])('%s, and works as printed', async (_, names, expected) => {
    const {to, folder, server, texts} = await exported();
    const {url, sandbox, env} = server;
    const token = {accessToken: sandbox.tokens.all};
    const {account} = JSON.parse(readFileSync(join(to, 'archive.json'), 'utf8'));
    const profiles = names.map((name) => profileOn(name === 'mine' ? url : 'https://other.example', {name, account}));
    const {env: own} = await machineWith(...profiles.map((one) => [one, token] as const));
    truncateSync(join(folder, 'messages.ndjson'), 0);
    const setting = names.length === 0 ? {PIXELCTL_TOKEN: env['PIXELCTL_TOKEN'] ?? ''} : {};
    const ended = await run(['dm', 'export', '--to', to, '--verify', '--offline'], {env: {...own, ...setting}});
    expect(ended).toMatchObject({status: 9, stderr: expect.stringMatching(expected)});
    await runSuggested(ended.stderr, {...own, ...setting});
    expect(texts()).toEqual(numbered(8, 4));
  });
});

test('a photo under the name of another type is fetched again, where the index is lost', async () => {
  const {go, folder} = await exported();
  const [name = ''] = readdirSync(join(folder, 'media'));
  writeFileSync(join(folder, 'media', name), 'no photo at all');
  rmSync(join(folder, 'index.ndjson'));
  expect(await go('--repair')).toMatchObject({status: 0});
  expect(await go('--verify')).toMatchObject({status: 0});
  expect(readFileSync(join(folder, 'media', name)).length).toBeGreaterThan(20);
});

describe('what a killed run left', () => {
  test('of new files that were damaged since replaces nothing', async () => {
    const {go, folder, texts} = await exported();
    mkdirSync(join(folder, '.whole'));
    for (const name of ['messages.ndjson', 'index.ndjson', 'page.html', 'kept.json'])
      cpSync(join(folder, name), join(folder, '.whole', name));
    cutLine(join(folder, '.whole', 'messages.ndjson'), 2);
    expect(await go()).toMatchObject({status: 0});
    expect(texts()).toEqual(numbered(12));
    expect(readdirSync(folder).some((name) => name.startsWith('whole.damaged-'))).toBe(true);
    expect(await go('--verify')).toMatchObject({status: 0});
  });

  test('is read as far as it is whole: a line that no run wrote takes no other along', async () => {
    const {go, folder, ids, texts} = await exported();
    const message = JSON.parse(linesOf(folder, 'messages.ndjson')[11] ?? '');
    const page = (own: string) => JSON.stringify({page: [{...message, id: own, text: own}]});
    leaveReading(folder, page(`${ids[11]}7`), '{"page":[{"id"', page(`${ids[11]}9`));
    expect(await go()).toMatchObject({status: 0});
    expect(texts()).toEqual([...numbered(12), `${ids[11]}7`, `${ids[11]}9`]);
  });

  test('and says nothing of itself stays beside the messages', async () => {
    const {go, folder} = await exported();
    writeFileSync(join(folder, '.reading.ndjson'), 'x\n{"page":[]}\n');
    expect(await go()).toMatchObject({status: 0, stderr: expect.stringContaining('.reading.ndjson is damaged: it is kept as')});
    expect(readdirSync(folder).some((name) => name.startsWith('reading.damaged-'))).toBe(true);
  });
});

describe('a conversation of which only the messages are left', () => {
  test('is told by a check, and taken up again by the next run, also where the server does not list it', async () => {
    const {go, folder, to, id, hide, texts} = await exported();
    rmSync(join(folder, 'kept.json'));
    rmSync(join(to, 'conversations.ndjson'));
    expect(await go('--verify', '--offline')).toMatchObject({status: 9, stdout: expect.stringContaining('kept.json is damaged or gone')});
    hide(id);
    expect(await go()).toMatchObject({status: 0});
    expect(texts()).toEqual(numbered(12));
    expect(itemsOf(to, 'conversations.ndjson')).toContainEqual(expect.objectContaining({id, type: 'conversation', messages: 12}));
    expect(readFileSync(join(to, 'index.html'), 'utf8')).toContain(`${id}/page.html`);
    expect(await go('--verify', '--offline')).toMatchObject({status: 0});
  });
});

describe('a folder', () => {
  test('of another conversation is told, and not mixed with this one', async () => {
    const {go, folder, to, id, other, texts, env} = await exported();
    const aside = join(to, 'aside');
    renameSync(folder, aside);
    renameSync(join(to, other), folder);
    renameSync(aside, join(to, other));
    const ended = await go();
    expect(ended).toMatchObject({status: 11, stdout: expect.stringContaining(`kept.json is that of conversation ${other}`)});
    expect(await go('--verify', '--offline')).toMatchObject({status: 9});
    expect(texts(other)).toEqual(numbered(12));
    expect(await go('--repair')).toMatchObject({status: 0});
    expect([texts(id), texts(other)]).toEqual([numbered(8, 4), ['One', 'Two']]);
    const [damaged = ''] = readdirSync(join(to, other)).filter((name) => name.startsWith('messages.damaged-'));
    expect(itemsOf(to, other, damaged).map(({text}) => text)).toEqual(numbered(12));
    expect(env).toBeTruthy();
  });

  test('that is a copy under another name is left alone', async () => {
    const {go, folder, to} = await exported();
    cpSync(folder, join(to, '123'), {recursive: true});
    expect(await go()).toMatchObject({status: 0});
    expect(await go('--verify', '--offline')).toMatchObject({status: 0});
    expect(itemsOf(to, 'conversations.ndjson').length).toBe(2);
  });
});

describe('the file that says whose an archive is', () => {
  const damages: readonly (readonly [string, (path: string) => void])[] = [
    ['removed', (path) => rmSync(path)],
    ['emptied', (path) => truncateSync(path, 0)],
    ['cut', (path) => truncateSync(path, 30)],
    ['replaced by a folder', (path) => (rmSync(path), mkdirSync(path))],
  ];

  test.each(damages)('where it was %s, the error suggests what writes it again, and nothing is lost', async (_, damage) => {
    const {go, to, env, texts} = await exported();
    const path = join(to, 'archive.json');
    const before = readFileSync(path, 'utf8');
    damage(path);
    for (const flags of [[], ['--verify'], ['--new-only']]) {
      const {status, stderr} = await go(...flags);
      expect({status, stderr}).toMatchObject({
        status: 9,
        stderr: expect.stringMatching(/names the owner of the archive .*\. Nothing was sent/),
      });
      expect(stderr).toContain(`if it belongs to @ana on ${new URL(env['PIXELCTL_SERVER'] ?? '').host}`);
    }
    const offline = await go('--verify', '--offline');
    expect(offline).toMatchObject({status: 9, stdout: expect.stringContaining('12')});
    await runSuggested(offline.stderr, env);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(texts()).toEqual(numbered(12));
    expect(await go('--verify')).toMatchObject({status: 0});
  });

  test('that of a later version is refused, with --repair too', async () => {
    const {go, to} = await exported();
    const path = join(to, 'archive.json');
    writeFileSync(path, JSON.stringify({...JSON.parse(readFileSync(path, 'utf8')), archive: 2}));
    for (const flags of [[], ['--repair']])
      expect(await go(...flags)).toMatchObject({status: 2, stderr: expect.stringContaining('Hint: upgrade pixelctl')});
  });

  test('of a folder with other files is never written', async () => {
    const {server, env} = await exported();
    const to = newArchive();
    mkdirSync(join(to, '2025'), {recursive: true});
    writeFileSync(join(to, '2025', 'note'), 'mine');
    for (const flags of [[], ['--repair']])
      expect(await run(['dm', 'export', '--to', to, ...flags], {env})).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('is not empty, and not an archive'),
      });
    expect(readdirSync(to)).toEqual(['2025']);
    expect(server.asked.some((line) => line.includes('/messages?') && line.includes('POST'))).toBe(false);
  });

  test('of one of several accounts is missed by a check of all', async () => {
    const {server} = await exported();
    const {sandbox, url} = server;
    const tokens = {PIXELCTL_TOKEN_ANA: sandbox.tokens.all, PIXELCTL_TOKEN_BOB: sandbox.tokens.users['bob'] ?? ''};
    const env = {PIXELCTL_PROFILES: 'ana,bob', PIXELCTL_SERVER_ANA: url, PIXELCTL_SERVER_BOB: url, ...tokens};
    const to = newArchive();
    expect(await run(['dm', 'export', '--to', to, '--all-profiles', '--no-media'], {env})).toMatchObject({status: 0});
    const folders = readdirSync(to);
    for (const name of folders) {
      const own = join(to, name);
      const [{id}] = itemsOf(own, 'conversations.ndjson');
      appendFileSync(join(own, id, 'messages.ndjson'), 'x');
      if (name.startsWith('bob')) rmSync(join(own, 'archive.json'));
    }
    const ended = await run(['dm', 'export', '--to', to, '--verify', '--offline'], {env});
    expect(ended.status).toBe(9);
    for (const name of folders) expect(ended.stderr).toContain(`1 conversation in ${join(to, name)} is damaged`);
    expect(ended.stderr).toContain('archive.json is missing');
    expect(ended.stderr).toMatch(/--profile=ana/);
  });
});
