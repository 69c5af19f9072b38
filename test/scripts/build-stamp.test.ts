import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {isBuilt, sourceDigest, stampBuild} from '../../scripts/build-stamp.js';

let project: string;
const write = (file: string, text: string) => writeFileSync(join(project, file), text);

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'pixelctl-built-'));
  for (const folder of ['src/lib', 'dist/lib', 'scripts']) mkdirSync(join(project, folder), {recursive: true});
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts/build.js']) write(file, '{}');
  for (const name of ['a', 'b']) {
    write(`src/lib/${name}.ts`, name);
    write(`dist/lib/${name}.js`, name);
  }
  stampBuild(project, sourceDigest(project));
});
afterEach(() => rmSync(project, {recursive: true}));

test('what was stamped is built', () => {
  expect(isBuilt(project)).toBe(true);
});

test.each<[string, () => void]>([
  ['a changed source', () => write('src/lib/a.ts', 'c')],
  ['a new source', () => write('src/lib/c.ts', '')],
  ['a deleted source', () => rmSync(join(project, 'src/lib/b.ts'))],
  ['other settings of the compiler', () => write('tsconfig.json', '{"a": 1}')],
  ['a deleted output', () => rmSync(join(project, 'dist/lib/b.js'))],
  ['no output at all', () => rmSync(join(project, 'dist'), {recursive: true})],
  ['a build that was never finished', () => rmSync(join(project, '.cache'), {recursive: true})],
])('%s is not', (_, change) => {
  change();
  expect(isBuilt(project)).toBe(false);
});
