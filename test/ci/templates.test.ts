/** What GitHub and GitLab read: whether it fits the scripts, which are run as it says. */
import {spawnSync} from 'node:child_process';
import {accessSync, constants, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse, parseAllDocuments, parseDocument} from 'yaml';
import {startSandbox} from '../../src/lib/sandbox/server.js';
import {newFolder, root, runShell} from '../e2e/program.js';

interface Step {
  readonly shell?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, {readonly required?: boolean; readonly description: string; readonly default?: string}>>;
  readonly outputs: Readonly<Record<string, {readonly value: string}>>;
  readonly runs: {readonly using: string; readonly steps: readonly Step[]};
}

interface Job {
  readonly variables: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly artifacts: {readonly when: string; readonly reports: {readonly junit: string}};
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const action: Action = parse(text('action.yml'));
const [header, jobs] = parseAllDocuments(text('ci/gitlab.yml')).map((document): unknown => document.toJS());

function isJobs(value: unknown): value is {readonly 'pixelctl-audit': Job} {
  return typeof value === 'object' && value !== null && 'pixelctl-audit' in value;
}

function isHeader(value: unknown): value is {readonly spec: {readonly inputs: Action['inputs']}} {
  return typeof value === 'object' && value !== null && 'spec' in value;
}

if (!isJobs(jobs) || !isHeader(header)) throw new Error('ci/gitlab.yml is not a header and a job');
const job = jobs['pixelctl-audit'];

/** A folder for the path with an `npm` that only says how it was called, and where packages are. */
function withNpm(): {readonly folder: string; readonly calls: () => string} {
  const folder = newFolder();
  const log = join(folder, 'calls');
  const packages = newFolder();
  symlinkSync(root, join(packages, 'pixelctl'));
  const lines = ['#!/bin/sh', `[ "$1" = root ] && echo '${packages}' && exit`, `pwd >>'${log}'`, `echo "npm $*" >>'${log}'`];
  writeFileSync(join(folder, 'npm'), `${lines.join('\n')}\n`, {mode: 0o755});
  return {folder, calls: () => readFileSync(log, 'utf8')};
}

/** A template's value with inputs put in. */
const filled = (value: string, inputs: Readonly<Record<string, string | undefined>>): string =>
  value.replaceAll(/\$(?:\{\{|\[\[) inputs\.([\w-]+) (?:\}\}|\]\])/g, (_, name: string) => inputs[name] ?? '');

const allFilled = (values: Readonly<Record<string, string>>, inputs: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value, inputs)]));

const policyFor = (url: string): string => `version: 1\nserver: ${url}\ndomain_blocks: {must: [bad.example]}\n`;

test('a policy, a token and its server have to be given', () => {
  expect(Object.keys(action.inputs).filter((name) => action.inputs[name]?.required)).toEqual(['policy', 'token', 'server']);
  expect(Object.keys(header.spec.inputs).filter((name) => header.spec.inputs[name]?.default === undefined)).toEqual(['policy', 'server']);
});

test('every input of the action is used, and every one used is there', () => {
  const used = [...text('action.yml').matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name = '']) => name);
  expect(new Set(used)).toEqual(new Set(Object.keys(action.inputs)));
  const interpolated = [...text('ci/gitlab.yml').matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, name = '']) => name);
  expect(new Set(interpolated)).toEqual(new Set(Object.keys(header.spec.inputs)));
});

test('inputs come by the environment: none can become part of a script', () => {
  for (const {run = ''} of action.runs.steps) expect(run).not.toContain('${{');
  for (const line of job.script) expect(line).not.toContain('$[[');
});

test('the guide uses the templates as they are', () => {
  const blocks = [...text('docs/guides/ci.md').matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  expect(blocks.map((block) => parseDocument(block).errors)).toEqual([[], [], [], []]);
  const [workflow, include]: unknown[] = blocks.map((block) => parse(block));
  const used = {
    uses: 'OWNER/pixelctl@v0.1.0',
    with: {policy: 'moderation.yml', token: '${{ secrets.PIXELCTL_TOKEN }}', server: 'https://pix.example'},
  };
  expect(workflow).toMatchObject({jobs: {audit: {steps: expect.arrayContaining([expect.objectContaining(used)])}}});
  expect(Object.keys(used.with)).toEqual(Object.keys(action.inputs).filter((name) => action.inputs[name]?.required));
  expect(include).toMatchObject({include: [{file: 'ci/gitlab.yml', inputs: {policy: 'moderation.yml', server: 'https://pix.example'}}]});
});

test('what the templates run is there, and can be run', () => {
  const scripts = action.runs.steps.flatMap(({run = ''}) =>
    [...run.matchAll(/\$GITHUB_ACTION_PATH\/([\w./-]+)/g)].map(([, file = '']) => file),
  );
  expect(scripts).toEqual(['ci/install.sh', 'ci/audit.sh']);
  for (const file of scripts) expect(() => accessSync(join(root, file), constants.X_OK)).not.toThrow();
  const {files}: {readonly files: readonly string[]} = JSON.parse(text('package.json'));
  expect(files).toContain('ci');
});

test('what is set for the scripts is what they read', () => {
  const read = (file: string) => new Set([...text(file).matchAll(/\$\{?((?:AUDIT|PIXELCTL)_\w+)/g)].map(([, name]) => name));
  const set = action.runs.steps.map(({env = {}}) => new Set(Object.keys(env).filter((name) => name !== 'PIXELCTL_TOKEN')));
  expect(set.slice(1)).toEqual([read('ci/install.sh'), read('ci/audit.sh')]);
  const others = Object.keys(job.variables).filter((name) => name !== 'PIXELCTL_VERSION');
  expect(new Set(others)).toEqual(read('ci/audit.sh'));
});

test('the steps of the action, as GitHub runs them', async () => {
  await using sandbox = await sandboxOfTest();
  const npm = withNpm();
  const folder = newFolder();
  writeFileSync(join(folder, 'p.yml'), policyFor(sandbox.url));
  const inputs = {policy: 'p.yml', token: sandbox.token, server: sandbox.url, version: '1.2.3', reports: action.inputs['reports']?.default};
  const [install, audit] = action.runs.steps.slice(1).map(({run = '', env = {}}) => {
    const environment = {...allFilled(env, inputs), GITHUB_ACTION_PATH: root, GITHUB_ACTIONS: 'true'};
    return runShell(`set -e\nPATH="${npm.folder}:$PATH"\n${run}`, {folder, env: environment});
  });
  expect(await install).toMatchObject({status: 0});
  expect(npm.calls()).toContain('pixelctl@1.2.3');
  expect(await audit).toMatchObject({status: 10, stdout: expect.stringContaining('::error file=p.yml')});
  for (const {value} of Object.values(action.outputs)) expect(() => accessSync(join(folder, filled(value, inputs)))).not.toThrow();
});

test('a release is installed from npm, else what is checked out is built', async () => {
  const line = (folder: string) => `PATH="${folder}:$PATH" sh '${join(root, 'ci/install.sh')}'`;
  const released = withNpm();
  await runShell(line(released.folder), {env: {PIXELCTL_VERSION: '1.2.3'}});
  expect(released.calls()).toContain('npm install --global --no-audit --no-fund pixelctl@1.2.3\n');
  const own = withNpm();
  await runShell(line(own.folder));
  expect(own.calls()).toBe(`${root}\nnpm run build\n${root}\nnpm install --global --no-audit --no-fund .\n`);
});

test('the job of GitLab', async () => {
  await using sandbox = await sandboxOfTest();
  const npm = withNpm();
  const folder = newFolder();
  writeFileSync(join(folder, 'p.yml'), policyFor(sandbox.url));
  const inputs = {policy: 'p.yml', server: sandbox.url, version: 'latest'};
  const env = {...allFilled(job.variables, inputs), PIXELCTL_TOKEN: sandbox.token};
  const ended = await runShell(['set -e', `PATH="${npm.folder}:$PATH"`, ...job.script].join('\n'), {folder, env});
  expect(ended).toMatchObject({status: 10});
  expect(npm.calls()).toContain('pixelctl@latest');
  expect(job.artifacts.when).toBe('always');
  expect(readFileSync(join(folder, job.artifacts.reports.junit), 'utf8')).toContain('name="bad.example"');
});

const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;
if (!hasShellcheck) process.stderr.write('The scripts for CI are not checked: there is no shellcheck on the path\n');

test.skipIf(!hasShellcheck)('shellcheck has nothing to say', () => {
  const {stdout} = spawnSync('shellcheck', ['--shell=sh', join(root, 'ci/install.sh'), join(root, 'ci/audit.sh')], {encoding: 'utf8'});
  expect(stdout).toBe('');
});

async function sandboxOfTest(): Promise<AsyncDisposable & {readonly url: string; readonly token: string}> {
  const sandbox = await startSandbox();
  return {url: sandbox.url, token: sandbox.tokens.all, [Symbol.asyncDispose]: () => sandbox.close()};
}
