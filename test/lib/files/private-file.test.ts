import {chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {readPrivate, readUntouched} from '../../../src/lib/files/private-file.js';
import {newFolder} from '../../new-folder.js';

let home: string;
let file: string;
beforeEach(() => {
  home = newFolder();
  file = join(home, 'file');
});

const write = (path: string): void => writeFileSync(path, 'text', {mode: 0o600});

test('reads a file that only its owner can read', async () => {
  write(file);
  expect(await readPrivate(file)).toBe('text');
});

test('returns undefined for a missing file, folder or link target', async () => {
  symlinkSync('nowhere', join(home, 'link'));
  expect(await readPrivate(file)).toBeUndefined();
  expect(await readPrivate(join(home, 'nowhere/file'))).toBeUndefined();
  expect(await readPrivate(join(home, 'link'))).toBeUndefined();
});

test('rejects a folder', async () => {
  mkdirSync(file, {mode: 0o700});
  await expect(readPrivate(file)).rejects.toMatchObject({code: 'EISDIR'});
});

describe.skipIf(process.platform === 'win32')('where files have permissions', () => {
  test.each(['640', '604', '620', '602', '644', '666'])(
    'rejects a file of mode %s, and suggests the command that fixes it',
    async (mode) => {
      write(file);
      chmodSync(file, mode);
      await expect(readPrivate(file)).rejects.toMatchObject({code: 'ENOTPRIVATE', command: ['chmod', '600', file]});
    },
  );

  test.each(['750', '705', '730', '777'])('closes a folder of mode %s', async (mode) => {
    write(file);
    chmodSync(home, mode);
    expect(await readPrivate(file)).toBe('text');
    expect((statSync(home).mode & 0o777).toString(8)).toBe('700');
  });

  test('checks the target of a link', async () => {
    const elsewhere = join(home, 'elsewhere');
    mkdirSync(elsewhere, {mode: 0o700});
    write(join(elsewhere, 'real'));
    symlinkSync('elsewhere/real', file);
    expect(await readPrivate(file)).toBe('text');
    chmodSync(elsewhere, 0o755);
    await expect(readPrivate(file)).rejects.toMatchObject({command: ['chmod', '700', elsewhere]});
    chmodSync(elsewhere, 0o700);
    chmodSync(join(elsewhere, 'real'), 0o644);
    await expect(readPrivate(file)).rejects.toMatchObject({command: ['chmod', '600', join(elsewhere, 'real')]});
  });

  test('rejects a file of another user', async ({skip}) => {
    if (process.geteuid?.() !== 0) skip('only root can give a file away');
    write(file);
    chownSync(file, 4711, 4711);
    await expect(readPrivate(file)).rejects.toMatchObject({message: `${file} belongs to another user`});
    chownSync(file, 0, 0);
    lchownSync(home, 4711, 4711);
    await expect(readPrivate(file)).rejects.toMatchObject({message: `${home} belongs to another user`});
  });

  test.each([['640'], ['664'], ['600'], ['644']])(
    'a file of mode %s, which its group at most can change, is read as untouched',
    async (mode) => {
      write(file);
      chmodSync(file, mode);
      expect((await readUntouched(file))?.toString()).toBe('text');
    },
  );

  test.each([['602'], ['666']])('rejects a file of mode %s, which everybody can change', async (mode) => {
    write(file);
    chmodSync(file, mode);
    await expect(readUntouched(file)).rejects.toMatchObject({code: 'ENOTPRIVATE', command: ['chmod', 'o-w', file]});
  });
});
