import {mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {isGeneration, momentOf, nameAt, readGeneration, writeGeneration} from '../../../src/lib/backup/generation.js';
import {Generations} from '../../../src/lib/backup/generations.js';

const newFolder = () => mkdtempSync(join(tmpdir(), 'pixelctl-backup-'));

const day = 86_400_000;
const now = new Date('2026-11-23T04:10:05.678Z');

/** A backup with generations of these ages. */
async function backupWith(all: readonly {readonly days: number; readonly accepted?: boolean}[]) {
  const backup = newFolder();
  const lists = join(backup, 'lists');
  mkdirSync(lists);
  const names: string[] = [];
  for (const {days, accepted = true} of all) {
    const name = nameAt(new Date(now.getTime() - days * day));
    if (names.includes(name)) continue;
    await writeGeneration(lists, name, {accepted, lists: {}, files: new Map([['blocks.json', '[]\n']])});
    names.push(name);
  }
  return {backup, lists, names: names.sort(), there: () => readdirSync(lists).filter(isGeneration).sort()};
}

describe('the name of a generation', () => {
  test('is its time, to the second', () => {
    expect(nameAt(now)).toBe('2026-11-23T041005Z');
    expect(momentOf('2026-11-23T041005Z')).toEqual(new Date('2026-11-23T04:10:05Z'));
  });

  test.each(['', 'latest', '2026-11-23', '2026-02-30T000000Z', '2026-11-23T04:10:05Z', '2026-11-23T041005Z.bak', '.2026-11-23T041005Z'])(
    '"%s" is none',
    (name) => expect(isGeneration(name)).toBe(false),
  );

  test.each([
    ['in the same second', [0], '2026-11-23T041006Z'],
    ['after a clock that went back', [-2], '2026-11-25T041006Z'],
    ['a day later', [1], '2026-11-23T041005Z'],
  ])('%s is later than all before', async (_, days, expected) => {
    const {backup} = await backupWith(days.map((one) => ({days: one})));
    expect(await (await Generations.in(backup)).nextName(now)).toBe(expected);
  });

  test.each([
    ['a file has it', (lists: string) => writeFileSync(join(lists, '2026-11-23T041005Z'), '')],
    [
      'only latest has it, because somebody removed the folder',
      (lists: string) => writeFileSync(join(lists, 'latest'), '2026-11-23T041005Z\n'),
    ],
  ])('is not used twice where %s', async (_, use) => {
    const {backup, lists} = await backupWith([]);
    use(lists);
    expect(await (await Generations.in(backup)).nextName(now)).toBe('2026-11-23T041006Z');
  });

  test('does not go beyond what a name can say', async () => {
    const {backup, lists} = await backupWith([]);
    writeFileSync(join(lists, 'latest'), '9999-12-31T235959Z\n');
    await expect((await Generations.in(backup)).nextName(now)).rejects.toMatchObject({code: 'local'});
  });
});

describe('what is kept', () => {
  test('is all of the last days, one a month before, the latest one and what is newer', async () => {
    const one = fc.record({days: fc.integer({min: -3, max: 400}), accepted: fc.boolean()});
    await fc.assert(
      fc.asyncProperty(
        fc.array(one, {minLength: 1, maxLength: 14}),
        fc.nat(13),
        fc.integer({min: 0, max: 60}),
        async (all, index, days) => {
          const {backup, names, there} = await backupWith(all);
          const latest = names[index % names.length] ?? '';
          const generations = await Generations.in(backup);
          const accepted = new Set<string>();
          for (const name of names) if ((await generations.read(name)).kept?.accepted) accepted.add(name);
          const {removed, warnings} = await generations.prune(latest, days, now);
          const kept = there();
          expect(warnings).toEqual([]);
          expect([...kept, ...removed].sort()).toEqual(names);
          for (const name of removed) {
            expect(name < latest).toBe(true);
            expect(now.getTime() - (momentOf(name)?.getTime() ?? 0)).toBeGreaterThan(days * day);
            // Of its month a better one is left: accepted, unless none was, and as late as there is.
            const rest = kept.filter((one) => one.slice(0, 7) === name.slice(0, 7));
            expect(rest.some((one) => accepted.has(one) || (!accepted.has(name) && one > name))).toBe(true);
          }
          const old = kept.filter((name) => name < latest && now.getTime() - (momentOf(name)?.getTime() ?? 0) > days * day);
          expect(new Set(old.map((name) => name.slice(0, 7))).size).toBe(old.length);
        },
      ),
      {numRuns: 60},
    );
  });

  const month = [{days: 100}, {days: 101}, {days: 102}, {days: 0}];

  test.each<[string, (folder: string) => void]>([
    ['holds other files', (folder) => writeFileSync(join(folder, 'notes.txt'), 'mine')],
    ['holds a folder', (folder) => mkdirSync(join(folder, 'mine'))],
    ['holds a link', (folder) => symlinkSync('/etc', join(folder, 'etc'))],
    ['has a file that was cut', (folder) => writeFileSync(join(folder, 'blocks.json'), '[')],
    ['has a file that was emptied', (folder) => writeFileSync(join(folder, 'blocks.json'), '')],
    ['says nothing about itself', (folder) => renameSync(join(folder, 'kept.json'), join(folder, 'kept.old'))],
    ['is of another version', (folder) => writeFileSync(join(folder, 'kept.json'), '{"generation": 2}')],
    ['names files elsewhere', (folder) => edit(folder, (text) => text.replace('"blocks.json"', '"../latest"'))],
  ])('includes what %s, and is told', async (_, change) => {
    const {backup, lists, names, there} = await backupWith(month);
    const [odd = '', other = '', newest = '', latest = ''] = names;
    change(join(lists, odd));
    writeFileSync(join(lists, 'latest'), `${latest}\n`);
    const before = readdirSync(join(lists, odd));
    const {removed, warnings} = await (await Generations.in(backup)).prune(latest, 30, now);
    expect(removed).toEqual([other]);
    expect(warnings).toEqual([expect.stringContaining(`${join(lists, odd)} is not removed: `)]);
    expect(there()).toEqual([odd, newest, latest]);
    expect(readdirSync(join(lists, odd))).toEqual(before);
    expect(readFileSync(join(lists, 'latest'), 'utf8')).toBe(`${latest}\n`);
  });

  test('includes what has another name', async () => {
    const {backup, lists, names} = await backupWith(month);
    const [oldest = '', , , latest = ''] = names;
    for (const name of [`${oldest}.bak`, 'mine', '2026-08-15', '.git']) mkdirSync(join(lists, name));
    writeFileSync(join(lists, '2026-08-12T041005Z'), 'a file');
    await (await Generations.in(backup)).prune(latest, 30, now);
    expect(readdirSync(lists)).toEqual(expect.arrayContaining([`${oldest}.bak`, 'mine', '2026-08-15', '.git', '2026-08-12T041005Z']));
  });

  test('includes what cannot be removed, and is told', async () => {
    const {backup, lists, names, there} = await backupWith(month);
    const [oldest = '', , , latest = ''] = names;
    mkdirSync(join(lists, `.${oldest}.temporary`, 'in', 'the way'), {recursive: true});
    const generations = await Generations.in(backup);
    expect(await generations.clear()).toEqual([expect.stringContaining(`Cannot remove ${join(lists, `.${oldest}.temporary`)}: `)]);
    const {warnings} = await generations.prune(latest, 30, now);
    expect(warnings).toEqual([expect.stringContaining(`Cannot remove old lists from ${lists}: `)]);
    expect(there()).toContain(oldest);
  });
});

const edit = (folder: string, change: (text: string) => string) =>
  writeFileSync(join(folder, 'kept.json'), change(readFileSync(join(folder, 'kept.json'), 'utf8')));

test('what a killed run left is removed by the next one', async () => {
  const {backup, lists, names, there} = await backupWith([{days: 1}, {days: 0}]);
  const [removing = '', written = ''] = names;
  renameSync(join(lists, removing), join(lists, `.${removing}.temporary`));
  const generations = await Generations.in(backup);
  expect(await generations.clear()).toEqual([]);
  expect(readdirSync(lists)).toEqual([written]);
  expect(there()).toEqual([written]);
});

test('a generation is read as it was written, or what is wrong is told', async () => {
  const text = fc.string({unit: 'binary', maxLength: 40}).map((one) => one.toWellFormed());
  await fc.assert(
    fc.asyncProperty(text, text, fc.nat(100), async (blocks, policy, cut) => {
      const lists = newFolder();
      const files = new Map([
        ['blocks.json', blocks],
        ['policy.yml', policy],
      ]);
      const content = {accepted: true, lists: {blocks: {items: 1, read: '2026-11-23T041005Z'}}, files};
      await writeGeneration(lists, '2026-11-23T041005Z', content);
      const read = await readGeneration(lists, '2026-11-23T041005Z');
      expect(read).toMatchObject({damage: [], others: [], kept: {accepted: true, lists: content.lists}});
      expect(read.files).toEqual(files);
      const bytes = Buffer.from(blocks);
      if (bytes.length === 0) return;
      writeFileSync(join(lists, '2026-11-23T041005Z', 'blocks.json'), bytes.subarray(0, cut % bytes.length));
      const damaged = await readGeneration(lists, '2026-11-23T041005Z');
      expect(damaged.damage).toEqual(['blocks.json: it differs from what was written']);
      expect(damaged.files).toEqual(new Map([['policy.yml', policy]]));
    }),
    {numRuns: 30},
  );
});
