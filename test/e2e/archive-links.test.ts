/** Links, pipes and sockets in archives and backups: what a link leads to is any file of the user, and a pipe makes a run wait for good. */
import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {dirname, join} from 'node:path';
import {afterAll, describe, expect, onTestFinished, test} from 'vitest';
import {startSandbox} from '../sandbox/start.js';
import {changing, filesIn, newArchive, sandboxOf} from './archives.js';
import {newBackup} from './backups.js';
import {run} from './in-process.js';
import {threeAccounts} from './three-accounts.js';

const bobs = '1029249430941045799';

type Plant = (path: string, outside: string) => unknown;

/** What makes whoever opens it wait, planted at a path in place of what is there. */
const odd: readonly (readonly [what: string, plant: Plant])[] = [
  ['a named pipe', (path) => execFileSync('mkfifo', [path])],
  [
    'a socket',
    async (path) => {
      // The path of a socket may not be long.
      const place = process.cwd();
      process.chdir(dirname(path));
      const server = createServer().listen('s');
      await once(server, 'listening');
      renameSync('s', path);
      process.chdir(place);
      onTestFinished(() => void server.close());
    },
  ],
];

const within = [
  'index.html',
  'conversations.ndjson',
  bobs,
  `${bobs}/media`,
  `${bobs}/media/.part-900`,
  `${bobs}/media/some/deeper/level`,
  `${bobs}/log.ndjson`,
  `${bobs}/log.sum`,
  `${bobs}/messages.ndjson`,
  `${bobs}/page.html`,
];

interface Kept {
  readonly folder: string;
  /** A file of the user that no archive has to do with. */
  readonly outside: string;
}

const sandbox = await startSandbox({limitsRate: false});
afterAll(() => sandbox.close());
const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all};
const whole = {'dm export': newArchive(), backup: newBackup()} as const;
for (const [words, to] of Object.entries(whole))
  if ((await run([...words.split(' '), '--to', to], {env})).status !== 0) throw new Error(`${words} failed`);

/** A copy of what that command wrote. */
function keptBy(command: keyof typeof whole): Kept {
  const folder = newArchive();
  cpSync(whole[command], folder, {recursive: true});
  const outside = join(dirname(folder), 'outside');
  writeFileSync(outside, 'mine');
  return {folder, outside};
}

/** The messages of an archive, by their files: the names of folders that are none are left out. */
const messagesIn = (folder: string): (readonly [file: string, text: string])[] =>
  filesIn(folder)
    .filter((name) => /^\d+\/messages\.ndjson$/.test(name))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);

async function plantIn(folder: string, name: string, plant: Plant, outside: string): Promise<string> {
  const path = join(folder, name);
  rmSync(path, {recursive: true, force: true});
  mkdirSync(dirname(path), {recursive: true});
  await plant(path, outside);
  return path;
}

describe.skipIf(process.platform === 'win32')('a link', () => {
  const plant: Plant = (path, outside) => symlinkSync(outside, path);

  test.each(within)('an archive that has one at %s is refused by all that use it, and nothing is written', async (name) => {
    const {folder, outside} = keptBy('dm export');
    const path = await plantIn(folder, name, plant, outside);
    const before = filesIn(folder);
    for (const flags of [[], ['--new-only'], ['--verify']]) {
      const again = await run(['dm', 'export', '--to', folder, ...flags], {env});
      expect(again).toMatchObject({status: 2, stdout: ''});
      expect(again.stderr).toContain(`${path} is a symbolic link; an archive has only files and folders: nothing was sent`);
    }
    expect([readFileSync(outside, 'utf8'), filesIn(folder)]).toEqual(['mine', before]);
  });

  test.each(['README.md', 'policy.yml', 'blocks.json', 'messages', `messages/${bobs}/media/.part-900`])(
    'a backup that has one at %s is neither written to nor restored',
    async (name) => {
      const {folder, outside} = keptBy('backup');
      const path = await plantIn(folder, name, plant, outside);
      for (const words of [
        ['backup', '--to', folder],
        ['restore', folder, '--yes'],
      ]) {
        const again = await run(words, {env});
        expect(again).toMatchObject({status: 2, stdout: ''});
        expect(again.stderr).toContain(`${path} is a symbolic link; a backup has only files and folders: nothing was sent`);
      }
      expect(readFileSync(outside, 'utf8')).toBe('mine');
    },
  );
});

describe.skipIf(process.platform === 'win32').each(odd)('%s', (_, plant) => {
  test.each(within)('in an archive at %s is refused, and not waited for', async (name) => {
    const {folder, outside} = keptBy('dm export');
    const kept = new Map(messagesIn(folder));
    const path = await plantIn(folder, name, plant, outside);
    const before = new Map(messagesIn(folder));
    for (const flags of [[], ['--verify'], ['--dry-run']]) {
      const ended = await run(['dm', 'export', '--to', folder, ...flags], {env});
      expect(ended).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining(path)});
    }
    expect(new Map(messagesIn(folder))).toEqual(before);
    rmSync(path, {recursive: true, force: true});
    // Without its log, a conversation is damaged; its folder can be forgotten.
    if (name.endsWith('log.ndjson')) return;
    expect(await run(['dm', 'export', '--to', folder], {env})).toMatchObject({status: 0});
    expect(new Map(messagesIn(folder))).toEqual(kept);
  });
});

test
  .skipIf(process.platform === 'win32')
  .each(['index.html', 'conversations.ndjson', bobs, `${bobs}/media`, `${bobs}/messages.ndjson`, `${bobs}/page.html`])(
  'a link that is planted at %s while a run is under way changes nothing outside',
  async (name) => {
    const server = await changing();
    const folder = newArchive();
    const elsewhere = join(dirname(folder), 'elsewhere');
    mkdirSync(elsewhere);
    const target = /\.(?:html|ndjson)$/.test(name) ? join(elsewhere, 'file') : elsewhere;
    writeFileSync(join(elsewhere, 'file'), 'mine');
    const planted = join(folder, name);
    server.change = ({target: asked}, answered) => {
      if (!asked.includes(`${bobs}/messages`) && !asked.includes('/storage/')) return undefined;
      rmSync(planted, {recursive: true, force: true});
      mkdirSync(dirname(planted), {recursive: true});
      symlinkSync(target, planted);
      return answered;
    };
    await run(['dm', 'export', '--to', folder], {env: server.env});
    expect(readdirSync(elsewhere)).toEqual(['file']);
    expect(readFileSync(join(elsewhere, 'file'), 'utf8')).toBe('mine');
    server.change = undefined;
    if (existsSync(planted)) rmSync(planted, {force: true});
    expect(await run(['dm', 'export', '--to', folder], {env: server.env})).toMatchObject({status: 0});
  },
);

test.skipIf(process.platform === 'win32')(
  'where several accounts have folders of their own, one that is a link is refused, and the others are written',
  async () => {
    const {machine, folder, ana, bob} = await threeAccounts();
    const [to, elsewhere] = [join(folder, 'all'), join(folder, 'elsewhere')];
    mkdirSync(to);
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(to, ana.replace(':', '%3A')));
    const ended = await run(['dm', 'export', '--profile', 'ana', '--profile', 'bob', '--to', to], machine);
    expect(ended).toMatchObject({status: 11});
    expect(ended.stderr).toContain(`${join(to, ana.replace(':', '%3A'))} is a symbolic link; an archive has only files and folders`);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(join(to, bob.replace(':', '%3A')))).toContain('index.html');
  },
);

test('files of an archive that have other names outside, as in a copy with hard links, stay as they are there', async () => {
  const {env: own} = await sandboxOf();
  const folder = newArchive();
  expect(await run(['dm', 'export', '--to', folder], {env: own})).toMatchObject({status: 0});
  const copy = `${folder}-copy`;
  const names = filesIn(folder);
  for (const name of names) {
    mkdirSync(dirname(join(copy, name)), {recursive: true});
    linkSync(join(folder, name), join(copy, name));
  }
  const before = names.map((name) => readFileSync(join(copy, name), 'latin1'));
  await run(['dm', 'send', bobs, 'New'], {env: own});
  expect(await run(['dm', 'export', '--to', folder], {env: own})).toMatchObject({status: 0, stderr: expect.stringContaining('1 new')});
  expect(names.map((name) => readFileSync(join(copy, name), 'latin1'))).toEqual(before);
});
