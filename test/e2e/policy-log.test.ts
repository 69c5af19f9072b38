/** What an apply notes in the log beside the state file, and what the next command makes of it. */
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {killer, killsAt} from './killer.js';
import {deskAt, watchedSandbox, type Desk, type WatchedSandbox} from './policy-server.js';
import {isOtherProgram, isSingleFile, newFolder, preloading, run as runChild, startShell} from './program.js';
import {someInTurn} from '../contract/sample.js';

const [state, log] = ['p.yml.state.json', 'p.yml.state.json.log'];
const names = Array.from({length: 6}, (_, index) => `d${index}.example`);
const policyOf = (domains: readonly string[]) => `version: 1\ndomain_blocks: {must: [${domains.join(', ')}]}\n`;

interface Place extends Desk, AsyncDisposable {
  readonly server: WatchedSandbox;
  readonly blocked: () => Promise<readonly string[]>;
  readonly remembered: () => string;
}

/** Somebody whose apply of six domains was killed when the server had made some. */
async function cutOff({made = 3, policy = policyOf(names)}: {readonly made?: number; readonly policy?: string} = {}): Promise<Place> {
  const server = await watchedSandbox({seed: 'empty'});
  const desk = deskAt(server, {'p.yml': policy});
  if (made > 0) {
    const {child, ended} = desk.start('apply', 'p.yml', '--yes');
    server.stepIn = (when, count) => {
      if (when !== 'after' || count !== made) return undefined;
      child.kill('SIGKILL');
      return 'swallow';
    };
    expect(await ended).toMatchObject({signal: 'SIGKILL'});
    server.stepIn = () => undefined;
  }
  return {
    ...desk,
    server,
    blocked: async () => JSON.parse((await desk.run('domain-blocks', 'list', '--all', '--json')).stdout),
    remembered: () => readFileSync(join(desk.folder, state), 'utf8'),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const owned = async ({run}: Place) => JSON.parse((await run('state', 'list', '--jq', '[.[].subject]')).stdout);
/** Without locks: those of processes that are gone do not count. */
const filesIn = ({folder}: Place) =>
  readdirSync(folder)
    .filter((name) => !/\.lock(?:-.*\.temporary)?$/.test(name))
    .sort();

test('a killed apply leaves its log, which commands that only read take in and leave', async () => {
  await using place = await cutOff();
  const {folder, run} = place;
  const before = [readFileSync(join(folder, state), 'utf8'), readFileSync(join(folder, log), 'utf8')];
  const id = JSON.parse(before[0] ?? '').log;
  expect(before[1]?.split('\n').map((line) => (line === '' ? undefined : Object.keys(JSON.parse(line))))).toEqual([
    ['pixelctl_state_log', 'id', 'records'],
    ...Array.from({length: 2}, () => [
      ['record', 'owned'],
      ['record', 'touched'],
    ]).flat(),
    undefined,
  ]);
  expect(before[1]).toContain(`"id":"${id}"`);
  expect(await owned(place)).toEqual(names.slice(0, 2));
  // The third one was sent, and what became of it is on the server.
  expect(JSON.parse((await run('plan', 'p.yml', '--jq', '[.changes[].subject]')).stdout)).toEqual(names.slice(3));
  for (const words of [
    ['audit', 'p.yml'],
    ['apply', 'p.yml', '--dry-run'],
    ['undo', 'p.yml', '--dry-run'],
  ])
    expect((await run(...words)).status).toBeLessThanOrEqual(10);
  expect([readFileSync(join(folder, state), 'utf8'), readFileSync(join(folder, log), 'utf8')]).toEqual(before);

  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(filesIn(place)).toEqual(['p.yml', state]);
  expect(place.remembered()).not.toContain('"log"');
  expect(await owned(place)).toEqual(names);
  expect(place.server.writes).toHaveLength(names.length);
});

test('the next command that writes the state file folds the log in, also when it is not apply', async () => {
  for (const words of [
    ['state', 'forget', 'p.yml', 'd0.example'],
    ['state', 'move', 'p.yml', '--to-policy', 'q.yml'],
    ['state', 'adopt', 'p.yml', '--all'],
    ['undo', 'p.yml', '--yes'],
  ]) {
    await using place = await cutOff();
    expect(await place.run(...words)).toMatchObject({status: 0});
    expect([words, filesIn(place).filter((name) => name.endsWith('.log'))]).toEqual([words, []]);
    const expected = {forget: ['d1.example'], move: ['d0.example', 'd1.example'], adopt: names.slice(0, 3)}[words[1] ?? ''] ?? [];
    expect([words, await owned(place)]).toEqual([words, expected]);
    if (words[0] === 'undo') expect(await place.blocked()).toEqual([]);
  }
});

test('a log whose last line was cut says all but that line', async () => {
  await using place = await cutOff();
  const path = join(place.folder, log);
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, -20));
  expect(await place.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  // Whether the third one was sent is not noted any more: it is left to whoever blocked it.
  expect(await owned(place)).toEqual(names.filter((name) => name !== 'd2.example'));
  expect(place.server.writes).toHaveLength(names.length);
});

describe('a state file without its log', () => {
  const goneOn = /^Error: p\.yml\.state\.json goes on in p\.yml\.state\.json\.log, which is (?:not there|of another run)$/m;
  const ways: Readonly<Record<string, (path: string) => void>> = {
    'that is not there': (path) => rmSync(path),
    'that is of another run': (path) => writeFileSync(path, readFileSync(path, 'utf8').replace(/"id":"[^"]+"/, '"id":"other"')),
  };

  test.each(Object.keys(ways))('%s is refused by all that need it, and goes on with it', async (way) => {
    await using place = await cutOff();
    const {folder, run, server} = place;
    const [path, aside] = [join(folder, log), join(folder, 'aside')];
    copyFileSync(path, aside);
    ways[way]?.(path);
    for (const words of [
      ['plan', 'p.yml'],
      ['audit', 'p.yml'],
      ['apply', 'p.yml', '--yes'],
      ['undo', 'p.yml', '--yes'],
      ['state', 'list'],
      ['state', 'forget', 'p.yml', '--all'],
    ])
      expect([words, await run(...words)]).toMatchObject([words, {status: 9, stderr: expect.stringMatching(goneOn)}]);
    expect(server.writes).toHaveLength(3);
    renameSync(aside, path);
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await owned(place)).toEqual(names);
  });

  test('goes on as its error says where the log is lost', async () => {
    await using place = await cutOff();
    const {folder, run} = place;
    rmSync(join(folder, log));
    const {stderr} = await run('apply', 'p.yml', '--yes');
    expect(stderr).toContain('delete the line "log" in p.yml.state.json');
    writeFileSync(join(folder, state), place.remembered().replace(/^ *"log": .*\n/m, ''));
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await owned(place)).toEqual(['d0.example', ...names.slice(3)]);
    expect(await run('state', 'adopt', 'p.yml', '--all')).toMatchObject({status: 0});
    expect(await owned(place)).toEqual(names);
    expect(place.server.writes).toHaveLength(names.length);
  });
});

test('a log without its state file is not taken for nothing', async () => {
  await using place = await cutOff();
  const {folder, run} = place;
  renameSync(join(folder, state), join(folder, 'aside'));
  for (const words of [
    ['plan', 'p.yml'],
    ['apply', 'p.yml', '--yes'],
  ])
    expect(await run(...words)).toMatchObject({
      status: 9,
      stderr: expect.stringContaining('put p.yml.state.json back beside it; to start over, move p.yml.state.json.log away'),
    });
  renameSync(join(folder, 'aside'), join(folder, state));
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(await owned(place)).toEqual(names);
});

test('a log that the state file does not name is removed', async () => {
  await using place = await cutOff();
  const {folder, run} = place;
  copyFileSync(join(folder, log), join(folder, 'old'));
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  const before = place.remembered();
  renameSync(join(folder, 'old'), join(folder, log));
  expect((await run('plan', 'p.yml')).status).toBe(0);
  expect(existsSync(join(folder, log))).toBe(true);
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(existsSync(join(folder, log))).toBe(false);
  expect(place.remembered()).toBe(before);
});

test('a file of that name that is no log is left alone', async () => {
  await using place = await cutOff({made: 0});
  writeFileSync(join(place.folder, log), 'of somebody else\n');
  expect(await place.run('apply', 'p.yml', '--yes')).toMatchObject({
    status: 9,
    stderr: expect.stringContaining('is not the log of a state file'),
  });
  expect(readFileSync(join(place.folder, log), 'utf8')).toBe('of somebody else\n');
  expect(place.server.writes).toEqual([]);
});

test('the log of a state file behind a link is where that file is', async () => {
  await using place = await cutOff({made: 0});
  const {folder, run, start, server} = place;
  mkdirSync(join(folder, 'kept'), {mode: 0o700});
  symlinkSync('kept/state.json', join(folder, state));
  const {child, ended} = start('apply', 'p.yml', '--yes');
  server.stepIn = (when, count) => {
    if (when === 'after' && count === 2) child.kill('SIGKILL');
    return undefined;
  };
  await ended;
  server.stepIn = () => undefined;
  expect(readdirSync(join(folder, 'kept')).filter((name) => !name.endsWith('.lock'))).toEqual(['state.json', 'state.json.log']);
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(readdirSync(join(folder, 'kept'))).toEqual(['state.json']);
  expect(await owned(place)).toEqual(names);
});

test('what a killed run left of the state file goes at once, and nothing else', async () => {
  await using place = await cutOff();
  const {folder, run} = place;
  const own = `.pixelctl-${state}-1-abcdef.temporary`;
  const others = [`.pixelctl-other.state.json-1-abcdef.temporary`, '.pixelctl-p.yml-1-abcdef.temporary'];
  for (const name of [own, ...others]) writeFileSync(join(folder, name), 'private');
  expect(await run('plan', 'p.yml')).toMatchObject({status: 10});
  expect(existsSync(join(folder, own))).toBe(true);
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(filesIn(place)).toEqual([...others, 'p.yml', state].sort());
});

test.skipIf(process.platform === 'win32')(
  'on a full disk nothing is sent that is not noted, and the next apply does the rest',
  async () => {
    const many = Array.from({length: 100}, (_, index) => `d${index}.example`);
    await using place = await cutOff({made: 0, policy: policyOf(many)});
    const {env} = place.server;
    // The log gets too large in the middle of a line.
    const line = `trap '' XFSZ; ulimit -f 24; exec pixelctl apply p.yml --yes --json`;
    const ended = await startShell(line, {env, folder: place.folder}).ended;
    expect(ended).toMatchObject({status: 9, stderr: expect.stringContaining(log)});
    const sent = place.server.writes.length;
    expect(sent).toBeGreaterThan(3);
    expect(sent).toBeLessThan(many.length);
    expect(readFileSync(join(place.folder, log), 'utf8').endsWith('\n')).toBe(false);
    expect(await place.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(place.server.writes).toHaveLength(many.length);
    expect(await owned(place)).toEqual(many.toSorted());
    expect(await place.run('undo', '--yes')).toMatchObject({status: 0});
    expect(await place.blocked()).toEqual([]);
  },
);

describe.skipIf(isSingleFile || isOtherProgram)('killed at any write of a file,', () => {
  /** Has a command killed at each of its writes, in a place of its own, and looks at what comes after. */
  async function atEveryWrite(
    words: readonly string[],
    place: () => Promise<Place>,
    check: (place: Place) => Promise<void>,
  ): Promise<number> {
    const tally = join(newFolder(), 'tally');
    const ran = async ({folder, server: {env}}: Place, at: number) =>
      runChild(words, {folder, env: {...env, ...preloading(killer(at, tally))}});
    {
      await using first = await place();
      expect(await ran(first, 0)).toMatchObject({status: 0});
      await check(first);
    }
    const kills = killsAt(Number(readFileSync(tally, 'utf8')));
    const left = someInTurn(kills, 5).values();
    await Promise.all(
      Array.from({length: 3}, async () => {
        for (const at of left) {
          await using own = await place();
          expect([at, (await ran(own, at)).signal]).toEqual([at, 'SIGKILL']);
          await check(own);
        }
      }),
    );
    return kills.length;
  }

  /** What an apply does that goes on from there, and an undo of all of it. */
  async function finishedAndReverted(place: Place): Promise<void> {
    expect(await place.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(place.server.writes).toHaveLength(names.length);
    expect(await owned(place)).toEqual(names);
    expect(filesIn(place)).toEqual(['p.yml', state]);
    expect(await place.run('undo', '--yes')).toMatchObject({status: 0});
    expect(await place.blocked()).toEqual([]);
  }

  test.each([
    ['an apply', 0],
    ['an apply that goes on from the log of another one', 3],
  ])('%s sends each change once, owns all, and can be reverted', async (_, made) => {
    const writes = await atEveryWrite(['apply', 'p.yml', '--yes'], () => cutOff({made}), finishedAndReverted);
    expect(writes).toBeGreaterThan(names.length - made);
  });

  test('an undo of half an apply is finished by the next one', async () => {
    await atEveryWrite(
      ['undo', '--yes'],
      () => cutOff(),
      async (place) => {
        await place.run('undo', '--yes');
        expect(await place.blocked()).toEqual([]);
        expect(await place.run('undo')).toMatchObject({status: 4});
        expect(await owned(place)).toEqual([]);
        // A log that it does not name may be left: the next apply removes it.
        expect(place.remembered()).not.toContain('"log"');
      },
    );
  });
});
