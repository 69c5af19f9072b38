import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The linter's findings in a project of these files, as `rule: file`. */
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
  const {diagnostics}: {readonly diagnostics: readonly {readonly code: string; readonly filename: string}[]} = JSON.parse(stdout);
  return diagnostics.map(({code, filename}) => `${code}: ${filename}`).sort();
}

const importing = (specifier: string) => `import {a} from '${specifier}';\nexport const b = a;\n`;

/** A folder, and what a file in it imports. */
const forbidden = [
  ['src/lib/api', '../json/text.js'],
  ['src/lib/json', '../api/blocks.js'],
  ['src/lib/files', '../client/failure.js'],
  ['src/lib/json', '../files/lock.js'],
  ['src/lib/client', '../print/table.js'],
  ['src/lib/client', '../cli/base.js'],
  ['src/lib/client', '@oclif/core'],
  ['src/lib/client', '../operations/domains.js'],
  ['src/lib/operations', '../print/table.js'],
  ['src/lib/operations', '../auth/account.js'],
  ['src/lib/print', '../client/send.js'],
  ['src/lib/sandbox/routes', '../../cli/base.js'],
  ['src/lib/auth', '../../commands/blocks/list.js'],
  ['src/lib/cli', '../../commands/blocks/list.js'],
  ['src/lib/cli', './endpoint/pages.js'],
  ['src/lib/cli/endpoint', '../../../commands/blocks/list.js'],
  ['src/lib/sandbox', '../policy/plan/undo.js'],
  ['src/lib/archive/media', '../../run/run.js'],
  ['src/lib/cli', '../policy/plan/undo.js'],
  ['src/lib/cli/backup', '../../auth/keyring.js'],
  ['src/commands/blocks', '../../lib/policy/plan/undo.js'],
] as const;
const allowed = [
  ['src/lib/api', './entities.js'],
  ['src/lib/client', '../api/endpoint.js'],
  ['src/lib/client', '../files/whole-file.js'],
  ['src/lib/operations', '../client/send.js'],
  ['src/lib/policy', '../operations/domains.js'],
  ['src/lib/print', '../json/text.js'],
  ['src/lib/sandbox', '../api/index.js'],
  ['src/lib/cli', '../client/index.js'],
  ['src/lib/cli/endpoint', '../session.js'],
  ['src/lib/sandbox', '../run/index.js'],
  ['src/lib/cli', '../policy/index.js'],
  ['src/lib/cli', '../run/journal.js'],
  ['src/lib/cli/backup', '../../policy/index.js'],
  ['src/lib/cli/backup', '../policy/flags.js'],
  ['src/commands/blocks', '../../lib/policy/index.js'],
  ['src/commands/blocks', '../../lib/cli/policy/flags.js'],
  ['src/commands/blocks', '../../lib/cli/base.js'],
  ['src/commands/blocks', '../../lib/print/table.js'],
  ['src/commands/blocks', '../../lib/client/index.js'],
] as const;

const fileOf = (folder: string, kind: string, index: number) => `${folder}/${kind}${index}.ts`;
const findings = lint({
  ...Object.fromEntries(
    forbidden.flatMap(([folder, specifier], index) => [
      [fileOf(folder, 'static', index), importing(specifier)],
      [fileOf(folder, 'late', index), `export const b = import('${specifier}');\n`],
      [fileOf(folder, 'type', index), `export type {A} from '${specifier}';\n`],
    ]),
  ),
  ...Object.fromEntries(allowed.map(([folder, specifier], index) => [fileOf(folder, 'allowed', index), importing(specifier)])),
});
const foundIn = (file: string) => findings.filter((finding) => finding.endsWith(`: ${file}`));

test.each(forbidden.map(([folder, specifier], index) => ({folder, specifier, index})))(
  '$folder may not import $specifier',
  ({folder, index}) => {
    for (const kind of ['static', 'late', 'type']) {
      const file = fileOf(folder, kind, index);
      expect(foundIn(file)).toEqual([`eslint(no-restricted-imports): ${file}`]);
    }
  },
);

test.each(allowed.map(([folder, specifier], index) => ({folder, specifier, index})))('$folder may import $specifier', ({folder, index}) => {
  expect(foundIn(fileOf(folder, 'allowed', index))).toEqual([]);
});

test('finds circles of imports, of types too', () => {
  const circle = {
    'src/lib/api/a.ts': `import type {B} from './b.js';\nexport interface A {b: B}\n`,
    'src/lib/api/b.ts': `import type {A} from './a.js';\nexport interface B {a: A}\n`,
  };
  expect(lint(circle)).toEqual(['import(no-cycle): src/lib/api/a.ts', 'import(no-cycle): src/lib/api/b.ts']);
});

test('.oxlintrc.json has a floor for every folder of src/lib', () => {
  const config = readFileSync(join(root, '.oxlintrc.json'), 'utf8');
  const folders = readdirSync(join(root, 'src/lib'));
  expect(folders.filter((folder) => !config.includes(`"src/lib/${folder}/`))).toEqual([]);
});

test('no file outside print compares the format, but the one that chooses what is printed', () => {
  const files = readdirSync(join(root, 'src'), {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.ts'));
  const comparing = files.filter((file) =>
    /\b(?:session|printing)?\.?format\s*[!=]==\s*'(?:csv|json|ndjson|table|tsv|yaml)'/.test(readFileSync(join(root, 'src', file), 'utf8')),
  );
  expect(comparing.filter((file) => !file.startsWith(join('lib', 'print')))).toEqual([join('lib', 'cli', 'sink.ts')]);
});
