/** A quarantine that can be lifted: what it keeps, what is set back, and what becomes of it when runs are broken off. */
import {existsSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {SavedChanges} from '../../src/lib/run/index.js';
import {someInTurn} from '../contract/sample.js';
import {desk, failed, moderation, type Desk} from './admin-desk.js';
import {killer, killsAt} from './killer.js';
import {isOtherProgram, isSingleFile, preloading, start, startShell} from './program.js';

const free = {unlisted: false, cw: false, no_autolink: false};
const quarantined = {unlisted: true, cw: true, no_autolink: true};

const people = ['@deals10', '@crypto11'] as const;
const file = 'quarantine.ndjson';
const flags = ['--unlisted', '--cw', '--no-autolink', '--save', file, '--yes'];
const quarantine = (...names: readonly string[]) => ['users', 'update', ...names, ...flags];
const restore = (...more: readonly string[]) => ['users', 'update', ...more, '--restore', file, '--yes'];

const flagsOf = (one: Desk, names: readonly string[] = people) => Promise.all(names.map((name) => moderation(one, name)));

/** `update 263` */
const linesIn = (one: Desk, name = file): readonly string[] =>
  one.lines(name).map(({action, user}) => `${String(action)} ${Object(user).username}`);

describe('what is set back', () => {
  test('everybody in the file, to what they were, and the file says so', async () => {
    await using one = await desk();
    await one.run(['users', 'update', '@crypto11', '--cw', '--yes']);
    await one.run(quarantine(...people));
    expect(await flagsOf(one)).toEqual([quarantined, quarantined]);
    expect(one.lines(file).map(({moderation: before, set}) => ({before, set}))).toEqual([
      {before: free, set: quarantined},
      {before: {...free, cw: true}, set: {unlisted: true, no_autolink: true}},
    ]);
    const {status, stdout, stderr} = await one.run([...restore(), '--reason', 'false alarm', '-o', 'ndjson', '-q', '.ok']);
    expect({status, stdout, stderr}).toEqual({status: 0, stdout: 'true\ntrue\n', stderr: ''});
    expect(await flagsOf(one)).toEqual([free, {...free, cw: true}]);
    expect(linesIn(one)).toEqual(['update deals10', 'update crypto11', 'restore deals10', 'restore crypto11']);
    expect(one.lines(file)[2]).toMatchObject({reason: 'false alarm', moderation: quarantined, set: free});
  });

  test('one run at a time has the file, so that none sets back what the other one does', async () => {
    await using one = await desk();
    await one.run(quarantine(...people));
    const other = await SavedChanges.open(one.path(file), {server: 'http://pix.example', now: () => new Date()});
    for (const line of [restore(), quarantine('@casino12')]) {
      const {status, stdout, stderr} = await one.run(line);
      expect({status, stdout}).toEqual({status: 9, stdout: ''});
      expect(stderr).toMatch(/Another pixelctl \(process \d+\) is using quarantine\.ndjson: nothing was sent/);
    }
    expect(await flagsOf(one, [...people, '@casino12'])).toEqual([quarantined, quarantined, free]);
    await other[Symbol.asyncDispose]();
    expect(await one.run(restore())).toMatchObject({status: 0});
    expect(await flagsOf(one)).toEqual([free, free]);
    expect(existsSync(one.path(`${file}.lock`))).toBe(false);
  });

  test('only those who are named, however they are', async () => {
    await using one = await desk();
    await one.run(quarantine(...people, '@casino12'));
    await one.run(restore('@crypto11'));
    expect(await flagsOf(one)).toEqual([quarantined, free]);
    const stdin = (await one.run(['users', 'list', '--query', 'deals10', '-o', 'ndjson'])).stdout;
    expect(await one.run(restore('-'), {stdin})).toMatchObject({status: 0});
    expect(await flagsOf(one, [...people, '@casino12'])).toEqual([free, free, quarantined]);
  });

  test('who is restored is left alone by the next run, and can be quarantined again', async () => {
    await using one = await desk();
    await one.run(quarantine(...people));
    await one.run(restore());
    await one.run(['users', 'update', '@deals10', '--cw', '--yes']);
    const {length} = one.server.exchanges;
    expect(await one.run([...restore(), '--json'])).toMatchObject({status: 0, stdout: '[]\n'});
    expect(one.server.exchanges.slice(length)).toEqual([]);
    expect(await one.run(restore('@deals10'))).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('Warning: @deals10 was restored before'),
    });
    expect(await moderation(one, '@deals10')).toEqual({...free, cw: true});
    await one.run(quarantine('@deals10'));
    await one.run(restore());
    expect(await moderation(one, '@deals10')).toEqual({...free, cw: true});
  });

  test('people whom the same file records as deleted are passed over, with their number', async () => {
    await using one = await desk();
    await one.run(quarantine(...people, '@casino12'));
    const words = ['--save', file, '--yes', '--allow-deletions', '2'];
    await one.run(['users', 'delete', '@crypto11', '@casino12', ...words]);
    const {status, stdout, stderr} = await one.run([...restore(), '-o', 'ndjson', '-q', '.body.data.username']);
    expect({status, stdout}).toEqual({status: 0, stdout: 'deals10\n'});
    expect(stderr).toContain('passed over: 2 people whom the same file records as deleted');
  });

  test('somebody whose deletion was written and not carried out is restored', async () => {
    await using one = await desk();
    await one.run(quarantine(...people));
    const [first] = one.lines(file);
    writeFileSync(one.path(file), `${JSON.stringify({...first, action: 'delete'})}\n`, {flag: 'a'});
    expect(await one.run(restore())).toMatchObject({status: 0});
    expect(await flagsOf(one)).toEqual([free, free]);
  });
});

describe('what is refused, and nothing is sent', () => {
  const altered = async (one: Desk, change: (line: Record<string, unknown>) => object) => {
    await one.run(quarantine(...people));
    const [first = {}, ...rest] = one.lines(file);
    writeFileSync(one.path(file), [change(first), ...rest].map((line) => `${JSON.stringify(line)}\n`).join(''));
    return one.acts().length;
  };

  test.each<[string, (line: Record<string, unknown>) => object, string]>([
    ['a line of another server', (line) => ({...line, server: 'https://other.example'}), 'is of https://other.example, not of'],
    [
      'somebody whose account is another one by now',
      (line) => ({...line, user: {...Object(line['user']), profile_id: '1'}}),
      'another account than the given one',
    ],
    ['a line without flags', (line) => ({...line, moderation: {}}), 'Line 1 of quarantine.ndjson does not say what was changed'],
  ])('%s', async (_, change, message) => {
    await using one = await desk();
    const before = await altered(one, change);
    expect(failed(await one.run(restore()))).toEqual({status: 2, error: expect.stringContaining(message)});
    expect(one.acts()).toHaveLength(before);
    const {status, stderr} = await one.run([...restore(), '--skip-invalid']);
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('skipped: ')});
    expect(await flagsOf(one)).toEqual([quarantined, free]);
  });

  test.each<[string, readonly string[], string]>([
    ['somebody who is not in the file', restore('@bob'), 'quarantine.ndjson does not say what was changed of @bob'],
    ['flags besides', [...restore(), '--cw'], '--restore and --cw cannot be used together'],
    ['another file besides', [...restore(), '--save', 'x'], '--restore and --save cannot be used together'],
  ])('%s', async (_, words, message) => {
    await using one = await desk();
    await one.run(quarantine(...people));
    const {length} = one.acts();
    expect((await one.run(words)).stderr).toContain(message);
    expect(one.acts()).toHaveLength(length);
    expect(existsSync(one.path('x'))).toBe(false);
  });

  test('a file that is not there, and a file of anything else', async () => {
    await using one = await desk();
    expect(failed(await one.run(restore()))).toEqual({status: 9, error: expect.stringContaining(`Cannot read ${file}: no such file`)});
    writeFileSync(one.path(file), 'my own words\n');
    expect(failed(await one.run(restore()))).toEqual({status: 2, error: expect.stringContaining('is no record of changes')});
    expect(readFileSync(one.path(file), 'utf8')).toBe('my own words\n');
    expect(one.server.exchanges).toEqual([]);
  });

  test('a run without an answer', async () => {
    await using one = await desk();
    await one.run(quarantine(...people));
    const asked = await one.run(['users', 'update', '--restore', file], {typing: 'n\n', columns: 120});
    expect(asked.stderr).toMatch(/Set back what was changed of @deals10, @crypto11 on 127\.0\.0\.1:\d+\?/);
    expect(await flagsOf(one)).toEqual([quarantined, quarantined]);
  });

  test('a dry run shows what may be sent, of those who are not restored', async () => {
    await using one = await desk();
    await one.run(['users', 'update', ...people, '--unlisted', '--cw', '--save', file, '--yes']);
    await one.run(restore('@crypto11'));
    const {length} = one.server.exchanges;
    const dry = async (...names: readonly string[]) => {
      const words = ['users', 'update', ...names, '--restore', file, '--dry-run', '--json'];
      return (await one.run([...words, '-q', '.requests[].body | "\\(.id) \\(.action)"'])).stdout;
    };
    expect(await dry()).toBe('263 unlisted\n263 cw\n');
    expect(await dry('263')).toBe('263 unlisted\n263 cw\n');
    expect(await dry('@deals10')).toMatch(/^\S.* unlisted\n.* cw\n.* no_autolink\n$/);
    expect(one.server.exchanges).toHaveLength(length);
  });
});

describe('runs that are broken off', () => {
  /** Breaks off runs in every way, goes on, and lifts it: everybody is as before. */
  async function whole(one: Desk, breakOff: () => Promise<void>, steps: readonly (readonly string[])[]): Promise<void> {
    await one.run(['users', 'update', '@crypto11', '--cw', '--yes']);
    await breakOff();
    for (const words of steps) expect(await one.run(words)).toMatchObject({status: 0});
    expect(await flagsOf(one)).toEqual([free, {...free, cw: true}]);
  }

  /** Kills a process at the n-th write that the server is sent. */
  async function killedAt(write: number, moment: 'after' | 'before', words: readonly string[], steps: readonly (readonly string[])[]) {
    let [count, kill] = [0, () => {}];
    await using one = await desk((now, {method, target}) => {
      if (method === 'GET' || !target.endsWith('users/action')) return;
      if (now === 'before') count += 1;
      if (now === moment && count === write) kill();
    });
    await whole(
      one,
      async () => {
        if (words.includes('--restore')) await one.run(quarantine(...people));
        count = 0;
        const running = start(words, {env: one.env, folder: one.folder});
        kill = () => void running.child.kill('SIGKILL');
        expect((await running.ended).signal).toBe('SIGKILL');
        kill = () => {};
      },
      steps,
    );
  }

  const writes = [1, 2, 3, 4, 5].flatMap((write) => (['before', 'after'] as const).map((moment) => ({write, moment})));

  describe.each([
    ['a quarantine that goes on in the same file', quarantine(...people), [quarantine(...people), restore()]],
    ['a quarantine that is lifted', quarantine(...people), [restore()]],
    ['a restoration that goes on', restore(), [restore()]],
  ])('%s', (what, words, steps) => {
    test.each(someInTurn(writes, 2, what))('after a kill $moment write $write', ({write, moment}) => killedAt(write, moment, words, steps));
  });

  test.skipIf(isSingleFile || isOtherProgram)('killed at any write of a file', async () => {
    for (const words of [quarantine(...people), restore()]) {
      const ran = async (at: number) => {
        await using one = await desk();
        await whole(
          one,
          async () => {
            if (words.includes('--restore')) await one.run(quarantine(...people));
            const env = {...one.env, ...preloading(killer(at, one.path('tally')))};
            const {signal} = await start(words, {env, folder: one.folder}).ended;
            expect({at, signal}).toEqual({at, signal: at === 0 ? null : 'SIGKILL'});
            if (at === 0) kills = Number(readFileSync(one.path('tally'), 'utf8'));
          },
          words.includes('--restore') ? [restore()] : [quarantine(...people), restore()],
        );
      };
      let kills = 0;
      await ran(0);
      expect(kills).toBeGreaterThanOrEqual(people.length);
      for (const at of someInTurn(killsAt(kills), 2)) await ran(at);
    }
  });

  test.skipIf(process.platform === 'win32')(
    'on a full disk nothing is sent that is not kept, and with room the next run does the rest',
    async () => {
      await using one = await desk();
      const {stdout} = await one.run(['users', 'list', '--query', 'deals', '--all', '-o', 'ndjson', '-q', '.username | "@" + .']);
      const names = stdout.trimEnd().split('\n');
      const limited = (words: readonly string[], blocks: number) =>
        startShell(`trap '' XFSZ; ulimit -f ${blocks}; exec pixelctl ${words.map((word) => `'${word}'`).join(' ')}`, {
          env: one.env,
          folder: one.folder,
        }).ended;
      // The file gets too large in the middle of a line.
      const ended = await limited(quarantine(...names), 3);
      expect(ended).toMatchObject({status: 11, stdout: expect.stringContaining(file)});
      const kept = readFileSync(one.path(file), 'utf8');
      expect(kept.endsWith('\n')).toBe(false);
      expect(new Set(one.acts().map((act) => act.split(' ')[0])).size).toBe(kept.split('\n').length - 1);
      expect(await one.run(quarantine(...names))).toMatchObject({status: 0});
      expect(await flagsOf(one, names)).toEqual(names.map(() => quarantined));
      const blocks = Math.ceil(readFileSync(one.path(file)).length / 512);
      expect(await limited(restore(), blocks)).toMatchObject({status: 11});
      expect(await one.run(restore())).toMatchObject({status: 0});
      expect(await flagsOf(one, names)).toEqual(names.map(() => free));
      const lifted = readFileSync(one.path(file), 'utf8').match(/"action":"restore".*?"username":"\w+"/g) ?? [];
      expect(new Set(lifted.map((line) => line.slice(line.lastIndexOf(':')))).size).toBe(names.length);
    },
  );

  test.each<[string, (text: string) => string, RegExp, unknown]>([
    ['cut 2 bytes before its end', (text) => text.slice(0, -2), /1 line passed over: cut short or damaged/, quarantined],
    ['cut 40 bytes before its end', (text) => text.slice(0, -40), /1 line passed over: cut short or damaged/, quarantined],
    ['without its last line feed', (text) => text.slice(0, -1), /^$/, free],
    ['with a damaged line in the middle', (text) => text.replace('\n', '\ndamaged\n'), /1 line passed over/, free],
  ])('a file %s loses nobody else, and that is told', async (_, damage, told, last) => {
    await using one = await desk();
    await one.run(quarantine(...people));
    writeFileSync(one.path(file), damage(readFileSync(one.path(file), 'utf8')));
    const {status, stderr} = await one.run(restore());
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringMatching(told)});
    expect(await flagsOf(one)).toEqual([free, last]);
  });

  test('a link in the place of the file leads to no file of anything else', async () => {
    await using one = await desk();
    writeFileSync(one.path('precious'), 'precious words\n');
    symlinkSync('precious', one.path(file));
    for (const words of [quarantine('@deals10'), restore()])
      expect(failed(await one.run(words))).toEqual({
        status: 2,
        error: expect.stringContaining('is no record of changes: nothing was sent'),
      });
    expect(readFileSync(one.path('precious'), 'utf8')).toBe('precious words\n');
    expect(one.acts()).toEqual([]);
  });
});
