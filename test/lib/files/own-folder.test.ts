import {chmodSync, chownSync, lchownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {cacheFolder, configFolder, secureFolder} from '../../../src/lib/files/own-folder.js';
import {newFolder} from '../../new-folder.js';

const HOME = '/home/ana';

describe('the folder of the profiles', () => {
  test.each<[NodeJS.Platform, Record<string, string>, string | undefined]>([
    ['linux', {HOME}, '/home/ana/.config/pixelctl'],
    ['linux', {HOME, XDG_CONFIG_HOME: '/etc/mine'}, '/etc/mine/pixelctl'],
    ['linux', {HOME, XDG_CONFIG_HOME: 'relative'}, '/home/ana/.config/pixelctl'],
    ['linux', {HOME, XDG_CONFIG_HOME: ''}, '/home/ana/.config/pixelctl'],
    ['freebsd', {HOME}, '/home/ana/.config/pixelctl'],
    ['darwin', {HOME}, '/home/ana/Library/Application Support/pixelctl'],
    ['darwin', {HOME, XDG_CONFIG_HOME: '/etc/mine'}, '/etc/mine/pixelctl'],
    ['linux', {HOME, PIXELCTL_CONFIG_DIR: '/srv/ci', XDG_CONFIG_HOME: '/etc/mine'}, '/srv/ci'],
    ['darwin', {HOME, PIXELCTL_CONFIG_DIR: '/srv/ci'}, '/srv/ci'],
    ['linux', {HOME, PIXELCTL_CONFIG_DIR: ''}, '/home/ana/.config/pixelctl'],
    ['linux', {HOME: ''}, undefined],
    ['linux', {HOME: 'here'}, undefined],
    ['linux', {HOME: '', XDG_CONFIG_HOME: '/etc/mine'}, '/etc/mine/pixelctl'],
  ])('on %s with %o is %s', (platform, environment, folder) => {
    expect(configFolder(environment, {platform})).toBe(folder);
  });

  test.each([
    [{USERPROFILE: HOME, LOCALAPPDATA: '/local'}, '/local/pixelctl'],
    [{USERPROFILE: HOME}, '/home/ana/AppData/Local/pixelctl'],
  ])('the folder of the profiles on Windows with %o stays on this machine', (environment, folder) => {
    expect(configFolder(environment, {platform: 'win32'})?.replaceAll('\\', '/')).toBe(folder);
  });

  test('the folder of the profiles is resolved from the working folder if PIXELCTL_CONFIG_DIR is relative', () => {
    expect(configFolder({PIXELCTL_CONFIG_DIR: 'here'})).toBe(resolve('here'));
  });
});

test.each<[NodeJS.Platform, Record<string, string>, string | undefined]>([
  ['linux', {HOME}, '/home/ana/.cache/pixelctl'],
  ['darwin', {HOME}, '/home/ana/.cache/pixelctl'],
  ['linux', {HOME, XDG_CACHE_HOME: '/var/mine'}, '/var/mine/pixelctl'],
  ['linux', {HOME, XDG_CACHE_HOME: 'relative'}, '/home/ana/.cache/pixelctl'],
  ['linux', {HOME: '', XDG_CACHE_HOME: 'relative'}, undefined],
  ['linux', {HOME: '.'}, undefined],
])('the folder of caches on %s with %o is %s', (platform, environment, folder) => {
  expect(cacheFolder(environment, {platform})).toBe(folder);
});

describe.skipIf(process.platform === 'win32')('where folders have permissions', () => {
  let home: string;
  beforeEach(() => void (home = newFolder()));

  const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
  const own = (): string => join(home, 'above/own');

  function made(mode: number, above = 0o755): string {
    mkdirSync(join(home, 'above'));
    mkdirSync(own());
    chmodSync(own(), mode);
    chmodSync(join(home, 'above'), above);
    return own();
  }

  describe.each([0o000, 0o002, 0o022, 0o077, 0o777])('under umask %o', (umask) => {
    const before = process.umask();
    beforeEach(() => void process.umask(umask));
    afterEach(() => void process.umask(before));

    test('creates missing folders for the owner alone', () => {
      expect(secureFolder(join(home, 'a/b/c'), {make: true})).toEqual({openTo: 0});
      expect(['a', 'a/b', 'a/b/c'].map((name) => modeOf(join(home, name)))).toEqual(['700', '700', '700']);
    });
  });

  test('creates no missing folder with make: false', () => {
    expect(secureFolder(join(home, 'a/b'), {make: false})).toBeUndefined();
    expect(readdirSync(home)).toEqual([]);
  });

  test.each([0o755, 0o750, 0o775, 0o777, 0o711, 0o707])('sets a folder of mode %o to 700', (mode) => {
    expect(secureFolder(made(mode), {make: false})).toEqual({openTo: mode & 0o077});
    expect(modeOf(own())).toBe('700');
    expect(secureFolder(own(), {make: false})).toEqual({openTo: 0});
  });

  test('rejects a shared folder, and leaves it unchanged', () => {
    const refusal = {code: 'ENOTPRIVATE', message: `${own()} is shared by all users`, command: undefined};
    expect(() => secureFolder(made(0o1777), {make: false})).toThrow(expect.objectContaining(refusal));
    expect(modeOf(own())).toBe('1777');
  });

  test.each([0o755, 0o775, 0o1777, 0o700, 0o711])('accepts a parent of mode %o', (mode) => {
    secureFolder(made(0o700, mode), {make: false});
    secureFolder(join(home, 'above'), {own: 0, make: false});
    expect(modeOf(join(home, 'above'))).toBe(mode.toString(8));
  });

  test.each([0o777, 0o757, 0o703])('rejects a parent of mode %o, and suggests the command that fixes it', (mode) => {
    const refusal = expect.objectContaining({code: 'ENOTPRIVATE', command: ['chmod', 'o-w', join(home, 'above')]});
    expect(() => secureFolder(made(0o700, mode), {make: false})).toThrow(refusal);
    expect(() => secureFolder(join(home, 'above'), {own: 0, make: false})).toThrow(refusal);
    expect(() => secureFolder(join(home, 'above/new'), {make: true})).toThrow(refusal);
    expect(readdirSync(join(home, 'above'))).toEqual(['own']);
  });

  test('checks all parents, also those of links', () => {
    const open = join(home, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    mkdirSync(join(home, 'real'), {mode: 0o700});
    symlinkSync(join(home, 'real'), join(open, 'link'));
    symlinkSync('open/link', join(home, 'first'));
    expect(() => secureFolder(join(home, 'first/own'), {make: true})).toThrow(expect.objectContaining({command: ['chmod', 'o-w', open]}));
    chmodSync(open, 0o755);
    expect(secureFolder(join(home, 'first/own'), {make: true})).toEqual({openTo: 0});
    expect(readdirSync(join(home, 'real'))).toEqual(['own']);
  });

  test('follows a link in place of our folder, and closes its target', () => {
    mkdirSync(join(home, 'real'));
    chmodSync(join(home, 'real'), 0o755);
    symlinkSync('real', join(home, 'link'));
    expect(secureFolder(join(home, 'link'), {make: true})).toEqual({openTo: 0o055});
    expect(modeOf(join(home, 'real'))).toBe('700');
  });

  test('rejects a dangling link, a circular link and a file, and creates nothing', () => {
    symlinkSync(join(home, 'unmounted/disk'), join(home, 'nothing'));
    symlinkSync('circle', join(home, 'circle'));
    writeFileSync(join(home, 'file'), '');
    const codes: readonly (readonly [string, string])[] = [
      ['nothing/a', 'ENOENT'],
      ['circle/a', 'ELOOP'],
      ['file/a', 'ENOTDIR'],
      ['file', 'ENOTDIR'],
    ];
    for (const [path, code] of codes) expect(() => secureFolder(join(home, path), {make: true})).toThrow(expect.objectContaining({code}));
    expect(secureFolder(join(home, 'nothing'), {make: false})).toBeUndefined();
  });

  test.runIf(process.platform === 'linux')('rejects an open folder that cannot be closed, and suggests the command that closes it', () => {
    const open = `/proc/${process.pid}/task`;
    const refusal = {code: 'ENOTPRIVATE', message: `Others can read or change ${open}`, command: ['chmod', '700', open]};
    expect(() => secureFolder(open, {make: false})).toThrow(expect.objectContaining(refusal));
  });

  test('resolves `..` after links', () => {
    mkdirSync(join(home, 'a/b'), {recursive: true});
    symlinkSync('a/b/../b', join(home, 'link'));
    secureFolder(join(home, 'link', 'own'), {make: true});
    expect(readdirSync(join(home, 'a/b'))).toEqual(['own']);
  });

  describe.skipIf(process.geteuid?.() !== 0)('as root, who can give folders away', () => {
    test('rejects a folder, a parent or a link of another user', () => {
      made(0o700);
      chownSync(own(), 4711, 4711);
      const refusal = (path: string) =>
        expect.objectContaining({code: 'ENOTPRIVATE', message: `${path} belongs to another user`, command: undefined});
      expect(() => secureFolder(own(), {make: false})).toThrow(refusal(own()));
      chownSync(own(), 0, 0);
      chownSync(join(home, 'above'), 4711, 4711);
      expect(() => secureFolder(own(), {make: false})).toThrow(refusal(join(home, 'above')));
      chownSync(join(home, 'above'), 0, 0);
      symlinkSync('above', join(home, 'link'));
      lchownSync(join(home, 'link'), 4711, 4711);
      expect(() => secureFolder(join(home, 'link/own'), {make: false})).toThrow(refusal(join(home, 'link')));
    });
  });
});
