/** What an undo is of: a policy, or the folder of a backup. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Value} from '../../../../src/lib/policy/model/value.js';
import {filters} from '../../../../src/lib/policy/sections/filter-section.js';
import {prepareUndo, undo} from '../../../../src/lib/policy/rows/undo.js';
import {newFolder} from '../../../new-folder.js';
import {having, type Items, numbered} from '../compared.js';
import {World} from '../world.js';

const folder = newFolder();
const [policy, backup, state] = [join(folder, 'p.yml'), join(folder, 'kept'), join(folder, 's.ndjson')];
for (const file of [policy, state]) writeFileSync(file, '');
mkdirSync(join(backup, 'lists', '2026-11-20T120000Z'), {recursive: true});

test.each([
  [policy, undefined, 'apply', policy],
  [backup, undefined, 'restore', join(backup, 'restore')],
  ['-', state, 'apply', '-'],
])('an undo of %s with the state %s takes back the last %s', async (name, chosen, verb, file) => {
  const {setting} = await undo(name, chosen);
  expect([setting.what, setting.given.policy.file]).toEqual([`Undo the last ${verb} of ${name}`, file]);
});

test.each([
  ['-', undefined, 'A policy from standard input has no state beside it'],
  [join(folder, 'q.yml'), undefined, 'There is no policy'],
  [join(folder, 'q.yml'), join(folder, 'none.ndjson'), 'There is no policy'],
  [join(backup, 'lists', '2026-11-20T120000Z'), undefined, 'is a part of a backup'],
])('an undo of %s with the state %s is refused', async (name, chosen, message) => {
  await expect(undo(name, chosen)).rejects.toMatchObject({code: 'usage', message: expect.stringContaining(message)});
});

test('an undo of a policy that is gone takes its state', async () => {
  const gone = join(folder, 'gone.yml');
  writeFileSync(join(folder, 'gone.yml.ana@pix.example.state.ndjson'), '');
  expect((await undo(gone, undefined)).setting.done).toBe('Reverted');
});

const words = (keyword: string): Value => ({context: ['home'], action: 'warn', expires: 'never', keywords: [{keyword, whole_word: true}]});
const forbidsAds = 'filters: {must_not: [Ads]}';
const held = 'Kept: filter Ads: made again by hand, and it stays so';

test.each<[rules: string, before: Value | null, there: Items, rows: readonly string[], told: readonly string[]]>([
  ['mutes: {must: [bo]}', null, {mutes: ['bo@pix.example']}, ['remove bo@pix.example'], []],
  [
    `domain_blocks: {must: [${numbered(5).join(', ')}]}`,
    null,
    {domain_blocks: numbered(5)},
    numbered(5).map((name) => `remove ${name}`),
    ['d0.example, d1.example, d2.example and 2 more: follows ended in both directions, and are not restored'],
  ],
  ['domain_blocks: {must: [a.example]}', null, {}, [], ['Nothing was undone: pix.example shows nothing of what the apply of 1 made.']],
  ['mutes: {must: [bo]}', null, {mutes: ['eve@far.example']}, [], ['Nothing to undo: what the apply of 1 changed is already as it was.']],
  [forbidsAds, words('a'), {}, ['add Ads'], []],
  [
    forbidsAds,
    words('a'),
    {filters: {Ads: words('b')}},
    [],
    [held, 'Nothing was undone: everything that the apply of 1 changed has been changed again, or has expired.'],
  ],
])('an undo of %s, with %j before and %j by now, does %j and says %j', async (rules, before, there, rows, told) => {
  const world = new World();
  if (before !== null) world.set(filters, 'Ads', before);
  await world.apply(`version: 1\n${rules}`);
  const undone = await prepareUndo({name: 'p.yml', file: 'p.yml', verb: 'apply'}, world.files, having(there));
  expect(undone.rows.map(({action, name}) => `${action} ${name}`)).toEqual(rows);
  const nothing = rows.length === 0 ? [String(undone.nothing).replace(/(?<=apply of )\S+/, '1')] : [];
  expect([...undone.notes, ...nothing]).toEqual(told);
  // What could not be set back at all can still be taken back.
  expect(undone.touched).toHaveLength(nothing[0]?.startsWith('Nothing was') === true ? 0 : 1);
});
