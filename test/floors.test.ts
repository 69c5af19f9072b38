import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '..');

/** What the linter says about a project of these files, as `rule: file`. */
function lint(files: Record<string, string>): string[] {
  const project = mkdtempSync(join(tmpdir(), 'pixelctl-lint-'));
  cpSync(join(root, '.oxlintrc.json'), join(project, '.oxlintrc.json'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, file)), {recursive: true});
    writeFileSync(join(project, file), text);
  }
  const {stdout} = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=json'], {
    cwd: project,
    encoding: 'utf8',
  });
  rmSync(project, {recursive: true});
  const {diagnostics} = JSON.parse(stdout) as {diagnostics: {code: string; filename: string}[]};
  return diagnostics.map(({code, filename}) => `${code}: ${filename}`).sort();
}

const used = (specifier: string) => `import {a} from '${specifier}';\nexport const b = a;\n`;

test.each([
  ['src/lib/api/blocks.ts', '../json/text.js'],
  ['src/lib/json/text.ts', '../api/blocks.js'],
  ['src/lib/files/lock.ts', '../client/failure.js'],
  ['src/lib/json/text.ts', '../files/lock.js'],
  ['src/lib/client/send.ts', '../print/table.js'],
  ['src/lib/client/send.ts', '../cli/base.js'],
  ['src/lib/client/send.ts', '@oclif/core'],
  ['src/lib/client/send.ts', '../operations/domains.js'],
  ['src/lib/operations/domains.ts', '../print/table.js'],
  ['src/lib/operations/domains.ts', '../auth/account.js'],
  ['src/lib/print/table.ts', '../client/send.js'],
  ['src/lib/sandbox/routes/blocks.ts', '../../cli/base.js'],
  ['src/lib/auth/store.ts', '../../commands/blocks/list.js'],
  ['src/lib/cli/base.ts', '../../commands/blocks/list.js'],
])('%s may not import %s', (file, specifier) => {
  const ways = {
    [file]: used(specifier),
    [file.replace('.ts', '-late.ts')]: `export const b = import('${specifier}');\n`,
    [file.replace('.ts', '-type.ts')]: `export type {A} from '${specifier}';\n`,
  };
  expect(lint(ways)).toEqual(
    Object.keys(ways)
      .map((each) => `eslint(no-restricted-imports): ${each}`)
      .sort(),
  );
});

test.each([
  ['src/lib/api/blocks.ts', './entities.js'],
  ['src/lib/client/send.ts', '../api/endpoint.js'],
  ['src/lib/client/send.ts', '../files/whole-file.js'],
  ['src/lib/operations/domains.ts', '../client/send.js'],
  ['src/lib/policy/state.ts', '../operations/domains.js'],
  ['src/lib/print/table.ts', '../json/text.js'],
  ['src/lib/sandbox/server.ts', '../api/index.js'],
  ['src/lib/cli/base.ts', '../client/index.js'],
  ['src/commands/blocks/list.ts', '../../lib/cli/base.js'],
  ['src/commands/blocks/list.ts', '../../lib/print/table.js'],
  ['src/commands/blocks/list.ts', '../../lib/client/index.js'],
])('%s may import %s', (file, specifier) => {
  expect(lint({[file]: used(specifier)})).toEqual([]);
});

test('a circle is found, of types as well', () => {
  const circle = {
    'src/lib/api/a.ts': `import type {B} from './b.js';\nexport interface A {b: B}\n`,
    'src/lib/api/b.ts': `import type {A} from './a.js';\nexport interface B {a: A}\n`,
  };
  expect(lint(circle)).toEqual(['import(no-cycle): src/lib/api/a.ts', 'import(no-cycle): src/lib/api/b.ts']);
});

test('every folder of the library has its floor', () => {
  const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8');
  const folders = readdirSync(join(root, 'src/lib'));
  expect(folders.filter((folder) => !config.includes(`"src/lib/${folder}/**"`))).toEqual([]);
});
