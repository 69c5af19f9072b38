/**
 * Adds two endpoints to a copy of the project, by the recipe in CONTRIBUTING: the files in `test/fixtures/new-endpoint` and
 * `npm run generate`, and nothing else. Checks and tests must pass there. Only those tests of the unit and contract layers run
 * that go over every record or command; of the odd answers, which take a minute, only those of the new commands. All others
 * do not know that there is a new endpoint.
 */
import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');
const added = join(root, 'test/fixtures/new-endpoint');

const testsOfRecords = [
  ...['table', 'request', 'encoding', 'answer', 'failures', 'recordings', 'command-lines', 'acting-account'].map(
    (name) => `test/contract/${name}`,
  ),
  'test/commands/accounts',
  'test/commands/targets',
  'test/lib/api',
  'test/lib/cli/fields',
  'test/lib/cli/first-page',
  'test/lib/print/fields',
  'test/lib/sandbox/server',
  'test/scripts',
];

/** Generated: free to change. */
const isGenerated = (file: string) =>
  /^(package\.json|oclif\.manifest\.json|README\.md|docs\/reference\/.*|src\/commands\.ts|src\/lib\/(api|sandbox\/routes)\/index\.ts)$/.test(
    file,
  );

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'pixelctl-new-endpoint-'));
  const left = new Set(['.git', '.cache/packages', 'dist-binaries', 'node_modules'].map((name) => join(root, name)));
  cpSync(root, copy, {recursive: true, filter: (file) => !left.has(file)});
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  rmSync(join(copy, 'test/e2e/new-endpoint.test.ts'));
  for (const words of ['init -q', 'add -A', '-c user.name=t -c user.email=t@t.example commit -qm copy']) {
    expect(runs('git', ...words.split(' '))).toMatchObject({status: 0});
  }
});
afterAll(() => rmSync(copy, {recursive: true, force: true}));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => statSync(join(folder, file)).isFile())
    .sort();

/** Runs npm or a program of the dependencies in the copy. */
function runs(command: string, ...args: readonly string[]): {status: number | null; output: string} {
  const path = [join(copy, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const {status, stdout, stderr} = spawnSync(command, args, {cwd: copy, encoding: 'utf8', env: {...process.env, PATH: path}});
  return {status, output: stdout + stderr};
}

describe('two new endpoints', () => {
  test('take a record file, two command files, a file of sandbox behaviour and a row of test data', () => {
    const files = filesIn(added);
    expect(files).toEqual([
      'src/commands/follow-requests/authorize.ts',
      'src/commands/follow-requests/list.ts',
      'src/lib/api/follow-requests.ts',
      'src/lib/sandbox/routes/follow-requests.ts',
      'test/endpoints/follow-requests.ts',
    ]);
    for (const file of files) expect(existsSync(join(copy, file)), file).toBe(false);
    cpSync(added, copy, {recursive: true});
  });

  test.each(['generate', 'check'])('pass npm run %s', {timeout: 300_000}, (script) => {
    const {status, output} = runs('npm', 'run', '-s', script);
    expect(status, output).toBe(0);
  });

  test.each([testsOfRecords, ['test/contract/odd-answers', '-t', 'follow-requests|covers every command']])(
    'pass the tests that go over every endpoint: %s',
    {timeout: 600_000},
    (...tests) => {
      const {status, output} = runs('vitest', 'run', '--reporter=dot', '--project=unit', '--project=contract', ...tests);
      expect(status, output).toBe(0);
      expect(output).toMatch(/\d passed/);
    },
  );

  test('change no other file by hand', () => {
    const {output} = runs('git', 'status', '--porcelain', '--untracked-files=all');
    const changed = output.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
    expect(changed.filter((file) => !isGenerated(file)).sort()).toEqual(filesIn(added));
  });

  test('are in the reference, under the title of their group', () => {
    const page = readFileSync(join(copy, 'docs/reference/follow-requests.md'), 'utf8');
    expect(page).toContain('# follow-requests\n\nPeople who ask to follow you\n');
    expect(page).toContain('## pixelctl follow-requests authorize');
    expect(readFileSync(join(copy, 'docs/reference/endpoints.md'), 'utf8')).toContain('`POST /api/v1/follow_requests/{id}/authorize`');
  });
});
