/** The file of `--save`: each change with the values from before it, of several runs. */
import {appendFileSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {OwnLines} from '../../../src/lib/files/own-lines.js';
import {readSaved, SavedChanges} from '../../../src/lib/run/saved-changes.js';
import {newFolder} from '../../new-folder.js';

const server = 'https://pix.example';
const of = {server, now: () => new Date('2026-11-20T12:00:00Z')};
const newFile = () => join(newFolder(), 'before.ndjson');
const line = (what: object) => `${JSON.stringify({time: '2026-11-20T12:00:00.000Z', server, ...what})}\n`;

async function saving<Result>(path: string, action: (saved: SavedChanges) => Promise<Result>, own: object = {}): Promise<Result> {
  await using saved = await SavedChanges.open(path, {...of, ...own});
  return await action(saved);
}

test('each change is a line, in the order of the runs, with the reason of its run', async () => {
  const path = newFile();
  const append = vi.spyOn(OwnLines.prototype, 'append');
  await saving(path, (saved) => saved.keep({action: 'hide', post: '1'}), {reason: 'spam'});
  await saving(path, async (saved) => {
    await saved.noteRestored({post: '1'});
    await saved.noteAnswer({post: '2'});
  });
  // Each is on disk before the next request is sent.
  expect(append.mock.calls.map(([, isDurable]) => isDurable)).toEqual([true, true, true]);
  append.mockRestore();
  const lines = [
    line({action: 'hide', reason: 'spam', post: '1'}),
    line({action: 'restore', post: '1'}),
    line({action: 'answer', post: '2'}),
  ];
  expect(readFileSync(path, 'utf8')).toBe(lines.join(''));
  expect(await readSaved(path)).toEqual({lines: lines.map((text, at) => ({number: at + 1, line: JSON.parse(text)})), unreadable: 0});
});

test.each([
  ['a whole line', line({action: 'hide'}), line({action: 'hide'}), 2, 0],
  ['nothing', '', '', 1, 0],
  ['the beginning of a first line, which would not tell what file it is', '{"tim', '', 1, 0],
  ['a first line that is cut short', '{"time":"20', '{"time":"20\n', 1, 1],
  ['a line that is cut short', `${line({action: 'hide'})}{"time"`, `${line({action: 'hide'})}{"time"\n`, 2, 1],
])('a run goes on after %s', async (_, text, kept, count, unreadable) => {
  const path = newFile();
  writeFileSync(path, text);
  await saving(path, (saved) => saved.keep({action: 'ban'}));
  expect(readFileSync(path, 'utf8')).toBe(kept + line({action: 'ban'}));
  const read = await readSaved(path);
  expect([read.lines.length, read.lines.at(-1)?.line.action, read.unreadable]).toEqual([count, 'ban', unreadable]);
});

test('lines that cannot be read are counted, empty ones are not, and all have their numbers', async () => {
  const path = newFile();
  writeFileSync(path, `${line({action: 'a'})}\n \n{"time":"x"}\nno JSON\n${line({action: 'b'})}`);
  const {lines, unreadable} = await readSaved(path);
  expect([lines.map(({number}) => number), unreadable]).toEqual([[1, 6], 2]);
});

test.each(['notes\n', 'notes', '{"tim\n', '{}\n'])('a file that begins with %j is of anything else, and stays as it is', async (text) => {
  const path = newFile();
  writeFileSync(path, text);
  const refusal = {
    code: 'usage',
    message: `${path} exists, and is no record of changes: nothing was sent`,
    details: {hint: 'choose another file'},
  };
  await expect(saving(path, async () => {})).rejects.toMatchObject(refusal);
  await expect(readSaved(path)).rejects.toMatchObject(refusal);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('only a file can be used, one that can be read and written, by one run at a time', async () => {
  const folder = newFolder();
  for (const path of ['-', '']) {
    const refusal = {code: 'usage', message: '--save and --restore take a file'};
    await expect(saving(path, async () => {})).rejects.toMatchObject(refusal);
    await expect(readSaved(path)).rejects.toMatchObject(refusal);
  }
  await expect(readSaved(join(folder, 'none'))).rejects.toMatchObject({
    code: 'local',
    message: expect.stringMatching(/^Cannot read .*none: no such file$/),
  });
  await expect(saving(folder, async () => {})).rejects.toMatchObject({code: 'local', message: `Cannot write ${folder}: it is a folder`});
  const path = newFile();
  await saving(path, async () => {
    await expect(saving(path, async () => {})).rejects.toMatchObject({
      code: 'local',
      message: expect.stringContaining(`is using ${path}: nothing was sent`),
    });
  });
  expect(existsSync(path)).toBe(true);
});

test('a full disk says what was done, and ends a run that restores', async () => {
  const path = newFile();
  await saving(path, async (saved) => {
    saved.refuseIfBroken();
    const full = vi.spyOn(OwnLines.prototype, 'append').mockRejectedValue(Object.assign(new Error('no'), {code: 'ENOSPC'}));
    const says = (consequence: string) => ({code: 'local', message: `Cannot write ${path}: ${consequence}: the disk is full`});
    await expect(saved.keep({action: 'hide'})).rejects.toMatchObject(says('nothing was sent'));
    await expect(saved.noteAnswer({})).rejects.toMatchObject(says('the request was sent and carried out'));
    saved.refuseIfBroken();
    await expect(saved.noteRestored({})).rejects.toMatchObject(
      says('it was restored, which the file does not say; a later run finds that out'),
    );
    full.mockRestore();
    expect(() => saved.refuseIfBroken()).toThrow(
      expect.objectContaining({code: 'local', message: `Cannot write ${path}: nothing was sent`}),
    );
  });
});

test('a post is known from before, with its account, where an earlier run changed it on this server', async () => {
  const path = newFile();
  const post = (id: string, more: object = {}) => line({action: 'hide', post: {id, text: id}, account: {id: 'a'}, ...more});
  const without = [line({action: 'hide', post: {id: '3'}}), line({action: 'hide', account: {id: 'a'}})];
  writeFileSync(path, [post('1', {account: {id: 'old'}}), post('1'), post('2', {server: 'https://other.example'}), ...without].join(''));
  const known = await saving(path, async (saved) => {
    const first = await saved.postBefore('1');
    appendFileSync(path, post('4'));
    return [first, ...(await Promise.all(['2', '3', '4'].map((id) => saved.postBefore(id))))];
  });
  expect(known).toEqual([{id: '1', text: '1', account: {id: 'a'}}, undefined, undefined, undefined]);
});
