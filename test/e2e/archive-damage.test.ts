/** Damage to an archive: how it is told, that it stays as it is, and the way on. */
import {cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {changing, filesIn, itemsOf, newArchive} from './archives.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';

const bobs = '1029249430941045799';

async function archived(options: Parameters<typeof changing>[0] = {}) {
  const server = await changing(options);
  const {env} = server;
  const to = newArchive();
  const go = (...flags: readonly string[]) => run(['dm', 'export', '--to', to, ...flags], {env});
  expect(await go()).toMatchObject({status: 0});
  return {server, env, to, go};
}

const textsOf = (to: string, id: string): string[] => itemsOf(to, id, 'messages.ndjson').map(({text}) => text);

describe('a log', () => {
  test('that was put aside is gone on from, with what the server no longer shows', async () => {
    const {env, to, go} = await archived();
    const path = join(to, bobs, 'log.ndjson');
    const own = itemsOf(to, bobs, 'messages.ndjson').find(({is_author: isOwn}) => isOwn === true);
    await run(['dm', 'delete-message', bobs, own.id, '--yes'], {env});
    await go();
    const before = textsOf(to, bobs);
    writeFileSync(path, readFileSync(path, 'utf8').replace('Overexposed.', 'Underexposed.'));
    renameSync(path, join(to, bobs, 'log.damaged-1.ndjson'));
    expect(await run(['dm', 'export', '--to', to, '--verify'])).toMatchObject({
      status: 9,
      stderr: expect.stringContaining(`${path} is missing`),
    });
    expect(await go('--dry-run', bobs)).toMatchObject({status: 9});
    const ended = await go();
    expect(ended).toMatchObject({status: 0, stderr: expect.stringContaining(`${path} is written anew from log.damaged-1.ndjson`)});
    expect(textsOf(to, bobs)).toEqual(before);
    expect(itemsOf(to, bobs, 'index.ndjson').find(({id}) => id === own.id)).toMatchObject({missing_since: expect.any(String)});
    expect(await run(['dm', 'export', '--to', to, '--verify'])).toMatchObject({status: 0});
    // A second time, from both.
    truncateSync(path, 2500);
    expect(await go(bobs)).toMatchObject({status: 9, stderr: expect.stringContaining('log.damaged-2.ndjson')});
    renameSync(path, join(to, bobs, 'log.damaged-2.ndjson'));
    expect(await go()).toMatchObject({status: 0});
    expect(textsOf(to, bobs)).toEqual(before);
    expect(itemsOf(to, bobs, 'index.ndjson').filter(({versions}) => versions !== undefined)).toEqual([]);
  });
});

describe('a verification', () => {
  test('needs no server and no profile, and changes nothing', async () => {
    const {to} = await archived();
    const before = filesIn(to).map((name) => readFileSync(join(to, name), 'latin1'));
    expect(await run(['dm', 'export', '--to', to, '--verify'])).toMatchObject({
      status: 0,
      stderr: 'Nothing is damaged: 4 folders.\n',
    });
    expect(filesIn(to).map((name) => readFileSync(join(to, name), 'latin1'))).toEqual(before);
    expect(await run(['dm', 'export', '--to', to, '--verify', bobs])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('name none'),
    });
  });

  test('of a folder without an archive is refused, and the folder stays as it is', async () => {
    const to = newArchive();
    expect(await run(['dm', 'export', '--to', to, '--verify'])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining(`There is no archive in ${to}`),
    });
    expect(existsSync(to)).toBe(false);
  });

  test('of a folder of several accounts checks all of them', async () => {
    const {to} = await archived();
    const all = newFolder();
    for (const name of ['ana@pix.example', 'bob@pix.example']) cpSync(to, join(all, name), {recursive: true});
    expect(await run(['dm', 'export', '--to', all, '--verify'])).toMatchObject({
      status: 0,
      stderr: 'Nothing is damaged: 8 folders.\n',
    });
    truncateSync(join(all, 'bob@pix.example', bobs, 'log.ndjson'), 99);
    const ended = await run(['dm', 'export', '--to', all, '--verify', '--json']);
    expect(ended.status).toBe(9);
    expect(JSON.parse(ended.stdout).filter(({item}: {item: {error: unknown}}) => item.error !== null)).toMatchObject([
      {account: 'bob@pix.example', item: {id: bobs, error: {exit: 9}}},
    ]);
  });
});

describe('the file that says whose an archive is', () => {
  test.each<[string, (path: string) => void]>([
    ['gone', (path) => rmSync(path)],
    ['empty', (path) => writeFileSync(path, '')],
    ['of another shape', (path) => writeFileSync(path, '{"archive":1,"server":"x"}')],
    ['of a later version', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"archive":1', '"archive":2'))],
    ['a folder', (path) => (rmSync(path), mkdirSync(path))],
  ])('that is %s is told with the line to write, and nothing is sent', async (_, damage) => {
    const {server, to, go} = await archived();
    const path = join(to, 'archive.json');
    const whole = readFileSync(path, 'utf8');
    damage(path);
    const asked = server.asked.length;
    const ended = await go();
    expect(ended).toMatchObject({status: 9, stderr: expect.stringContaining(whole.trim())});
    expect(server.asked.slice(asked).filter((line) => line.includes('/direct/'))).toEqual([]);
    expect(await run(['dm', 'export', '--to', to, '--verify'])).toMatchObject({status: 9, stderr: expect.stringContaining(path)});
    rmSync(path, {recursive: true, force: true});
    writeFileSync(path, whole);
    expect(await go()).toMatchObject({status: 0});
  });
});
