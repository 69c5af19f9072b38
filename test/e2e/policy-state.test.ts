/** What an apply notes in the state, and what the next command makes of it. */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {killer, killsAt} from './killer.js';
import {deskAt, killAt, watchedSandbox, type Desk, type WatchedSandbox} from './policy-server.js';
import {isOtherProgram, isSingleFile, newFolder, preloading, run as runChild, startShell} from './program.js';
import {someInTurn} from '../contract/sample.js';

const names = Array.from({length: 6}, (_, index) => `d${index}.example`);
const policyOf = (domains: readonly string[]) => `version: 1\ndomain_blocks: {must: [${domains.join(', ')}]}\n`;

interface Place extends Desk, AsyncDisposable {
  readonly server: WatchedSandbox;
  readonly blocked: () => Promise<readonly string[]>;
  /** The path of the state. */
  readonly state: () => string;
}

/** Somebody whose apply of six domains was killed when the server had made some. */
async function cutOff({made = 3, policy = policyOf(names)}: {readonly made?: number; readonly policy?: string} = {}): Promise<Place> {
  const server = await watchedSandbox({seed: 'empty'});
  const desk = deskAt(server, {'p.yml': policy});
  if (made > 0) {
    await killAt(server, desk.start('apply', 'p.yml', '--yes'), {moment: 'after', step: made});
  }
  return {
    ...desk,
    server,
    blocked: async () => JSON.parse((await desk.run('domain-blocks', 'list', '--all', '--json')).stdout),
    state: () => join(desk.folder, `p.yml.ana@${encodeURIComponent(new URL(server.url).host)}.state.ndjson`),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const owned = async ({run}: Place) => JSON.parse((await run('state', 'list', 'p.yml', '--jq', '[.[].subject]')).stdout);
/** Without locks: those of processes that are gone do not count. */
const filesIn = ({folder}: Place) =>
  readdirSync(folder)
    .filter((name) => !/\.lock(?:-.*\.temporary)?$/.test(name))
    .sort();

test('a killed apply leaves its state open, which commands that only read take in and leave', async () => {
  await using place = await cutOff();
  const {run} = place;
  const before = readFileSync(place.state(), 'utf8');
  expect(before.split('\n').map((line) => (line === '' ? undefined : Object.keys(JSON.parse(line))[0]))).toEqual([
    'pixelctl_state',
    'run',
    'try',
    'done',
    'try',
    'done',
    'try',
    undefined,
  ]);
  expect(await owned(place)).toEqual(names.slice(0, 2));
  // The third one was sent, and what became of it is on the server.
  expect(JSON.parse((await run('plan', 'p.yml', '--jq', '[.changes[].subject]')).stdout)).toEqual(names.slice(3));
  for (const words of [
    ['audit', 'p.yml'],
    ['apply', 'p.yml', '--dry-run'],
    ['undo', 'p.yml', '--dry-run'],
  ])
    expect((await run(...words)).status).toBeLessThanOrEqual(10);
  expect(readFileSync(place.state(), 'utf8')).toBe(before);
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(await owned(place)).toEqual(names);
  expect(place.server.writes).toHaveLength(names.length);
});

test.each([
  [['state', 'forget', 'p.yml', 'd0.example'], ['d1.example'], 3],
  [['state', 'adopt', 'p.yml', '--all'], names.slice(0, 3), 3],
  [['undo', 'p.yml', '--yes'], [], 0],
])('after a killed apply, %j goes on from what it did', async (words, left, blocked) => {
  await using place = await cutOff();
  expect(await place.run(...words)).toMatchObject({status: 0});
  expect(await owned(place)).toEqual(left);
  expect(await place.blocked()).toHaveLength(blocked);
});

test('a state whose last line was cut says all but that line', async () => {
  await using place = await cutOff();
  writeFileSync(place.state(), readFileSync(place.state(), 'utf8').slice(0, -20));
  expect(await place.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  // Whether the third one was sent is not noted any more: it is left to whoever blocked it.
  expect(await owned(place)).toEqual(names.filter((name) => name !== 'd2.example'));
  expect(place.server.writes).toHaveLength(names.length);
});

test('a damaged state is refused by all that write, and its hint leads on', async () => {
  await using place = await cutOff();
  const {run, server} = place;
  const text = readFileSync(place.state(), 'utf8');
  writeFileSync(place.state(), text.replace('d1.example', 'd9.example'));
  for (const words of [
    ['apply', 'p.yml', '--yes'],
    ['undo', 'p.yml', '--yes'],
    ['state', 'list', 'p.yml'],
    ['state', 'forget', 'p.yml', '--all'],
  ])
    expect([words, await run(...words)]).toMatchObject([words, {status: 9, stderr: expect.stringContaining('is damaged in line 5')}]);
  for (const command of ['plan', 'audit']) {
    const {status, stdout, stderr} = await run(command, 'p.yml', '--json');
    expect([status, stderr.includes('is damaged in line 5'), 'digest' in JSON.parse(stdout)]).toEqual([10, true, false]);
  }
  expect(server.writes).toHaveLength(3);
  expect((await run('apply', 'p.yml', '--yes')).stderr).toMatch(/`mv \S+ \S+\.damaged`, then `pixelctl state adopt/);
  writeFileSync(place.state(), text);
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(await owned(place)).toEqual(names);
});

test('a file that is no state is left alone', async () => {
  await using place = await cutOff({made: 0});
  writeFileSync(place.state(), 'of somebody else\n');
  expect(await place.run('apply', 'p.yml', '--yes')).toMatchObject({status: 9, stderr: expect.stringContaining('is damaged in line 1')});
  expect(readFileSync(place.state(), 'utf8')).toBe('of somebody else\n');
  expect(place.server.writes).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'on a full disk nothing is sent that is not noted, and the next apply does the rest',
  async () => {
    const many = Array.from({length: 100}, (_, index) => `d${index}.example`);
    await using place = await cutOff({made: 0, policy: policyOf(many)});
    const {env} = place.server;
    // The state gets too large in the middle of a line.
    const line = `trap '' XFSZ; ulimit -f 24; exec pixelctl apply p.yml --yes --json`;
    const ended = await startShell(line, {env, folder: place.folder}).ended;
    expect(ended).toMatchObject({status: 9, stderr: expect.stringContaining('.state.ndjson')});
    const sent = place.server.writes.length;
    expect(sent).toBeGreaterThan(3);
    expect(sent).toBeLessThan(many.length);
    expect(readFileSync(place.state(), 'utf8').endsWith('\n')).toBe(false);
    expect(await place.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(place.server.writes).toHaveLength(many.length);
    expect(await owned(place)).toEqual(many.toSorted());
    expect(await place.run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
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
    const left = someInTurn(kills, 2).values();
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
    expect(filesIn(place)).toEqual(['p.yml', basename(place.state())]);
    expect(await place.run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await place.blocked()).toEqual([]);
  }

  test.each([
    ['an apply', 0],
    ['an apply that goes on from another one', 3],
  ])('%s sends each change once, owns all, and can be reverted', async (_, made) => {
    const writes = await atEveryWrite(['apply', 'p.yml', '--yes'], () => cutOff({made}), finishedAndReverted);
    expect(writes).toBeGreaterThan(names.length - made);
  });

  test('an undo of half an apply is finished by the next one', async () => {
    await atEveryWrite(
      ['undo', 'p.yml', '--yes'],
      () => cutOff(),
      async (place) => {
        await place.run('undo', 'p.yml', '--yes');
        expect(await place.blocked()).toEqual([]);
        expect(await place.run('undo', 'p.yml')).toMatchObject({status: 0, stderr: expect.stringContaining('Nothing to undo')});
        expect(await owned(place)).toEqual([]);
      },
    );
  });
});
