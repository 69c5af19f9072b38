/**
 * Adds a list that pages, a write with a body, and one that asks, all of a kind of object of their own, to a copy of the project by the
 * recipe in CONTRIBUTING: the files of `test/fixtures/new-endpoint`, no edit of others, and what is generated.
 */
import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {copyProject} from '../project-copy.js';
import {buildOf, runBuild} from './in-process.js';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'pixelctl-recipe-'));
const fixture = join(root, 'test/fixtures/new-endpoint');
const added = readdirSync(fixture, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.ts'));
const path = [join(folder, 'node_modules/.bin'), process.env['PATH']].join(delimiter);

function passes(command: string, ...args: readonly string[]): void {
  const {status, stdout, stderr} = spawnSync(command, args, {cwd: folder, encoding: 'utf8', env: {...process.env, PATH: path}});
  expect(status, stdout + stderr).toBe(0);
}

const read = (file: string) => readFileSync(join(folder, file), 'utf8');

beforeAll(() => {
  copyProject(folder);
  cpSync(fixture, folder, {recursive: true});
  // Without the bundle, which no test here runs.
  passes('npm', 'run', '-s', 'types');
  passes('node', 'scripts/generate.js');
});
afterAll(() => rmSync(folder, {recursive: true}));

test('types, format and linter have nothing to say, and the tests that go over all records and commands pass', () => {
  passes('oxfmt', '--check', ...added);
  passes('oxlint', '--deny-warnings', ...added);
  const tests = ['contract/table', 'lib/api/kinds', 'e2e/commands'].map((name) => `test/${name}.test.ts`);
  passes('vitest', 'run', '--reporter=dot', '--maxWorkers=1', ...tests, '-t', 'tag|record|kind');
});

test('the new commands are in the reference, and take what is piped to them', async () => {
  expect(read('docs/reference/tags.md')).toContain('# tags\n\nTags that you follow\n');
  expect(read('docs/reference/endpoints.md')).toContain('`POST /api/v1/tags/{name}/follow`');
  expect(Object.keys(JSON.parse(read('docs/reference/openapi.json')).components.schemas)).toContain('Tag');
  const list = '[{"name": "harbour", "url": "https://pix.example/discover/tags/harbour", "history": [], "following": true}]';
  const env = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: 'x'};
  const ended = await runBuild(await buildOf(folder), ['tags', 'unfollow', '-', '--dry-run'], {env, stdin: list});
  expect(ended).toMatchObject({status: 0, stdout: expect.stringContaining('/api/v1/tags/harbour/unfollow\n')});
});
