import {execFileSync} from 'node:child_process';
import {lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import * as z from 'zod/mini';
import {readCache, writeCache} from '../../../src/lib/files/cache.js';

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pixelctl-kept-'));
  file = join(home, 'cache/file.json');
});
afterEach(() => rmSync(home, {recursive: true, force: true}));

const shape = z.object({at: z.number()});
const read = () => readCache(file, shape);

test('what was kept is read again', async () => {
  expect(await read()).toBeUndefined();
  expect(await writeCache(file, {at: 5})).toBe(true);
  expect(await read()).toEqual({at: 5});
});

test.each([0, 3, 7])('a cache that is cut after %i bytes is none, and is replaced', async (length) => {
  await writeCache(file, {at: 5});
  truncateSync(file, length);
  expect(await read()).toBeUndefined();
  expect(await writeCache(file, {at: 6})).toBe(true);
  expect(await read()).toEqual({at: 6});
});

test('a folder in its place stays, and nothing is kept', async () => {
  mkdirSync(join(file, 'mine'), {recursive: true});
  expect([await read(), await writeCache(file, {at: 5})]).toEqual([undefined, false]);
  expect(lstatSync(join(file, 'mine')).isDirectory()).toBe(true);
});

describe.skipIf(process.platform === 'win32')('where there are links and pipes', () => {
  test.each(['mine', 'nothing'])('a link to %s is replaced, and what it leads to is not written', async (target) => {
    writeFileSync(join(home, 'mine'), 'mine');
    mkdirSync(join(home, 'cache'), {mode: 0o700});
    symlinkSync(join(home, target), file);
    expect(await read()).toBeUndefined();
    expect(await writeCache(file, {at: 5})).toBe(true);
    expect(await read()).toEqual({at: 5});
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
    expect([readFileSync(join(home, 'mine'), 'utf8'), lstatSync(join(home, 'nothing'), {throwIfNoEntry: false})]).toEqual([
      'mine',
      undefined,
    ]);
  });

  test('a pipe in its place is not waited for', async () => {
    mkdirSync(join(home, 'cache'), {mode: 0o700});
    execFileSync('mkfifo', [file]);
    expect([await read(), await writeCache(file, {at: 5})]).toEqual([undefined, false]);
  });
});
