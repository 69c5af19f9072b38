/** Damage to an archive: how it is told, that it stays as it is, and the way on. */
import {appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {sealLine} from '../../src/lib/files/chain.js';
import {changing, filesIn, itemsOf, linesOf, newArchive, worldOf} from './archives.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';

const group = '1029249428955471394';
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
  test.each<[string, (path: string) => void, string]>([
    ['whose first line is other', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('"run"', '"ran"')), 'line 1'],
    [
      'with a text that is other',
      (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('Where do we meet', 'When do we meet')),
      'line 6',
    ],
    ['with two lines in another order', (path) => writeFileSync(path, `${linesOf(path).toReversed().join('\n')}\n`), 'line 1'],
    ['that lost a line', (path) => writeFileSync(path, `${linesOf(path).toSpliced(4, 1).join('\n')}\n`), 'line 5'],
    ['that lost its end', (path) => writeFileSync(path, `${linesOf(path).slice(0, -1).join('\n')}\n`), 'it ends after line'],
    ['that is cut in a line', (path) => truncateSync(path, 3000), 'it ends after line'],
    ['that is empty', (path) => truncateSync(path, 0), 'it ends after line 0'],
    ['with a line that no run wrote', (path) => appendFileSync(path, '{"gone":"1","x":"000000000000"}\n'), 'is damaged at line'],
  ])('%s is damaged, which is told with file and line, and the other conversations go on', async (_, damage, where) => {
    const {to, go} = await archived();
    const path = join(to, group, 'log.ndjson');
    damage(path);
    const damaged = readFileSync(path, 'utf8');
    const hint = `mv ${path} ${join(to, group, 'log.damaged-1.ndjson')}`;
    expect(await go(group)).toMatchObject({status: 9, stderr: expect.stringContaining(hint)});
    const all = await go('--json');
    expect(all.status).toBe(11);
    const failed = JSON.parse(all.stdout).filter(({error}: {error: unknown}) => error !== null);
    expect(failed).toMatchObject([{id: group, error: {message: expect.stringContaining(path), hint: expect.stringContaining(hint)}}]);
    expect(failed[0].error.message).toContain(where);
    const verified = await run(['dm', 'export', '--to', to, '--verify', '-o', 'csv']);
    expect(verified).toMatchObject({status: 9, stderr: expect.stringMatching(`${path} is damaged.*\\n.*mv `)});
    expect(verified.stderr).toContain(where);
    expect(verified.stdout).toContain(join(group, 'log.ndjson'));
    expect(readFileSync(path, 'utf8')).toBe(damaged);
  });

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

  test('that was put aside is gone on from also where the server does not list the conversation', async () => {
    const {server, to, go} = await archived();
    const path = join(to, group, 'log.ndjson');
    const before = textsOf(to, group);
    renameSync(path, join(to, group, 'log.damaged-1.ndjson'));
    server.change = ({target}, answered) => {
      if (target.includes(`conversations/${group}`)) return {status: 404, text: '{"error":""}'};
      if (!target.includes('/conversations?')) return undefined;
      const answer = JSON.parse(answered.text);
      return {...answered, text: JSON.stringify({...answer, data: answer.data.filter(({id}: {id: string}) => id !== group)})};
    };
    expect(await go()).toMatchObject({status: 10});
    expect(textsOf(to, group)).toEqual(before);
    expect(await go()).toMatchObject({status: 0});
  });

  test('that is gone beside its sum is damage, and its conversation can be forgotten', async () => {
    const {to, go} = await archived();
    const path = join(to, group, 'log.ndjson');
    rmSync(path);
    expect(await go(group)).toMatchObject({status: 9, stderr: expect.stringContaining(`${path} is missing, and log.sum is there`)});
    expect(await go()).toMatchObject({status: 11, stdout: expect.stringContaining(`rm -r ${join(to, group)}`) && expect.any(String)});
    rmSync(join(to, group, 'log.sum'));
    expect(await go(group)).toMatchObject({status: 9});
    rmSync(join(to, group), {recursive: true});
    expect(await go('--json', group)).toMatchObject({status: 0, stdout: expect.stringContaining('"new":4')});
  });

  test('without its sum is gone on with, and a warning', async () => {
    const {to, go} = await archived();
    rmSync(join(to, group, 'log.sum'));
    expect(await go()).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`Warning: ${join(to, group, 'log.sum')} is missing: it is made anew`),
    });
    expect(existsSync(join(to, group, 'log.sum'))).toBe(true);
    writeFileSync(join(to, group, 'log.sum'), 'x');
    expect(await go(group)).toMatchObject({status: 9, stderr: expect.stringContaining(`rm ${join(to, group, 'log.sum')}`)});
  });

  test.each([6, 0])('without its sum, and cut to %i lines, is damage to a verification', async (kept) => {
    const {to, go} = await archived();
    const [path, sum] = [join(to, group, 'log.ndjson'), join(group, 'log.sum')];
    rmSync(join(to, sum));
    const lines = linesOf(path).slice(0, kept);
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    const verified = await run(['dm', 'export', '--to', to, '--verify', '--json']);
    expect(verified).toMatchObject({status: 9, stderr: expect.stringMatching(`${join(to, sum)} is missing.*without --verify`)});
    const rows = JSON.parse(verified.stdout).filter(({error}: {error: unknown}) => error !== null);
    expect(rows).toMatchObject([{id: group, damaged: [sum], error: {exit: 9}}]);
    expect(await go()).toMatchObject({status: 0, stderr: expect.stringContaining(`Warning: ${join(to, sum)} is missing`)});
    expect(await run(['dm', 'export', '--to', to, '--verify'])).toMatchObject({status: 0});
  });

  test('of another conversation is told, and nothing is added to it', async () => {
    const {to, go} = await archived();
    rmSync(join(to, group), {recursive: true});
    cpSync(join(to, bobs), join(to, group), {recursive: true});
    const before = readFileSync(join(to, group, 'log.ndjson'), 'utf8');
    const ended = await go();
    expect(ended).toMatchObject({status: 11, stdout: expect.stringContaining(`is that of conversation ${bobs}`)});
    expect(readFileSync(join(to, group, 'log.ndjson'), 'utf8')).toBe(before);
  });

  test.each(['../../victim', '/etc/passwd', 'media/../../victim', 'media/1.jpg/..'])('that names %s as a file is damaged', async (file) => {
    const {to, go} = await archived();
    const path = join(to, group, 'log.ndjson');
    const [{id}] = itemsOf(to, group, 'messages.ndjson');
    const {x} = itemsOf(path).at(-1);
    const {line} = sealLine(x, JSON.stringify({media: {of: id, id: '1', file, type: 'image/png', length: 1, sha256: 'x'}}));
    appendFileSync(path, `${line}\n`);
    expect(await go(group)).toMatchObject({
      status: 9,
      stderr: expect.stringContaining(`${path} is damaged at line ${linesOf(path).length}: no run writes such a line`),
    });
  });
});

describe('a file of media', () => {
  const world = worldOf([{from: 'bob', text: 'Two', media: ['image/png', 'image/jpeg']}]);

  test.each<[string, (path: string) => void, boolean]>([
    ['with another byte', (path) => writeFileSync(path, Buffer.from(readFileSync(path)).fill(1, 9, 10)), false],
    ['that was cut', (path) => truncateSync(path, 5), true],
  ])('%s is damage, which stays; aside with it the next run fetches it again', async (_, damage, isSeen) => {
    const {to, go} = await archived({seed: world});
    const [{id}] = itemsOf(to, 'conversations.ndjson');
    const [{media}] = itemsOf(to, id, 'index.ndjson');
    const path = join(to, id, media[0].file);
    const whole = readFileSync(path);
    damage(path);
    const damaged = readFileSync(path);
    const verified = await run(['dm', 'export', '--to', to, '--verify', '--json']);
    expect(verified).toMatchObject({status: 9, stderr: expect.stringContaining(path)});
    expect(JSON.parse(verified.stdout)).toMatchObject([{media: 2, damaged: [join(id, media[0].file)]}]);
    expect(await go()).toMatchObject({status: isSeen ? 9 : 0});
    expect(readFileSync(path)).toEqual(damaged);
    renameSync(path, `${path}.damaged`);
    expect(await run(['dm', 'export', '--to', to, '--verify', '--json'])).toMatchObject({
      status: 9,
      stderr: expect.stringContaining(`${path} is missing`),
    });
    expect(await go('--json')).toMatchObject({status: 0, stdout: expect.stringContaining('"new_media":1')});
    expect(readFileSync(path)).toEqual(whole);
    expect(readFileSync(`${path}.damaged`)).toEqual(damaged);
    expect(await run(['dm', 'export', '--to', to, '--verify'])).toMatchObject({status: 0});
  });

  test('that is put aside, and that the server no longer has, is said to be missing', async () => {
    const {server, to, go} = await archived({seed: world});
    const [{id}] = itemsOf(to, 'conversations.ndjson');
    const [{media}] = itemsOf(to, id, 'index.ndjson');
    renameSync(join(to, id, media[0].file), join(to, id, 'mine'));
    server.change = ({target}) => (target.startsWith('/storage') ? {status: 404, text: ''} : undefined);
    expect(await go()).toMatchObject({status: 11});
    expect(itemsOf(to, id, 'index.ndjson')[0].media[0]).toEqual({id: media[0].id, why: 'status 404'});
    renameSync(join(to, id, 'mine'), join(to, id, media[0].file));
    expect(await go()).toMatchObject({status: 0});
    expect(itemsOf(to, id, 'index.ndjson')[0].media[0]).toEqual(media[0]);
  });

  test('that only a damaged line named is named again, also where the server no longer shows its message', async () => {
    const {env, to, go} = await archived({seed: worldOf([{from: 'ana', text: 'One', media: ['image/png']}])});
    const [{id}] = itemsOf(to, 'conversations.ndjson');
    const [{id: message, media}] = itemsOf(to, id, 'index.ndjson');
    await run(['dm', 'delete-message', id, message, '--yes'], {env});
    await go();
    const log = join(to, id, 'log.ndjson');
    writeFileSync(log, readFileSync(log, 'utf8').replace('"image/png","length"', '"image/gif","length"'));
    renameSync(log, join(to, id, 'log.damaged-1.ndjson'));
    expect(await go('--no-media')).toMatchObject({status: 0});
    // What is made from the log says what the new one says.
    expect(itemsOf(to, id, 'index.ndjson')[0].media).toBeUndefined();
    expect(await go()).toMatchObject({status: 0});
    expect(itemsOf(to, id, 'index.ndjson')).toMatchObject([{id: message, missing_since: expect.any(String), media}]);
  });
});

describe('a verification', () => {
  test('needs no server and no profile, and changes nothing', async () => {
    const {to} = await archived();
    const before = filesIn(to).map((name) => readFileSync(join(to, name), 'latin1'));
    expect(await run(['dm', 'export', '--to', to, '--verify'])).toMatchObject({
      status: 0,
      stderr: 'Nothing is damaged: 4 conversations, 17 messages.\n',
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
      stderr: 'Nothing is damaged: 8 conversations, 34 messages.\n',
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
