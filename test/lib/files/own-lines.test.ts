import {existsSync, readFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {GroupCommit} from '../../../src/lib/files/own-lines.js';
import {newFolder} from '../../new-folder.js';

beforeEach(() => void vi.useFakeTimers({toFake: ['performance']}));
afterEach(() => void vi.useRealTimers());

async function opened() {
  const path = join(newFolder(), 'lines');
  const file = await open(path, 'a+');
  onTestFinished(() => file.close());
  return {file, forced: vi.spyOn(file, 'datasync'), text: () => readFileSync(path, 'utf8')};
}

test('writes lines in the order of the calls', async () => {
  const {file, text} = await opened();
  const lines = new GroupCommit(file);
  const expected = Array.from({length: 500}, (_, index) => `${index}\n`);
  await Promise.all(expected.map((line, index) => lines.append(line, index % 50 === 0)));
  expect(text()).toBe(expected.join(''));
});

test('a line is with the system when append resolves', async () => {
  const {file, text, forced} = await opened();
  await new GroupCommit(file).append('one\n', false);
  expect(text()).toBe('one\n');
  expect(forced).not.toHaveBeenCalled();
});

test('a durable line is on disk when append resolves', async () => {
  const {file, forced} = await opened();
  let isForced = false;
  forced.mockImplementation(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    isForced = true;
  });
  await new GroupCommit(file).append('one\n', true);
  expect(isForced).toBe(true);
});

test('lines that arrive during a flush share the next one', async () => {
  const {file, forced} = await opened();
  const lines = new GroupCommit(file);
  const first = lines.append('first\n', true);
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, ...Array.from({length: 100}, (_, index) => lines.append(`${index}\n`, true))]);
  expect(forced).toHaveBeenCalledTimes(2);
});

test('flushes lines that are not durable within about a second', async () => {
  const {file, forced} = await opened();
  const lines = new GroupCommit(file);
  await lines.append('one\n', false);
  expect(forced).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  await lines.append('one\n', false);
  expect(forced).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  await lines.append('two\n', false);
  expect(forced).toHaveBeenCalledTimes(1);
});

test('flushes everything at the end', async () => {
  const {file, forced, text} = await opened();
  const lines = new GroupCommit(file);
  void lines.append('one\n', false);
  await lines.end();
  expect(text()).toBe('one\n');
  expect(forced).toHaveBeenCalledTimes(1);
});

test('lines that arrive during a flush that fails are not written', async () => {
  const {file, forced, text} = await opened();
  const flushing = Promise.withResolvers<void>();
  forced.mockReturnValue(flushing.promise);
  const lines = new GroupCommit(file);
  const first = lines.append('first\n', true);
  await vi.waitUntil(() => forced.mock.calls.length === 1);
  const second = lines.append('second\n', false);
  flushing.reject(new Error('no disk'));
  await expect(Promise.allSettled([first, second])).resolves.toMatchObject([{status: 'rejected'}, {reason: {message: 'no disk'}}]);
  expect(text()).toBe('first\n');
});

test.skipIf(!existsSync('/dev/full'))('a full disk is an error for all who wait, and nothing is written after it', async () => {
  const full = await open('/dev/full', 'w');
  onTestFinished(() => full.close());
  const lines = new GroupCommit(full);
  const appended = await Promise.allSettled([lines.append('one\n', true), lines.append('two\n', false)]);
  for (const {status} of appended) expect(status).toBe('rejected');
  await expect(lines.append('three\n', false)).rejects.toMatchObject({code: 'ENOSPC'});
  await expect(lines.end()).rejects.toMatchObject({code: 'ENOSPC'});
});
