/** The compiled code that bin/load.js keeps of the bundle. */
import {execFile, spawnSync} from 'node:child_process';
import {readFileSync, readdirSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {beforeEach, describe, expect, test} from 'vitest';
import {recordedSandbox} from '../e2e/server.js';
import {newFolder} from '../new-folder.js';

const root = join(import.meta.dirname, '../..');

let home: string;
beforeEach(() => void (home = newFolder()));

function run(args: readonly string[], options: readonly string[] = []) {
  const env = {PATH: process.env['PATH'] ?? '', HOME: home};
  const {stdout, stderr, status} = spawnSync(process.execPath, [...options, join(root, 'bin/run.js'), ...args], {env, encoding: 'utf8'});
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  return stdout;
}

/** The kept files of the bundle, by the name of the file that they belong to. */
function kept(): Record<string, {readonly path: string; readonly data: Buffer}> {
  const compiled = join(home, '.cache/pixelctl/compiled');
  const paths = readdirSync(compiled, {recursive: true, encoding: 'utf8'}).filter((name) => /\.cjs-/.test(name));
  return Object.fromEntries(
    paths.map((name) => [name.replace(/^.*[\\/]|-\w+$/g, ''), {path: join(compiled, name), data: readFileSync(join(compiled, name))}]),
  );
}

test('compiled code is kept for each file of the bundle that was loaded, and grows with the modules that run', () => {
  run(['--version']);
  expect(Object.keys(kept())).toEqual(['main.cjs']);
  run(['--help']);
  const first = kept();
  expect(Object.keys(first).sort()).toEqual(['cli.cjs', 'main.cjs']);
  run(['--help']);
  expect(kept(), 'the same modules').toEqual(first);
  run(['commands']);
  expect(kept()['cli.cjs']?.data.length).toBeGreaterThan(first['cli.cjs']?.data.length ?? Infinity);
});

test.each<[string, (path: string) => void]>([
  ['is cut off', (path) => truncateSync(path, 1000)],
  ['is empty', (path) => writeFileSync(path, '')],
  ['is something else', (path) => writeFileSync(path, 'x'.repeat(10_000))],
])('is replaced when it %s', (_, damage) => {
  const version = run(['--version']);
  const before = kept();
  damage(before['main.cjs']?.path ?? '');
  expect(run(['--version'])).toBe(version);
  expect(Object.keys(kept())).toEqual(['main.cjs']);
  expect(kept()['main.cjs']?.data.length).toBeGreaterThan(10_000);
});

test('compiled code is kept apart for other flags of V8', () => {
  run(['--version']);
  run(['--version'], ['--no-opt']);
  const folders = readdirSync(join(home, '.cache/pixelctl/compiled'));
  expect(folders).toHaveLength(2);
});

describe('the parser of HTTP', () => {
  /** A run after which V8 would have found the parser worth its optimizing compiler. */
  async function runWithServer(...options: readonly string[]): Promise<string> {
    await using server = await recordedSandbox();
    const env = {PATH: process.env['PATH'] ?? '', HOME: home, ...server.env};
    const args = [...options, join(root, 'bin/run.js'), 'export'];
    const {stdout} = await promisify(execFile)(process.execPath, args, {env});
    return stdout;
  }

  test('the parser is not optimized in a common run', async () => {
    const said = await runWithServer('--trace-wasm-compilation-times');
    expect(said).toContain('using Liftoff');
    expect(said).not.toContain('using TurboFan');
  });

  test('compiled code is kept after the parser was made', async () => {
    await runWithServer();
    const first = kept();
    expect(Object.keys(first)).toContain('http.cjs');
    await runWithServer();
    expect(kept()).toEqual(first);
  });
});
