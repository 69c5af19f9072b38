import {execFileSync, spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {readBytes, readText} from '../../src/lib/files/read-file.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pixelctl-read-'));
});
afterEach(() => rmSync(home, {recursive: true, force: true}));

test('reads a file of any size, byte for byte', async () => {
  const file = join(home, 'file');
  for (const size of [0, 1, 256 * 1024, 256 * 1024 + 1]) {
    const bytes = Buffer.alloc(size, 'äbc');
    writeFileSync(file, bytes);
    expect((await readBytes(file)).equals(bytes)).toBe(true);
  }
});

test('reads files whose size the system does not know', async ({skip}) => {
  if (process.platform !== 'linux') skip('there is no /proc here');
  expect(await readText('/proc/self/status')).toContain('Pid:');
});

test('rejects a file that no string can hold', async () => {
  writeFileSync(join(home, 'file'), 'x');
  truncateSync(join(home, 'file'), 2 ** 29);
  await expect(readText(join(home, 'file'))).rejects.toMatchObject({code: 'EFBIG'});
});

test.each(['file', 'file or pipe'] as const)('rejects a missing file and a folder as a %s', async (kind) => {
  mkdirSync(join(home, 'folder'));
  await expect(readText(join(home, 'nothing'), kind)).rejects.toMatchObject({code: 'ENOENT'});
  await expect(readText(join(home, 'folder'), kind)).rejects.toMatchObject({code: 'EISDIR'});
});

describe.skipIf(process.platform === 'win32')('a named pipe', () => {
  let pipe: string;
  beforeEach(() => {
    pipe = join(home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    vi.useFakeTimers({toFake: ['performance']});
  });
  afterEach(() => void vi.useRealTimers());

  test('a named pipe is rejected as a file', async () => {
    await expect(readText(pipe)).rejects.toMatchObject({code: 'ENOTFILE'});
  });

  test('a named pipe is empty without a writer', async () => {
    vi.useRealTimers();
    expect(await readText(pipe, 'file or pipe')).toBe('');
  });

  test('a named pipe is read to its end, however slowly it is written', async () => {
    const read = readText(pipe, 'file or pipe');
    const writer = await open(pipe, 'w');
    await writer.write('one');
    // Longer than it waits for a writer.
    vi.advanceTimersByTime(5000);
    await writer.write('two');
    await writer.close();
    expect(await read).toBe('onetwo');
  });

  test('a named pipe is read when its writer says something at last', async () => {
    const writer = await open(pipe, 'r+');
    const read = readText(pipe, 'file or pipe');
    // It has found nothing by then, and has looked at the clock.
    for (let turn = 0; turn < 100; turn += 1) await setImmediate();
    await writer.write('at last');
    await writer.close();
    expect(await read).toBe('at last');
  });

  test('a named pipe is read completely when it is larger than its buffer', async () => {
    spawn('sh', ['-c', 'head -c 1000000 /dev/zero > "$0"', pipe], {stdio: 'ignore'});
    expect((await readBytes(pipe, 'file or pipe')).length).toBe(1_000_000);
  });
});

test('reads an empty device', async ({skip}) => {
  if (process.platform === 'win32') skip('there is no /dev/null here');
  expect(await readText('/dev/null', 'file or pipe')).toBe('');
  await expect(readText('/dev/null')).rejects.toMatchObject({code: 'ENOTFILE'});
});
