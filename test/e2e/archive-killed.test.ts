import {cpSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {SeedState} from '../sandbox/seed.js';
import {changingSandbox, filesIn, itemsOf, linesOf, newArchive, type ChangingSandbox} from './archives.js';
import {run as runInProcess} from './in-process.js';
import {someInTurn} from '../contract/sample.js';
import {killer, killsAt} from './killer.js';
import {isOtherProgram, isSingleFile, newFolder, preloading, run} from './program.js';

const world: SeedState = {
  me: 'ana',
  accounts: [{acct: 'ana'}, {acct: 'bob'}, {acct: 'eve'}],
  mutuals: ['bob', 'eve'],
  conversations: [
    {between: ['ana', 'eve'], messages: [{from: 'eve', text: 'One'}]},
    {
      between: ['ana', 'bob'],
      messages: [
        {from: 'ana', text: 'First'},
        {from: 'bob', text: 'Second', media: ['image/png']},
        {from: 'ana', text: 'Third'},
      ],
    },
  ],
};

/** What is in an archive, without the times of runs. */
function contentOf(archive: string) {
  return itemsOf(archive, 'conversations.ndjson').map(({id, messages, missing, media}) => ({
    id,
    counts: [messages, missing, media],
    lines: linesOf(archive, id, 'messages.ndjson'),
    entries: itemsOf(archive, id, 'index.ndjson').map(({id: own, missing_since: gone, versions, media: files}) => ({
      own,
      isGone: gone !== undefined,
      versions: versions?.map(({message}: {message: object}) => message),
      files,
    })),
    files: filesIn(join(archive, id)),
  }));
}

/** Whether each file is whole: what an archive shows is what some run wrote. */
function isWhole(archive: string): boolean {
  if (!existsSync(archive)) return true;
  return filesIn(archive).every((name) => {
    const text = readFileSync(join(archive, name), 'utf8');
    if (/^(?:\d+\/)?\.|\/\.|\.part-|conversations\.ndjson$/.test(name)) return true;
    if (name.endsWith('.html')) return text.endsWith('</html>\n');
    if (name.endsWith('.ndjson'))
      return text.split('\n').every((line) => line === '' || JSON.parse(line) !== undefined) && /(^|\n)$/.test(text);
    return true;
  });
}

describe.skipIf(isSingleFile || isOtherProgram)('an export that is killed', () => {
  let server: ChangingSandbox;
  /** An archive before messages were sent, edited and deleted. */
  const old = newArchive();
  const env = () => server.env;
  const exportTo = (to: string, ...flags: readonly string[]) => runInProcess(['dm', 'export', '--to', to, ...flags], {env: env()});

  beforeAll(async () => {
    server = await changingSandbox({seed: world});
    await exportTo(old);
    const [{id}] = JSON.parse((await runInProcess(['dm', 'list', '--json'], {env: env()})).stdout).data;
    const [first] = itemsOf(old, id, 'messages.ndjson');
    await runInProcess(['dm', 'delete-message', id, first.id, '--yes'], {env: env()});
    const photo = join(newFolder(), 'a.png');
    writeFileSync(photo, Buffer.from('89504e470d0a1a0a', 'hex'));
    await runInProcess(['dm', 'send', id, 'Fourth', '--media', photo], {env: env()});
    server.change = ({target}, answered) =>
      target.includes('/messages') ? {...answered, text: answered.text.replace('"Third"', '"Third, edited"')} : undefined;
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Every number of writes at which a run can end, and the archive in which it begins. @param next flags of the runs that are not killed */
  async function killedEverywhere(
    begin: (to: string) => void,
    flags: readonly string[] = [],
    look: (to: string) => unknown = contentOf,
    next: readonly string[] = [],
  ) {
    const whole = newArchive();
    begin(whole);
    await exportTo(whole, ...next);
    const expected = look(whole);
    const tally = join(newFolder(), 'tally');
    const archive = newArchive();
    begin(archive);
    await run(['dm', 'export', '--to', archive, ...flags], {env: {...env(), ...preloading(killer(0, tally))}});
    const writes = Number(readFileSync(tally, 'utf8'));
    const killed = async (at: number) => {
      const to = newArchive();
      begin(to);
      const {signal} = await run(['dm', 'export', '--to', to, ...flags], {env: {...env(), ...preloading(killer(at, tally))}});
      const wasWhole = isWhole(to);
      const {status, stderr} = await exportTo(to, ...next);
      expect({at, signal, wasWhole, status, isWarned: stderr.includes('Warning'), content: look(to)}).toEqual({
        at,
        signal: 'SIGKILL',
        wasWhole: true,
        status: 0,
        isWarned: false,
        content: expected,
      });
    };
    const left = someInTurn(killsAt(writes), 3).values();
    await Promise.all(
      Array.from({length: 4}, async () => {
        for (const at of left) await killed(at);
      }),
    );
    return writes;
  }

  test('a first export that is killed at any write is finished by the next one, and nothing is lost', async () => {
    expect(await killedEverywhere(() => {})).toBeGreaterThan(20);
  });

  test('an export that is killed while it adds what changed is finished by the next one', async () => {
    expect(await killedEverywhere((to) => cpSync(old, to, {recursive: true}))).toBeGreaterThan(20);
  });

  test.each([[['--new-only']], [['--since', '2099-01-01']]])(
    'an export with %s that is killed hides nothing from the next one',
    async (flags) => {
      expect(await killedEverywhere((to) => cpSync(old, to, {recursive: true}), flags)).toBeGreaterThan(20);
    },
  );
});
