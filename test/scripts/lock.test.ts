import {existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {locked} from '../../scripts/lock.js';

let home: string;
let lock: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pixelctl-lock-'));
  lock = join(home, 'cache/lock');
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, {recursive: true});
});

test('work under one lock is done one after another', async () => {
  let busy = 0;
  const work = async () => {
    busy += 1;
    expect(busy).toBe(1);
    await sleep(20);
    busy -= 1;
  };
  await Promise.all([locked(lock, work), locked(lock, work), locked(lock, work)]);
  expect(existsSync(lock)).toBe(false);
});

test('a lock is given back when the work fails', async () => {
  await expect(locked(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await locked(lock, () => 'done')).toBe('done');
});

test('a lock of a process that is gone does not count', async () => {
  mkdirSync(lock, {recursive: true});
  writeFileSync(join(lock, 'pid'), '2147483646');
  expect(await locked(lock, () => 'done')).toBe('done');
});

test('a lock of a process that ended before it put its name in does not count', async () => {
  mkdirSync(lock, {recursive: true});
  const before = Date.now() / 1000 - 60;
  utimesSync(lock, before, before);
  expect(await locked(lock, () => 'done')).toBe('done');
});
