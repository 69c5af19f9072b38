import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {makeFolder} from '../../../src/lib/files/folder.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pixelctl-folder-'));
});
afterEach(() => rmSync(home, {recursive: true, force: true}));

test('a folder that exists is left as it is', async () => {
  mkdirSync(join(home, 'a'));
  await makeFolder(join(home, 'a'));
});

test('fails below a dangling link', async () => {
  symlinkSync(join(home, 'unmounted/disk'), join(home, 'link'));
  for (const below of ['a', 'a/b/c']) await expect(makeFolder(join(home, 'link', below))).rejects.toMatchObject({code: 'ENOENT'});
});

test('fails below /proc', async ({skip}) => {
  if (process.platform !== 'linux') skip('there is no /proc here');
  await expect(makeFolder('/proc/pixelctl/a/b')).rejects.toMatchObject({code: 'ENOENT'});
});

test('fails below a file', async () => {
  writeFileSync(join(home, 'file'), '');
  await expect(makeFolder(join(home, 'file/a'))).rejects.toMatchObject({code: 'ENOTDIR'});
  await expect(makeFolder('/dev/null/a/b')).rejects.toMatchObject({code: 'ENOTDIR'});
});
