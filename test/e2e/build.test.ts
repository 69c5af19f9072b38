/** The build of a project of a few files. What becomes of a whole checkout: recipes.test.ts. */
import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');
let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'pixelctl-build-'));
});
afterEach(() => rmSync(project, {recursive: true}));

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile());
  return entries.map(({parentPath, name}) => join(parentPath, name).slice(folder.length + 1)).sort();
}

// Four times a compiler, each of which takes seconds on a busy machine.
test('dist is brought in step with src', () => {
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts'])
    cpSync(join(root, name), join(project, name), {recursive: true});
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  const write = (file: string, text: string) => writeFileSync(join(project, file), text);
  const compile = () => spawnSync('npm', ['run', '-s', 'compile'], {cwd: project, encoding: 'utf8'});
  const outputs = () => filesIn(join(project, 'dist'));
  const programs = ['lib/auth/keyring-process', 'lib/files/own-folder', 'lib/operations/index', 'main'];
  const lists = ['lib/api/endpoints', 'lib/sandbox/routes/index'];
  const entries = [...programs, ...lists, 'completion-table'].flatMap((name) => [`${name}.d.ts`, `${name}.js`]);
  const both = ['a.d.ts', 'a.js', 'lib/b.d.ts', 'lib/b.js', ...entries].sort();
  for (const folder of ['api', 'auth', 'files', 'operations', 'sandbox/routes'])
    mkdirSync(join(project, 'src/lib', folder), {recursive: true});
  for (const name of programs) write(`src/${name}.ts`, 'export {};\n');
  for (const name of lists) write(`src/${name}.ts`, 'export const endpoints: readonly object[] = [];\n');
  write('src/completion-table.ts', 'export const completionTable = async (): Promise<object> => ({});\n');
  write('src/a.ts', 'export const a = 1;\n');
  write('src/lib/b.ts', 'export const b = 1;\n');
  write('src/lib/package.d.ts', "declare module 'package';\n");

  expect(compile()).toMatchObject({status: 0, stdout: '', stderr: ''});
  expect(outputs()).toEqual(both);

  const times = () =>
    ['dist/a.js', 'bundle/main.cjs', '.cache/tsconfig.tsbuildinfo'].map((file) => statSync(join(project, file), {bigint: true}).mtimeNs);
  const before = times();
  expect(compile().status).toBe(0);
  expect(times(), 'what is up to date').toEqual(before);

  write('src/a.ts', 'export const a: string = 2;\n');
  expect(compile()).toMatchObject({status: 1, stdout: expect.stringContaining('src/a.ts(1,14)')});
  expect(readFileSync(join(project, 'dist/a.js'), 'utf8'), 'the last good build').toContain('a = 1');

  write('src/a.ts', 'export const a = 3;\n');
  rmSync(join(project, 'src/lib/b.ts'));
  rmSync(join(project, 'dist/main.js'));
  expect(compile().status).toBe(0);
  expect(readFileSync(join(project, 'dist/a.js'), 'utf8')).toContain('a = 3');
  expect(outputs(), 'one that was missing is there, and that of a source that is gone is not').toEqual(
    ['a.d.ts', 'a.js', ...entries].sort(),
  );
});
