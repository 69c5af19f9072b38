import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import promises from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {afterEach, beforeEach, describe, expect, onTestFinished, test, vi} from 'vitest';
import {acquireLock, LockHeld, thisProcess} from '../../src/lib/files/lock.js';
import {writeTemporary} from '../../src/lib/files/whole-file.js';
import {fileThere, until} from '../events.js';
import {builtModule, runChild, startChild, type Child} from './child-process.js';

let home: string;
let lock: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pixelctl-lock-'));
  lock = join(home, 'lock');
});
afterEach(() => rmSync(home, {recursive: true, force: true}));

/** Longer than any machine needs. */
const patient = {patience: 600_000};
const impatient = {patience: 0};

/** In which others get to do what they do. */
async function aMoment(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
}

const done = () => Promise.resolve('done');

/** A number that no process has. */
const nobody = 2 ** 31 - 2;
const since = '2026-01-01T00:00:00.000Z';

async function withLock<Result>(path: string, work: () => Promise<Result>, options: {readonly patience: number}): Promise<Result> {
  using _lock = await acquireLock(path, options);
  return await work();
}

async function leaveLock(path: string, of: object): Promise<void> {
  writeFileSync(path, JSON.stringify({...(await thisProcess()), since, ...of}));
}

/** A process that holds the lock until it is ended. */
async function holder(): Promise<Child> {
  const child = startChild(`
    import {acquireLock} from '${builtModule('files/lock.js')}';
    await acquireLock(${JSON.stringify(lock)}, {patience: 0});
    process.stdout.write('held');
    setInterval(() => {}, 2 ** 30);`);
  await child.begun;
  return child;
}

test('one caller at a time holds the lock, and no file is left', async () => {
  let busy = 0;
  const work = async (): Promise<void> => {
    busy += 1;
    expect(busy).toBe(1);
    await aMoment();
    busy -= 1;
  };
  await Promise.all(Array.from({length: 8}, () => withLock(lock, work, patient)));
  expect(readdirSync(home)).toEqual([]);
});

test('the lock is released when the work fails', async () => {
  await expect(withLock(lock, () => Promise.reject(new Error('no')), impatient)).rejects.toThrow('no');
  expect(await withLock(lock, done, impatient)).toBe('done');
});

test('waits for a lock of another process until the patience ends', async () => {
  const child = await holder();
  vi.useFakeTimers({toFake: ['performance']});
  onTestFinished(() => void vi.useRealTimers());
  let refusal: unknown;
  void withLock(lock, done, {patience: 200}).catch((error: unknown) => (refusal = error));
  await until(() => {
    vi.advanceTimersByTime(200);
    return refusal !== undefined;
  });
  expect(refusal).toBeInstanceOf(LockHeld);
  expect(refusal).toMatchObject({code: 'ELOCKED', path: lock, holder: {pid: child.process.pid}});
  const inTime = withLock(lock, done, {patience: 1});
  child.process.kill('SIGTERM');
  expect(await inTime).toBe('done');
});

test('takes over the lock of a process that was killed', async () => {
  const child = await holder();
  child.process.kill('SIGKILL');
  await child.output;
  expect(existsSync(lock)).toBe(true);
  expect(await withLock(lock, done, impatient)).toBe('done');
  expect(readdirSync(home)).toEqual([]);
});

test('a process releases its lock when it exits', async () => {
  await runChild(`
    import {acquireLock} from '${builtModule('files/lock.js')}';
    await acquireLock(${JSON.stringify(lock)}, {patience: 0});
    process.exit();`);
  expect(existsSync(lock)).toBe(false);
});

test.runIf(process.platform === 'linux')('takes over a lock whose process id was reused', async () => {
  await leaveLock(lock, {start: '1'});
  expect(await withLock(lock, done, impatient)).toBe('done');
});

test('takes over a lock file that is incomplete', async () => {
  writeFileSync(lock, '{"pid": 1');
  expect(await withLock(lock, done, impatient)).toBe('done');
});

test.each([{host: 'another.example'}, {namespace: 'another'}])(
  'a lock of another machine or container is never taken over: %o',
  async (where) => {
    await leaveLock(lock, {pid: nobody, ...where});
    await expect(withLock(lock, done, impatient)).rejects.toMatchObject({holder: {pid: nobody}});
  },
);

test.skipIf(process.platform === 'win32')('takes over what is a link, and leaves what it leads to as it is', async () => {
  const mine = join(home, 'mine');
  writeFileSync(mine, 'mine');
  for (const target of [mine, join(home, 'nothing')]) {
    symlinkSync(target, lock);
    expect(await withLock(lock, done, impatient)).toBe('done');
    expect([readdirSync(home), readFileSync(mine, 'utf8')]).toEqual([['mine'], 'mine']);
  }
});

test('a lock that another process took after the file was removed by hand is kept', async () => {
  await withLock(lock, () => leaveLock(lock, {host: 'another.example'}), impatient);
  expect(readFileSync(lock, 'utf8')).toContain('another.example');
});

test('fails where the folder does not exist', async () => {
  await expect(withLock(join(home, 'nowhere/lock'), done, impatient)).rejects.toMatchObject({code: 'ENOENT'});
});

test.each([
  ['a dead lock', ['lock']],
  ['a dead lock, and one who died replacing it', ['lock', 'lock.takeover']],
  ['a dead lock, and two who died replacing it', ['lock', 'lock.takeover', 'lock.takeover.takeover']],
])('one caller at a time takes the lock after %s', async (_, names) => {
  for (let round = 0; round < 4; round += 1) {
    for (const name of names) await leaveLock(join(home, name), {pid: nobody});
    let busy = 0;
    const work = async (): Promise<void> => {
      busy += 1;
      expect(busy).toBe(1);
      await aMoment();
      busy -= 1;
    };
    await Promise.all(Array.from({length: 5}, () => withLock(lock, work, patient)));
    expect(readdirSync(home)).toEqual([]);
  }
});

test('what processes that are gone left of a lock goes when another has it, and nothing else does', async () => {
  const of = (name: string, writer: number | string, id: string) => join(home, `.pixelctl-${name}-${writer}-${id}.temporary`);
  const own = await thisProcess();
  const holder = (more: object) => JSON.stringify({...own, since, ...more});
  const gone = [
    [of('lock', nobody, 'a'), holder({pid: nobody})],
    [of('lock', nobody, 'b'), ''],
    [of('lock', nobody, 'c'), holder({pid: nobody}).slice(0, 40)],
    // The number is that of another process by now.
    ...(process.platform === 'linux' ? [[of('lock', process.pid, 'd'), holder({start: '1'})] as const] : []),
    [of('other.lock', nobody, 'h'), holder({pid: nobody})],
    [`${lock}.takeover`, holder({pid: nobody})],
  ] as const;
  const kept = [
    [of('lock', process.pid, 'e'), holder({})],
    [of('lock', process.pid, 'f'), ''],
    [of('lock', nobody, 'g'), holder({pid: nobody, host: 'another.example'})],
    [of('other.lock', process.pid, 'i'), holder({})],
    [of('other.lock', nobody, 'j'), ''],
    [of('other', nobody, 'k'), holder({pid: nobody})],
    [`${lock}.mine`, holder({pid: nobody})],
  ] as const;
  for (const [path, text] of [...gone, ...kept]) writeFileSync(path, text);
  expect(await withLock(lock, done, impatient)).toBe('done');
  expect(readdirSync(home).sort()).toEqual(kept.map(([path]) => basename(path)).sort());
});

test('what is left of the file that a lock is named after goes, too, and of long names', async () => {
  const long = join(home, 'x'.repeat(230));
  for (const file of [join(home, 'state'), long]) {
    await using left = await writeTemporary(file, 'private', {mode: 0o600, durable: false});
    await using claim = await writeTemporary(`${file}.lock`, JSON.stringify({...(await thisProcess()), pid: nobody, since}), {
      mode: 0o600,
      durable: false,
    });
    expect(await withLock(`${file}.lock`, done, impatient)).toBe('done');
    expect([left, claim].map(({path}) => existsSync(path))).toEqual([false, false]);
  }
});

describe('where a dead lock is being replaced', () => {
  const {link} = promises;
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  test('one that another process takes meanwhile is kept', async () => {
    await leaveLock(lock, {pid: nobody});
    vi.spyOn(promises, 'link').mockImplementation(async (from, to) => {
      if (to === `${lock}.takeover`) await leaveLock(lock, {host: 'another.example'});
      return link(from, to);
    });
    syncBuiltinESMExports();
    await expect(withLock(lock, done, impatient)).rejects.toMatchObject({holder: {host: 'another.example'}});
    expect(readdirSync(home)).toEqual(['lock']);
  });

  test('a failure leaves nothing that blocks it', async () => {
    await leaveLock(lock, {pid: nobody});
    vi.spyOn(promises, 'rename').mockRejectedValueOnce(Object.assign(new Error('no disk'), {code: 'EIO'}));
    syncBuiltinESMExports();
    await expect(withLock(lock, done, impatient)).rejects.toMatchObject({code: 'EIO'});
    expect(readdirSync(home)).toEqual(['lock']);
  });
});

test('processes that are killed at any moment neither share nor block the lock', async () => {
  const log = join(home, 'log');
  const program = `
    import {appendFileSync} from 'node:fs';
    import {acquireLock} from '${builtModule('files/lock.js')}';
    for (let turn = 0; ; turn += 1) {
      const lock = await acquireLock(${JSON.stringify(lock)}, {patience: 600_000});
      appendFileSync(${JSON.stringify(log)}, 'in ' + process.pid + ' ' + turn + '\\n');
      for (let turns = Math.random() * 30; turns > 0; turns -= 1) await new Promise(setImmediate);
      appendFileSync(${JSON.stringify(log)}, 'out ' + process.pid + ' ' + turn + '\\n');
      lock[Symbol.dispose]();
    }`;
  writeFileSync(log, '');
  const turnsIn = (text: string) => text.split('in ').length;
  const children = Array.from({length: 6}, () => startChild(program));
  for (let killed = 0; killed < 14; killed += 1) {
    // Not by the clock: on a busy machine a process takes long to start. What the killed one does then has nothing to do with these turns.
    const known = turnsIn(readFileSync(log, 'utf8'));
    await fileThere(log, (text) => turnsIn(text) >= known + 3);
    const index = killed % children.length;
    children[index]?.process.kill('SIGKILL');
    children[index] = startChild(program);
  }
  for (const child of children) child.process.kill('SIGKILL');
  await Promise.all(children.map(({output}) => output));

  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const ends = lines.flatMap((line, index) => (line.startsWith('out ') ? [[lines[index - 1], line]] : []));
  expect(ends.length).toBeGreaterThan(20);
  for (const [before, end] of ends) expect(before).toBe(end?.replace('out', 'in'));
  expect(await withLock(lock, done, impatient)).toBe('done');
});
