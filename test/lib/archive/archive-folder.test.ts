/** The folder of an account: what it may be, and that one account at a time takes it. */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import promises from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import {join} from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {openArchive} from '../../../src/lib/archive/archive-folder.js';
import {newFolder} from '../../new-folder.js';

let folder: string;
beforeEach(() => void (folder = newFolder()));

const ana = {server: 'https://pix.example', account: {id: '1', acct: 'ana'}};
const bob = {server: 'https://pix.example', account: {id: '2', acct: 'bob'}};

test('a file is no folder, and is left as it is', async () => {
  const to = join(folder, 'archive');
  writeFileSync(to, 'mine');
  await expect(openArchive(to, ana)).rejects.toMatchObject({
    code: 'local',
    message: `Cannot use the folder ${to}: part of the path is not a folder`,
  });
  expect(readFileSync(to, 'utf8')).toBe('mine');
});

test('a folder that another account takes meanwhile is refused, and can be used by that one', async () => {
  const {link} = promises;
  vi.spyOn(promises, 'link').mockImplementationOnce(async (from, to) => {
    writeFileSync(join(folder, 'archive.json'), JSON.stringify({archive: 1, ...bob}));
    return link(from, to);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  await expect(openArchive(folder, ana)).rejects.toMatchObject({
    code: 'usage',
    message: `${folder} is the archive of @bob on pix.example, not of @ana on pix.example: nothing was sent`,
  });
  expect(readdirSync(folder)).toEqual(['archive.json']);
  using _opened = await openArchive(folder, bob);
});
