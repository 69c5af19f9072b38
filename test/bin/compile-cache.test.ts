/** The compile cache: code that the next start executes, so that nobody else can put any there. */
import {spawnSync} from 'node:child_process';
import {chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {fileOf} from '../../scripts/bundle-file.js';
import {newFolder} from '../new-folder.js';

const root = join(import.meta.dirname, '../..');
const main = `
  const {getCompileCacheDir} = require('node:module');
  exports.main = async (argv) => {
    process.stdout.write(JSON.stringify({argv, cache: getCompileCacheDir() ?? null}));
  };
`;

/** A place that every user can read, with the program in it. */
let project: string;
beforeAll(() => {
  project = newFolder();
  chmodSync(project, 0o755);
  cpSync(join(root, 'bin'), join(project, 'bin'), {recursive: true});
  cpSync(join(root, 'package.json'), join(project, 'package.json'));
  cpSync(join(root, 'bundle'), join(project, 'bundle'), {recursive: true});
  writeFileSync(join(project, 'bundle/main.cjs'), fileOf([{fileName: 'main.cjs', code: main}]));
});

let home: string;
beforeEach(() => {
  home = join(project, 'home');
  mkdirSync(home, {mode: 0o755});
});
afterEach(() => rmSync(home, {recursive: true, force: true}));

interface Circumstances {
  readonly umask?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly as?: number;
}

/** Runs the program; says where its compile cache is, null when it has none. Nothing is said of it. */
function cacheOf({umask = '022', env = {}, as}: Circumstances = {}): string | null {
  const change = as === undefined ? '' : `setpriv --reuid=${as} --regid=${as} --clear-groups `;
  const line = `umask ${umask}; exec ${change}"$0" "$@"`;
  const {stdout, stderr, status} = spawnSync('sh', ['-c', line, process.execPath, join(project, 'bin/run.js'), 'a b'], {
    cwd: home,
    env: {PATH: process.env['PATH'] ?? '', HOME: home, ...env},
    encoding: 'utf8',
  });
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  const {argv, cache}: {readonly argv: readonly string[]; readonly cache: string | null} = JSON.parse(stdout);
  expect(argv).toEqual(['a b']);
  return cache;
}

/** What of a folder and all in it others can do something with, and how many files there are. */
function lookAt(folder: string): {readonly open: readonly string[]; readonly files: number} {
  const all = [folder, ...readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((name) => join(folder, name))];
  const open = all.filter((path) => (statSync(path).mode & 0o077) !== 0);
  return {open, files: all.filter((path) => statSync(path).isFile()).length};
}

/** Only root can run as somebody else. */
const canChange = process.geteuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);

describe.skipIf(process.platform === 'win32')('the compile cache', () => {
  describe.each(['000', '077'])('under umask %s', (umask) => {
    test('the compile cache is for the owner alone, folders and files', () => {
      expect(cacheOf({umask})).toMatch(`${home}/.cache/pixelctl/compiled/`);
      const {open, files} = lookAt(join(home, '.cache'));
      expect(open).toEqual([]);
      expect(files).toBeGreaterThan(0);
      expect(cacheOf({umask})).toMatch(home);
    });

    test('a compile cache that was open to others is emptied and closed', () => {
      const compiled = cacheOf({umask}) ?? '';
      const planted = join(compiled, 'planted');
      writeFileSync(planted, 'evil');
      for (const folder of [compiled, join(compiled, '..'), join(compiled, '../..')]) chmodSync(folder, 0o777);
      expect(cacheOf({umask})).toBe(compiled);
      expect(existsSync(planted)).toBe(false);
      expect(lookAt(join(home, '.cache/pixelctl')).open).toEqual([]);
    });

    test('the compile cache as NODE_COMPILE_CACHE has it is closed as well', () => {
      const named = join(home, 'named');
      expect(cacheOf({umask, env: {NODE_COMPILE_CACHE: named}})).toMatch(named);
      expect(modeOf(named)).toBe('700');
      expect(existsSync(join(home, '.cache'))).toBe(false);
    });
  });

  test('the compile cache as NODE_COMPILE_CACHE has it keeps what is not of Node', () => {
    const named = join(home, 'named');
    const compiled = cacheOf({env: {NODE_COMPILE_CACHE: named}}) ?? '';
    const [planted, own] = [join(compiled, 'planted'), join(named, 'own')];
    for (const file of [planted, own]) writeFileSync(file, '');
    chmodSync(named, 0o777);
    expect(cacheOf({env: {NODE_COMPILE_CACHE: named}})).toBe(compiled);
    expect([existsSync(planted), existsSync(own)]).toEqual([false, true]);
  });

  test('the compile cache that others could only look into stays', () => {
    const compiled = cacheOf() ?? '';
    const kept = join(compiled, 'kept');
    writeFileSync(kept, '');
    chmodSync(join(compiled, '..'), 0o755);
    expect(cacheOf()).toBe(compiled);
    expect(existsSync(kept)).toBe(true);
    expect(modeOf(join(compiled, '..'))).toBe('700');
  });

  test.each([0o777, 0o757])('the compile cache is off below a folder of mode %o, without a word', (mode) => {
    chmodSync(home, mode);
    expect(cacheOf()).toBeNull();
    expect(readdirSync(home)).toEqual([]);
  });

  test.each([0o775, 0o1777])('the compile cache is on below a folder of mode %o', (mode) => {
    chmodSync(home, mode);
    expect(cacheOf()).toMatch(home);
  });

  test.each<[string, Record<string, string>]>([
    ['an empty HOME', {HOME: ''}],
    ['a relative HOME', {HOME: 'here'}],
    ['a relative XDG_CACHE_HOME and no home', {HOME: '', XDG_CACHE_HOME: 'here'}],
    ['a HOME that is no folder', {HOME: '/dev/null'}],
    ['a HOME in which nothing can be made', {HOME: '/proc'}],
    ['a relative NODE_COMPILE_CACHE and no home', {HOME: '', NODE_COMPILE_CACHE: 'here'}],
    ['NODE_COMPILE_CACHE in a folder that everybody can replace, and no home', {HOME: '', NODE_COMPILE_CACHE: 'OPEN/cache'}],
  ])('is off with %s', (_, env) => {
    const open = join(project, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('OPEN', open)]));
    const cache = cacheOf({env: given});
    rmSync(open, {recursive: true});
    expect(cache).toBeNull();
  });

  test('the compile cache that NODE_COMPILE_CACHE puts where others can replace it is left for our own', () => {
    chmodSync(home, 0o777);
    const own = join(project, 'own');
    const cache = cacheOf({env: {XDG_CACHE_HOME: own, NODE_COMPILE_CACHE: join(home, 'named')}});
    rmSync(own, {recursive: true});
    expect(cache).toMatch(own);
  });

  test('a relative XDG_CACHE_HOME is ignored', () => {
    expect(cacheOf({env: {XDG_CACHE_HOME: 'here'}})).toMatch(join(home, '.cache'));
    expect(readdirSync(home)).toEqual(['.cache']);
  });

  describe.runIf(canChange)('of another user', () => {
    const [ana, mallory] = [4711, 4712];

    test('the compile cache is on in a home of one’s own', () => {
      chownSync(home, ana, ana);
      expect(cacheOf({as: ana, umask: '000'})).toMatch(home);
      expect(lookAt(join(home, '.cache')).open).toEqual([]);
    });

    test('a compile cache of another user is not used, be it all of it or a part', () => {
      chownSync(home, ana, ana);
      const compiled = cacheOf({as: ana}) ?? '';
      const folders = [join(compiled, '..'), join(compiled, '../..'), join(compiled, '../../..'), home];
      for (const folder of folders) {
        chownSync(folder, mallory, mallory);
        chmodSync(folder, 0o755);
        expect(cacheOf({as: ana}), folder).toBeNull();
        chownSync(folder, ana, ana);
        chmodSync(folder, 0o700);
      }
      expect(cacheOf({as: ana})).toBe(compiled);
    });

    test('a compile cache of another user is not used where NODE_COMPILE_CACHE names it', () => {
      chownSync(home, ana, ana);
      const named = join(project, 'named');
      mkdirSync(named);
      chmodSync(named, 0o777);
      chownSync(named, mallory, mallory);
      const cache = cacheOf({as: ana, env: {NODE_COMPILE_CACHE: named}});
      rmSync(named, {recursive: true});
      expect(cache).toMatch(home);
    });
  });
});
