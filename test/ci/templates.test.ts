/** What the forges read: whether they accept it, and whether it fits the scripts, which are run as it says. */
import {spawnSync} from 'node:child_process';
import {accessSync, cpSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse, parseAllDocuments} from 'yaml';
import {startSandbox} from '../sandbox/start.js';
import {newFolder, root, runShell} from '../e2e/program.js';
import {archiveOf, programOf, serveFiles, sha256} from './release-server.js';
import {actionMistakes, gitlabMistakes, workflowMistakes} from './schemas.js';

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

interface Pipeline {
  readonly when: readonly {readonly event: readonly string[] | string}[];
  readonly steps: {
    readonly 'pixelctl-audit': {
      readonly environment: Readonly<Record<string, string | {readonly from_secret: string}>>;
      readonly commands: readonly string[];
    };
  };
}

const pipeline: Pipeline = parse(text('ci/woodpecker.yml'));
const woodpeckerStep = pipeline.steps['pixelctl-audit'];

interface ForgejoWorkflow {
  readonly jobs: {readonly audit: {readonly steps: readonly {readonly uses: string; readonly with?: Readonly<Record<string, string>>}[]}};
}

const forgejo: ForgejoWorkflow = parse(text('ci/forgejo.yml'));
/** The examples of the guide: a workflow of GitHub, a pipeline of GitLab, and parts of both. */
const guideBlocks = [...text('docs/guides/ci.md').matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, block = '']) => block);

/** The inputs for an archive whose program says that it runs, and then is the one that was built. */
async function archiveInputs(): Promise<Readonly<Record<'archive' | 'sha256', string>>> {
  const content = archiveOf(programOf('1.2.3', `echo 'from the archive' >&2\nexec '${process.execPath}' '${root}/bin/run.js' "$@"`), 'a');
  const {url} = await serveFiles({'/a.tar.gz': content});
  return {archive: `${url}/a.tar.gz`, sha256: sha256(content)};
}

/** A template's value with inputs put in. */
const filled = (value: string, inputs: Readonly<Record<string, string | undefined>>): string =>
  value.replaceAll(/\$(?:\{\{|\[\[) inputs\.([\w-]+) (?:\}\}|\]\])/g, (_, name: string) => inputs[name] ?? '');

const allFilled = (values: Readonly<Record<string, string>>, inputs: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value, inputs)]));

/** The inputs of the action that mean a single account. */
const ofOneAccount = ['token', 'server'];

const policyFor = (url: string): string => `version: 1\nserver: ${url}\ndomain_blocks: {must: [bad.example]}\n`;

test('inputs come by the environment: none can become part of a script', () => {
  for (const {run = ''} of action.runs.steps) expect(run).not.toContain('${{');
  for (const line of job.script) expect(line).not.toContain('$[[');
});

test('GitHub accepts the action, and the workflow and the steps of the guide', () => {
  const [workflow = '', , , , pullRequest = ''] = guideBlocks;
  expect(actionMistakes(text('action.yml'))).toEqual([]);
  expect(workflowMistakes(workflow)).toEqual([]);
  expect(workflowMistakes(pullRequest)).toEqual([]);
  expect(workflowMistakes(workflow.replace('runs-on:', 'runs_on:'))).not.toEqual([]);
  expect(actionMistakes(text('action.yml').replace('shell: sh', 'shel: sh'))).not.toEqual([]);
});

test('GitLab accepts the job, the pipelines of the guide and the template for a whole server', () => {
  const [, , include = '', , , apply = ''] = guideBlocks;
  const local = include.replace('project: OWNER/pixelctl\n    file:', 'local:');
  expect(local).not.toBe(include);
  const job = text('ci/gitlab.yml');
  const files = {'ci/gitlab.yml': job, 'audit.yml': local, 'apply.yml': apply, 'server.yml': text('ci/gitlab-server.yml')};
  const all = `include: [{local: audit.yml}, {local: apply.yml}, {local: server.yml}]\n`;
  expect(gitlabMistakes(all, files)).toBe('');
  const wrong = gitlabMistakes(all, {...files, 'ci/gitlab.yml': job.replace('when: always', 'when: sometimes')});
  expect(wrong).toContain('pixelctl-audit.artifacts.when');
});

test('Forgejo gets a workflow of the same form, with the inputs that the action requires', () => {
  expect(workflowMistakes(text('ci/forgejo.yml').replaceAll(/uses: https:\/\/[^/]+\//g, 'uses: '))).toEqual([]);
  const [step] = forgejo.jobs.audit.steps.filter(({uses}) => uses.includes('/pixelctl@'));
  expect(Object.keys(step?.with ?? {})).toEqual(['policy', ...ofOneAccount]);
  // Each forge has actions of its own under short names.
  expect(forgejo.jobs.audit.steps.filter(({uses}) => !uses.startsWith('https://'))).toEqual([]);
});

test('Woodpecker runs the same lines as GitLab, with the same settings, and gives no secret to pull requests', () => {
  expect(woodpeckerStep.commands).toEqual(job.script);
  const settings = Object.keys(woodpeckerStep.environment).filter((name) => name !== 'PIXELCTL_TOKEN');
  expect(new Set(settings)).toEqual(new Set(Object.keys(job.variables)));
  expect(woodpeckerStep.environment['PIXELCTL_TOKEN']).toEqual({from_secret: 'pixelctl_token'});
  expect(pipeline.when.flatMap(({event}) => event)).toEqual(['cron', 'manual', 'push']);
});

test('the steps of the action install an archive, and audit with it', async () => {
  await using sandbox = await sandboxOfTest();
  const [folder, home] = [newFolder(), newFolder()];
  writeFileSync(join(folder, 'p.yml'), policyFor(sandbox.url));
  const path = join(folder, 'path');
  const inputs = {
    ...(await archiveInputs()),
    policy: 'p.yml',
    token: sandbox.token,
    server: sandbox.url,
    reports: action.inputs['reports']?.default,
  };
  const [install, audit] = action.runs.steps.slice(1).map(({run = '', env = {}}) => async (added: string) => {
    const own = {GITHUB_ACTION_PATH: root, GITHUB_ACTIONS: 'true', GITHUB_PATH: path, HOME: home};
    return runShell(`set -e\nPATH="${added}:$PATH"\n${run}`, {folder, env: {...allFilled(env, inputs), ...own}});
  });
  expect(await install?.('/nowhere')).toMatchObject({status: 0, stdout: expect.stringContaining('Installed pixelctl/1.2.3')});
  const ended = await audit?.(readFileSync(path, 'utf8').trim());
  expect(ended).toMatchObject({
    status: 10,
    stdout: expect.stringContaining('::error file=p.yml'),
    stderr: expect.stringContaining('from the archive'),
  });
  for (const {value} of Object.values(action.outputs).filter((one) => !one.value.includes('steps.')))
    expect(() => accessSync(join(folder, filled(value, inputs)))).not.toThrow();
});

test('without an archive the checkout is built, and npm does not get the tokens of the job', async () => {
  const [folder, home] = [newFolder(), newFolder()];
  const log = join(folder, 'calls');
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho "$PWD: npm $*" >>'${log}'\nenv >>'${log}'\n`, {mode: 0o755});
  const env = {
    HOME: home,
    PIXELCTL_ARCHIVE: '',
    PIXELCTL_SHA256: '',
    PIXELCTL_TOKEN: 'secret-one',
    PIXELCTL_TOKEN_ALPHA: 'secret-two',
    PIXELCTL_SERVER_ALPHA: 'https://pix.example',
  };
  expect(await runShell(`PATH="${folder}:$PATH" sh '${join(root, 'install.sh')}'`, {env})).toMatchObject({status: 0});
  const calls = readFileSync(log, 'utf8');
  const prefix = join(home, '.local');
  expect(calls.match(/(?<=: )npm .*$/gm)).toEqual(['npm run build', `npm install --global --prefix ${prefix} --no-audit --no-fund .`]);
  expect(calls.startsWith(`${root}: `)).toBe(true);
  expect(calls).toContain('PIXELCTL_SERVER_ALPHA');
  expect(calls).not.toMatch(/secret-|PIXELCTL_TOKEN/);
});

test.each([
  ['GitLab', job.script],
  ['Woodpecker', woodpeckerStep.commands],
])('the job of %s takes its scripts from the repository, and the program from an archive', async (_, script) => {
  await using sandbox = await sandboxOfTest();
  const [folder, home, repository] = [newFolder(), newFolder(), newFolder()];
  for (const file of ['install.sh', 'ci/policy.sh']) cpSync(join(root, file), join(repository, file));
  const git = (words: string) => `git -C '${repository}' -c user.name=ana -c user.email=ana@pix.example ${words}`;
  const commit = ['init --quiet', 'add --all', 'commit --quiet --message=All', 'tag v1.2.3'].map(git).join(' && ');
  expect(await runShell(commit)).toMatchObject({status: 0});
  writeFileSync(join(folder, 'p.yml'), policyFor(sandbox.url));
  const inputs = {...(await archiveInputs()), policy: 'p.yml', server: sandbox.url, repository, ref: 'v1.2.3'};
  const env = {...allFilled(job.variables, inputs), PIXELCTL_TOKEN: sandbox.token, HOME: home};
  const ended = await runShell(['set -e', ...script].join('\n'), {folder, env});
  expect(ended).toMatchObject({status: 10, stderr: expect.stringContaining('from the archive')});
  expect(job.artifacts.when).toBe('always');
  expect(readFileSync(join(folder, job.artifacts.reports.junit), 'utf8')).toContain('name="bad.example"');
});

const hasShellcheck = spawnSync('shellcheck', ['--version']).status === 0;
if (!hasShellcheck) process.stderr.write('The scripts for CI are not checked: there is no shellcheck on the path\n');

test.skipIf(!hasShellcheck)('shellcheck has nothing to say', () => {
  const {stdout} = spawnSync('shellcheck', ['--shell=sh', join(root, 'install.sh'), join(root, 'ci/policy.sh')], {encoding: 'utf8'});
  expect(stdout).toBe('');
});

async function sandboxOfTest(): Promise<AsyncDisposable & {readonly url: string; readonly token: string}> {
  const sandbox = await startSandbox();
  return {url: sandbox.url, token: sandbox.tokens.all, [Symbol.asyncDispose]: () => sandbox.close()};
}
