import {execFileSync} from 'node:child_process';
import {
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {closeTree} from '../../../src/lib/files/closed-tree.js';
import {makeFolder} from '../../../src/lib/files/folder.js';
import {readText} from '../../../src/lib/files/read-file.js';
import {openToWrite, writeWhole, type WayToWrite} from '../../../src/lib/files/whole-file.js';
import {newFolder} from '../../new-folder.js';

let home: string;
let file: string;
beforeEach(() => {
  home = newFolder();
  file = join(home, 'file');
});

const ways: readonly WayToWrite[] = ['append', 'new', 'replace'];

async function write(path: string, way: WayToWrite, text = 'text'): Promise<void> {
  await using opened = await openToWrite(path, way);
  await opened.write(text);
}

test.each(ways)('%s makes a file for its owner alone, whatever the umask', async (way) => {
  const before = process.umask(0o277);
  await write(file, way).finally(() => process.umask(before));
  expect(readFileSync(file, 'utf8')).toBe('text');
  if (process.platform !== 'win32') expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
});

test('of a file that is there, new leaves everything, append the beginning, replace nothing', async () => {
  writeFileSync(file, 'before, ');
  await expect(write(file, 'new')).rejects.toMatchObject({code: 'EEXIST'});
  expect(readFileSync(file, 'utf8')).toBe('before, ');
  await write(file, 'append');
  expect(readFileSync(file, 'utf8')).toBe('before, text');
  await write(file, 'replace');
  expect(readFileSync(file, 'utf8')).toBe('text');
});

test('two that begin to append at once both do', async () => {
  await Promise.all([write(file, 'append', 'one\n'), write(file, 'append', 'two\n')]);
  expect(readFileSync(file, 'utf8').split('\n').toSorted()).toEqual(['', 'one', 'two']);
});

test('under its other names a file stays what it is', async () => {
  for (const way of ['append', 'replace'] as const) {
    writeFileSync(file, 'mine');
    linkSync(file, join(home, way));
    await write(file, way);
    expect(readFileSync(join(home, way), 'utf8')).toBe('mine');
    expect(readFileSync(file, 'utf8')).toBe(way === 'append' ? 'minetext' : 'text');
  }
  expect(readdirSync(home).toSorted()).toEqual(['append', 'file', 'replace']);
});

test.each(ways)('%s refuses a folder', async (way) => {
  mkdirSync(file);
  await expect(write(file, way)).rejects.toMatchObject({code: way === 'new' ? 'EEXIST' : 'EISDIR'});
});

describe.skipIf(process.platform === 'win32')('where there are links and pipes', () => {
  test.each(ways)('%s follows no link, wherever it leads, and waits for no pipe', async (way) => {
    writeFileSync(join(home, 'mine'), 'mine');
    symlinkSync('mine', join(home, 'link'));
    symlinkSync('nothing', join(home, 'dangling'));
    symlinkSync('round', join(home, 'round'));
    execFileSync('mkfifo', [join(home, 'pipe')]);
    for (const name of ['link', 'dangling', 'round', 'pipe'])
      await expect(write(join(home, name), way), name).rejects.toMatchObject({code: way === 'new' ? 'EEXIST' : 'ENOTFILE'});
    expect(readFileSync(join(home, 'mine'), 'utf8')).toBe('mine');
    expect(readdirSync(home)).not.toContain('nothing');
  });

  test('append refuses the file of another user, and replace puts an own one in its place', async ({skip}) => {
    if (process.geteuid?.() !== 0) skip('only root can give a file away');
    writeFileSync(file, 'theirs');
    chownSync(file, 4711, 4711);
    await expect(write(file, 'append')).rejects.toMatchObject({code: 'ENOTPRIVATE'});
    expect(readFileSync(file, 'utf8')).toBe('theirs');
    await write(file, 'replace');
    expect([readFileSync(file, 'utf8'), statSync(file).uid]).toEqual(['text', 0]);
  });

  describe('in a folder that is closed to links', () => {
    /** `tree` is closed. In it `link` is a folder outside, and `file` a file outside. */
    function closed(): Disposable {
      mkdirSync(join(home, 'tree/deep'), {recursive: true});
      mkdirSync(join(home, 'outside'));
      writeFileSync(join(home, 'outside/file'), 'mine');
      symlinkSync('../outside', join(home, 'tree/link'));
      symlinkSync('../outside/file', join(home, 'tree/file'));
      return closeTree(join(home, 'tree'));
    }
    const paths = ['tree/link/file', 'tree/link/new', 'tree/file', 'tree/link/a/b'];

    test.each(paths)('%s is neither written, nor read, nor made', async (name) => {
      using _ = closed();
      const path = join(home, name);
      const refused = {code: 'ENOTFILE', message: `${join(home, name.split('/').slice(0, 2).join('/'))} is a symbolic link`};
      for (const way of ways) await expect(write(path, way)).rejects.toMatchObject(refused);
      await expect(writeWhole(path, 'text')).rejects.toMatchObject(refused);
      await expect(readText(path)).rejects.toMatchObject(refused);
      await expect(makeFolder(path)).rejects.toMatchObject(refused);
      expect(readdirSync(join(home, 'outside'))).toEqual(['file']);
      expect(readFileSync(join(home, 'outside/file'), 'utf8')).toBe('mine');
    });

    test('what is not behind a link is written and read', async () => {
      using _ = closed();
      await writeWhole(join(home, 'tree/deep/a'), 'one');
      await makeFolder(join(home, 'tree/deep/b'));
      expect(await readText(join(home, 'tree/deep/a'))).toBe('one');
    });

    test('the folder itself may be behind a link, which its user made', async () => {
      using _ = closed();
      symlinkSync('tree', join(home, 'shortcut'));
      using _shortcut = closeTree(join(home, 'shortcut'));
      await writeWhole(join(home, 'shortcut/deep/a'), 'one');
      await expect(writeWhole(join(home, 'shortcut/file'), 'one')).rejects.toMatchObject({code: 'ENOTFILE'});
    });

    test('afterwards, and elsewhere, links are those of people, and followed', async () => {
      {
        using _ = closed();
        symlinkSync('outside/file', join(home, 'settings'));
        await writeWhole(join(home, 'settings'), 'new');
        expect([readFileSync(join(home, 'outside/file'), 'utf8'), readlinkSync(join(home, 'settings'))]).toEqual(['new', 'outside/file']);
      }
      await writeWhole(join(home, 'tree/file'), 'newer');
      expect([readFileSync(join(home, 'outside/file'), 'utf8'), lstatSync(join(home, 'tree/file')).isSymbolicLink()]).toEqual([
        'newer',
        true,
      ]);
    });
  });
});

test.each([
  ['below a file', 'plain/file'],
  ['at a folder', 'folder'],
])('an error %s names the path that was given, and no temporary file', async (_, name) => {
  writeFileSync(join(home, 'plain'), '');
  mkdirSync(join(home, 'folder'));
  const path = join(home, name);
  const message = expect.not.stringContaining('.temporary');
  await expect(writeWhole(path, 'text')).rejects.toMatchObject({path, message});
  expect(readdirSync(home).sort()).toEqual(['folder', 'plain']);
});
