/** The templates that moderate a whole server: who gets the token, and what becomes of files with private comments. */
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';
import {startSandbox} from '../sandbox/start.js';
import {newFolder, root, runShell} from '../e2e/program.js';
import {workflowMistakes} from './schemas.js';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly if: string;
  readonly environment: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: {readonly plan: Job; readonly apply: Job};
}

interface Pipeline {
  readonly '.pixelctl': {readonly before_script: readonly string[]};
  readonly 'pixelctl-plan': {readonly rules: readonly {readonly if: string; readonly when?: string}[]; readonly script: readonly string[]};
  readonly 'pixelctl-apply': {readonly rules: readonly {readonly if: string}[]; readonly script: readonly string[]};
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const github = text('ci/github-server.yml');
const gitlab = text('ci/gitlab-server.yml');
const workflow: Workflow = parse(github);
const {plan, apply} = workflow.jobs;
const pipeline: Pipeline = parse(gitlab);

const runOf = ({steps}: Job, name: string): string => steps.find((step) => step.name === name)?.run ?? 'exit 99';

const policy = 'version: 1\nadmin_domain_blocks: {must: [{domain: bad.example, private_comment: canary}]}\n';

/** A folder with a program of this name that does what a script says. */
function programNamed(name: string, script: string): string {
  const folder = newFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, {mode: 0o755});
  return folder;
}

/** A checkout of a repository that other checkouts push to. */
async function repository(files: Readonly<Record<string, string>>): Promise<{readonly folder: string; readonly origin: string}> {
  const [folder, origin] = [newFolder(), newFolder()];
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), {recursive: true});
    writeFileSync(join(folder, name), content);
  }
  const own = 'git -c user.name=ana -c user.email=ana@pix.example';
  const lines = [
    `git init --quiet --bare --initial-branch=main '${origin}'`,
    'git init --quiet --initial-branch=main',
    'git add --all',
    `${own} commit --quiet --message=All`,
    `git remote add origin '${origin}'`,
    'git push --quiet --set-upstream origin main',
  ];
  expect(await runShell(lines.join(' && '), {folder})).toMatchObject({status: 0});
  return {folder, origin};
}

test('GitHub accepts the template', () => {
  expect(workflowMistakes(github)).toEqual([]);
  expect(workflowMistakes(github.replace('environment:', 'environmant:'))).not.toEqual([]);
});

test('pull requests of forks get no token', () => {
  expect(Object.keys(workflow.on).sort()).toEqual(['pull_request', 'schedule', 'workflow_dispatch']);
  expect(plan.if).toBe("github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository");
  expect(apply.if).toBe("github.event_name == 'schedule' || github.ref_name == github.event.repository.default_branch");
  const [rule, ...others] = pipeline['pixelctl-plan'].rules;
  expect([rule?.if, rule?.when, others]).toEqual([
    '$CI_PIPELINE_SOURCE == "merge_request_event" && $CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID',
    'manual',
    [],
  ]);
  expect(pipeline['pixelctl-apply'].rules).toEqual([{if: '$CI_PIPELINE_SOURCE == "schedule" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH'}]);
});

test('plan and apply have environments of their own, and only the steps that need the token get it', () => {
  expect([plan.environment, apply.environment]).toEqual(['moderation-plan', 'moderation-apply']);
  for (const {steps} of [plan, apply]) {
    const withToken = steps.filter((step) => JSON.stringify(step).includes('secrets.PIXELCTL_TOKEN'));
    expect(withToken.map(({name}) => name)).toEqual([steps === plan.steps ? 'Plan' : 'Apply']);
  }
  expect(plan.permissions).toEqual({contents: 'read', 'pull-requests': 'write'});
});

test('nothing is put where pull requests or the public can read it', () => {
  for (const {steps} of [plan, apply]) {
    expect(steps[0]?.name).toBe('Refuse a public repository');
    expect(steps.filter(({uses = ''}) => /cache|artifact/.test(uses))).toEqual([]);
    // A pull request could take the right to push from the checkout.
    for (const step of steps)
      if (step.uses !== undefined && steps === plan.steps) expect(step.with).toMatchObject({'persist-credentials': false});
  }
  expect(`${github}${gitlab}`).not.toMatch(/--show-private|--out\b|^ +artifacts:/m);
});

test.each([
  ['true', 0],
  ['false', 1],
  ['', 1],
])('a repository whose member private is %j ends with %i', async (isPrivate, status) => {
  const folder = programNamed('gh', `test "$*" = 'api repos/ana/policies --jq .private' && echo '${isPrivate}'`);
  for (const job of [plan, apply]) {
    const env = {GITHUB_REPOSITORY: 'ana/policies'};
    expect(await runShell(`set -e\nPATH="${folder}:$PATH"\n${runOf(job, 'Refuse a public repository')}`, {env})).toMatchObject({status});
  }
});

test.each([
  ['private', 0],
  ['internal', 1],
  ['public', 1],
])('a project that is %s ends with %i', async (visibility, status) => {
  const [first = 'exit 99'] = pipeline['.pixelctl'].before_script;
  expect(await runShell(first, {env: {CI_PROJECT_VISIBILITY: visibility}})).toMatchObject({status});
});

test('lists and state of a plan are those of the target branch', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'lists'));
  mkdirSync(join(folder, 'target/lists'), {recursive: true});
  const files = {
    'lists/a.txt': 'changed',
    'lists/b.txt': 'new',
    'p.yml.@pix.example.state.ndjson': 'forged',
    'q.yml.@pix.example.state.ndjson': 'forged',
    'target/lists/a.txt': 'old',
    'target/p.yml.@pix.example.state.ndjson': 'own',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const line = `set -e\n${runOf(plan, 'Take lists and state from the target branch')}`;
  expect(await runShell(line, {folder})).toMatchObject({status: 0, stderr: ''});
  expect(readFileSync(join(folder, 'lists/a.txt'), 'utf8')).toBe('old');
  expect(existsSync(join(folder, 'lists/b.txt'))).toBe(false);
  expect(readFileSync(join(folder, 'p.yml.@pix.example.state.ndjson'), 'utf8')).toBe('own');
  expect(existsSync(join(folder, 'q.yml.@pix.example.state.ndjson'))).toBe(false);
  // A branch without either has neither.
  expect(await runShell(`rm -rf target && mkdir target && ${line}`, {folder})).toMatchObject({status: 0, stderr: ''});
  expect([existsSync(join(folder, 'lists')), existsSync(join(folder, 'p.yml.@pix.example.state.ndjson'))]).toEqual([false, false]);
});

test('the lists of a merge request are those of the target branch', async () => {
  const {folder} = await repository({'moderation.yml': 'version: 1\n', 'lists/a.txt': 'old'});
  writeFileSync(join(folder, 'lists/a.txt'), 'changed');
  writeFileSync(join(folder, 'lists/b.txt'), 'new');
  const lines = ['set -e', ...pipeline['pixelctl-plan'].script.slice(0, -1)].join('\n');
  const env = {CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main'};
  expect(await runShell(lines, {folder, env})).toMatchObject({status: 0, stderr: ''});
  expect([readFileSync(join(folder, 'lists/a.txt'), 'utf8'), existsSync(join(folder, 'lists/b.txt'))]).toEqual(['old', false]);
});

test('a plan is written for a comment, an apply makes it, and its state is pushed', async () => {
  const sandbox = await startSandbox();
  await using _sandbox = {[Symbol.asyncDispose]: () => sandbox.close()};
  const {folder, origin} = await repository({'moderation.yml': policy});
  const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.admins['admin'] ?? ''};
  const step = (line: string) => runShell(`set -e\n${line}`, {folder, env});
  const planned = await step(runOf(plan, 'Plan'));
  expect(planned).toMatchObject({status: 0, stdout: expect.stringContaining('server block bad.example')});
  for (const shown of [planned.stdout, planned.stderr, readFileSync(join(folder, 'plan.md'), 'utf8')])
    expect(shown).not.toContain('canary');
  expect(readFileSync(join(folder, 'plan.md'), 'utf8')).toContain('bad.example');
  expect(await step(pipeline['pixelctl-plan'].script.at(-1) ?? '')).toMatchObject({status: 0});
  expect(await step(runOf(apply, 'Apply'))).toMatchObject({status: 0});
  const keep = runOf(apply, 'Keep the states');
  const meanwhile = newFolder();
  const own = 'git -c user.name=bob -c user.email=bob@pix.example';
  const push = `git clone --quiet '${origin}' . && ${own} commit --quiet --allow-empty --message=Meanwhile && git push --quiet`;
  expect(await runShell(push, {folder: meanwhile})).toMatchObject({status: 0});
  expect(await step(keep)).toMatchObject({status: 0, stderr: ''});
  const log = `git --git-dir='${origin}'`;
  const state = `moderation.yml.@${new URL(sandbox.url).host.replace(':', '%3A')}.state.ndjson`;
  expect((await step(`${log} show --name-only --format=%s main`)).stdout).toBe(`Record what was applied\n\n${state}\n`);
  // Nothing new: nothing is committed.
  expect(await step(keep)).toMatchObject({status: 0});
  expect((await step(`${log} rev-list --count main`)).stdout).toBe('3\n');
  expect(await step(pipeline['pixelctl-apply'].script[0] ?? '')).toMatchObject({status: 0});
  expect(await runShell(`set -e\n${runOf(plan, 'Plan')}`, {folder, env: {...env, PIXELCTL_TOKEN: 'wrong'}})).toMatchObject({status: 1});
});
