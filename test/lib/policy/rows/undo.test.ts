/** What an undo is of: a policy, or the folder of a backup. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {undo} from '../../../../src/lib/policy/rows/undo.js';
import {newFolder} from '../../../e2e/program.js';

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
  ['-', 'A policy from standard input has no state beside it'],
  [join(folder, 'q.yml'), 'There is no policy'],
  [join(backup, 'lists', '2026-11-20T120000Z'), 'is a part of a backup'],
])('an undo of %s is refused', async (name, message) => {
  await expect(undo(name, undefined)).rejects.toMatchObject({code: 'usage', message: expect.stringContaining(message)});
});

test('an undo of a policy that is gone takes its state', async () => {
  const gone = join(folder, 'gone.yml');
  writeFileSync(join(folder, 'gone.yml.ana@pix.example.state.ndjson'), '');
  expect((await undo(gone, undefined)).setting.done).toBe('Reverted');
});
