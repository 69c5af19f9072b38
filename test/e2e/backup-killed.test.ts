import {cpSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {filesIn, linesOf} from './archives.js';
import {datesOf, latestOf, listsOf, newBackup, noLists, people, policyOf, serverWith, type Lists} from './backups.js';
import {someInTurn} from '../contract/sample.js';
import {killer, killsAt} from './killer.js';
import {isOtherProgram, isSingleFile, newFolder, preloading, run} from './program.js';

const lists: Lists = {
  blocks: ['bob'],
  mutes: ['troll@spam.example'],
  domainBlocks: ['bad.example'],
  filters: [{title: 'Ads', context: ['home'], keywords: [{keyword: 'buy'}]}],
};

const conversations = [{between: ['ana', 'bob'], accepted: true, messages: [{from: 'ana', text: 'First'}]}];

/** Whether each file is whole. */
function isWhole(folder: string): boolean {
  return filesIn(folder).every((name) => {
    if (/(?:^|\/)\./.test(name) || name.startsWith('messages')) return true;
    const text = readFileSync(join(folder, name), 'utf8');
    return name.endsWith('.json') ? JSON.parse(text) !== undefined : text.endsWith('\n');
  });
}

/** Does it with each write as the last one. */
async function atEveryWrite(
  args: (at: number) => Promise<{words: readonly string[]; env: Readonly<Record<string, string>>; check: () => Promise<void>}>,
  status = 0,
) {
  const tally = join(newFolder(), 'tally');
  const first = await args(0);
  expect(await run(first.words, {env: {...first.env, ...preloading(killer(0, tally))}})).toMatchObject({status});
  await first.check();
  const kills = killsAt(Number(readFileSync(tally, 'utf8')));
  const killed = async (at: number) => {
    const {words, env, check} = await args(at);
    const {signal} = await run(words, {env: {...env, ...preloading(killer(at, tally))}});
    expect({at, signal}).toEqual({at, signal: 'SIGKILL'});
    await check();
  };
  const left = someInTurn(kills, 3).values();
  await Promise.all(
    Array.from({length: 4}, async () => {
      for (const at of left) await killed(at);
    }),
  );
  return kills.length;
}

describe.skipIf(isSingleFile || isOtherProgram)('killed at any write,', () => {
  test('a backup is finished by the next one, and every file is whole', async () => {
    await using place = await serverWith(people, {...lists, conversations});
    const env = {PIXELCTL_SERVER: place.sandbox.url, PIXELCTL_TOKEN: place.sandbox.tokens.all};
    const expected = await listsOf(place);
    const writes = await atEveryWrite(async () => {
      const to = newBackup();
      const words = ['backup', '--to', to];
      return {
        words,
        env,
        async check() {
          expect(isWhole(to)).toBe(true);
          expect(await place.run(...words)).toMatchObject({status: 0});
          expect(policyOf(to)).toBe(expected);
          const [folder = ''] = filesIn(join(to, 'messages')).flatMap((name) => /^(\d+)\/messages/.exec(name)?.[1] ?? []);
          expect(linesOf(to, 'messages', folder, 'messages.ndjson')).toHaveLength(1);
        },
      };
    });
    expect(writes).toBeGreaterThan(20);
  });

  test.each([[[]], [['--accept-loss']]])(
    'a backup %s that finds less leaves lists that are whole, and counts what was accepted',
    async (flags) => {
      await using place = await serverWith(people, {...lists, domainBlocks: ['bad.example', 'worse.example']});
      const base = newBackup();
      await place.run('backup', '--to', base, '--no-messages');
      const first = latestOf(base);
      await place.run('domain-blocks', 'remove', 'bad.example', 'worse.example');
      if (flags.length > 0) expect(await place.run('backup', '--to', base, '--no-messages')).toMatchObject({status: 10});
      const env = {PIXELCTL_SERVER: place.sandbox.url, PIXELCTL_TOKEN: place.sandbox.tokens.all};
      const writes = await atEveryWrite(
        async () => {
          const to = newBackup();
          cpSync(base, to, {recursive: true});
          const words = ['backup', '--to', to, '--no-messages', ...flags];
          return {
            words,
            env,
            async check() {
              expect(await place.run('backup', '--to', to, '--verify')).toMatchObject({status: 0});
              const isAccepted = latestOf(to) !== first;
              expect(isAccepted).toBe(flags.length > 0 && isAccepted);
              expect(await place.run('backup', '--to', to, '--no-messages')).toMatchObject({status: isAccepted ? 0 : 10});
              expect(await place.run('backup', '--to', to, '--no-messages', '--accept-loss')).toMatchObject({status: 0});
              expect(datesOf(to)).toEqual([first, latestOf(to)]);
              expect(readdirSync(join(to, 'lists')).toSorted()).toEqual(datesOf(to));
              expect(policyOf(to)).toContain('domain_blocks:\n  must: []');
            },
          };
        },
        flags.length > 0 ? 0 : 10,
      );
      expect(writes).toBeGreaterThan(flags.length > 0 ? 2 : 10);
    },
  );

  test('a restore is finished by the next one, and taken back as one', async () => {
    await using source = await serverWith(people, lists);
    const kept = newBackup();
    await source.run('backup', '--to', kept, '--no-messages');
    const writes = await atEveryWrite(async () => {
      const to = newBackup();
      await source.run('backup', '--to', to, '--no-messages');
      const other = await serverWith(['zoe', `bob@${source.host}`, 'troll@spam.example'], noLists);
      onTestFinished(() => other[Symbol.asyncDispose]());
      const before = await listsOf(other);
      return {
        words: ['restore', to, '--yes'],
        env: {PIXELCTL_SERVER: other.sandbox.url, PIXELCTL_TOKEN: other.sandbox.tokens.all},
        async check() {
          expect(await other.run('restore', to, '--yes')).toMatchObject({status: 0});
          expect(await listsOf(other)).toBe(policyOf(kept));
          expect(await other.run('undo', to, '--yes')).toMatchObject({status: 0});
          expect(await listsOf(other)).toBe(before);
        },
      };
    });
    expect(writes).toBeGreaterThan(10);
  });
});
