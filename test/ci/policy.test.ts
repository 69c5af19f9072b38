/** The script that CI runs, against the sandbox, with the built program. */
import {existsSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startSandbox, type Sandbox} from '../../src/lib/sandbox/sandbox-server.js';
import {newFolder, root, runShell, type Ended} from '../e2e/program.js';
import {serverThat} from '../e2e/server.js';

const agreeing = 'version: 1\ndomain_blocks: {must: [spam.example.net]}\n';
const drifting = 'version: 1\ndomain_blocks: {must: [bad.example]}\n';
const script = `sh '${join(root, 'ci/policy.sh')}'`;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

interface Outcome extends Ended {
  readonly folder: string;
}

function written(files: Readonly<Record<string, string>>): string {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs it where these files are, with a token and what is given. */
async function audit(files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const folder = written(files);
  const named = {PIXELCTL_TOKEN: sandbox.tokens.all, POLICY_FILES: Object.keys(files).join('\n'), ...env};
  return {...(await runShell(script, {folder, env: named})), folder};
}

const server = () => ({PIXELCTL_SERVER: sandbox.url});
const reports = ['annotations.txt', 'audit.html', 'audit.json', 'audit.sarif', 'junit.xml', 'summary.md'];

test('all agrees: 0, with every report', async () => {
  const {status, folder, stderr} = await audit({'p.yml': agreeing}, server());
  expect({status, stderr}).toMatchObject({status: 0});
  expect(readdirSync(join(folder, 'pixelctl-reports')).sort()).toEqual(reports);
  expect(JSON.parse(readFileSync(join(folder, 'pixelctl-reports/audit.json'), 'utf8'))).toMatchObject({ok: true, server: sandbox.url});
});

test('something differs: 10, and GitHub is told where, and never the token', async () => {
  const summary = join(newFolder(), 'summary');
  writeFileSync(summary, 'of a step before\n');
  const github = {GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary};
  const {status, stdout, stderr, folder} = await audit({'p.yml': drifting}, {...server(), ...github, POLICY_FLAGS: '--verbose'});
  expect(status).toBe(10);
  expect(stderr).toContain('> authorization');
  const texts = reports.map((name) => readFileSync(join(folder, 'pixelctl-reports', name), 'utf8'));
  expect([stdout, stderr, ...texts].filter((text) => text.includes(sandbox.tokens.all))).toEqual([]);
  expect(stdout).toMatch(/^::error file=p\.yml,line=2,title=domain_blocks\.must%3A bad\.example::/m);
  expect(readFileSync(summary, 'utf8')).toMatch(/^of a step before\n## ❌ .* differs from p\.yml/);
});

test.each<[string, string, (url: string) => string]>([
  ['YAML', 'p.yml', (url) => `version: 1\nserver: "${url}" # ours\nmutes: {}\n`],
  ['JSON', 'p.json', (url) => `{\n  "version": 1,\n  "server": "${url}",\n  "mutes": {}\n}`],
])('a policy in %s does not decide where the token goes', async (_, name, text) => {
  await using other = await serverThat(() => ({text: '[]'}));
  const unnamed = await audit({[name]: text(other.url)});
  expect(unnamed).toMatchObject({status: 2, stderr: expect.stringContaining('set PIXELCTL_SERVER')});
  const compared = await audit({[name]: text(other.url)}, server());
  expect(compared).toMatchObject({status: 2, stderr: expect.stringContaining('The policy is for')});
  expect(other.exchanges).toEqual([]);
  expect(await audit({[name]: text(sandbox.url)}, server())).toMatchObject({status: 0});
});

test('several policies, with spaces and stars in their names, and more flags', async () => {
  const files = {'our policy.yml': agreeing, '*.yml': drifting};
  const {status, stdout, folder} = await audit(files, {...server(), POLICY_FLAGS: '--timeout\n20', POLICY_REPORTS: 'out/of the way'});
  expect(status).toBe(10);
  // Nobody sees annotations but on GitHub.
  expect(stdout).not.toContain('::error');
  const audits: unknown = JSON.parse(readFileSync(join(folder, 'out/of the way/audit.json'), 'utf8'));
  expect(audits).toMatchObject([
    {policy: 'our policy.yml', ok: true},
    {policy: '*.yml', ok: false},
  ]);
});

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['no policy named', {POLICY_FILES: ''}, 2],
  ['no such policy', {POLICY_FILES: 'gone.yml'}, 9],
  ['nobody there', {PIXELCTL_SERVER: 'http://127.0.0.1:9', POLICY_FLAGS: '--retries\n0'}, 7],
])('%s: it ends as pixelctl does', async (_, env, status) => {
  const ended = await audit({'p.yml': agreeing}, {...server(), ...env});
  expect(ended).toMatchObject({status});
  expect(ended.stderr).not.toBe('');
});

test('several accounts are given by variables, or by lines with them', async () => {
  const pair = (name: string, token = '') => [`PIXELCTL_SERVER_${name}=${sandbox.url}`, `PIXELCTL_TOKEN_${name}=${token}`];
  const lines = [
    'PIXELCTL_PROFILES=ana,my-bob',
    ...pair('ANA', sandbox.tokens.users['ana']),
    ...pair('MY_BOB', sandbox.tokens.users['bob']),
  ];
  const variables = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)));
  for (const env of [{POLICY_PROFILES: lines.join('\n')}, variables]) {
    const {status, folder} = await audit({'p.yml': drifting}, {...env, PIXELCTL_TOKEN: '', POLICY_FLAGS: '--all-profiles'});
    expect(status).toBe(10);
    const audits: readonly {readonly account: string}[] = JSON.parse(readFileSync(join(folder, 'pixelctl-reports/audit.json'), 'utf8'));
    expect(audits.map(({account}) => account)).toEqual(['@ana', '@bob']);
  }
});

test.each([
  'PATH=/nowhere',
  'PIXELCTL_SERVER=https://pix.example',
  'LD_PRELOAD=secret-x',
  'PIXELCTL_TOKEN_A B=secret-x',
  'secret-x',
  'PIXELCTL_TOKEN_$(id)=secret-x',
])('nothing but the variables of profiles is taken from lines: not %s, which is not printed', async (line) => {
  const ended = await audit({'p.yml': agreeing}, {...server(), POLICY_PROFILES: `PIXELCTL_PROFILES=a\n${line}`});
  expect(ended).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining('POLICY_PROFILES: a line is none of')});
  expect(ended.stderr).not.toContain('secret-x');
});

test('what an earlier run left is no report of this one', async () => {
  const folder = newFolder();
  const env = {PIXELCTL_TOKEN: sandbox.tokens.all, ...server(), POLICY_FILES: 'p.yml', POLICY_REPORTS: '.'};
  const left = 'version: 2\n';
  for (const name of ['p.yml', ...reports]) writeFileSync(join(folder, name), left);
  expect(await runShell(script, {folder, env})).toMatchObject({status: 2});
  const found = reports.filter((name) => existsSync(join(folder, name)));
  expect(found.filter((name) => readFileSync(join(folder, name), 'utf8') === left)).toEqual([]);
});

describe('a plan that somebody reads, and an apply of exactly that one', () => {
  const policy = (...domains: readonly string[]) => `version: 1\ndomain_blocks: {must: [${domains.join(', ')}]}\n`;

  /** A job in a checkout that stays, on a server of its own. */
  async function desk() {
    const own = await startSandbox({seed: 'empty'});
    const folder = newFolder();
    const run = async (command: string, env: Readonly<Record<string, string>> = {}) => {
      const output = join(newFolder(), 'output');
      writeFileSync(output, '');
      const named = {
        PIXELCTL_TOKEN: own.tokens.all,
        PIXELCTL_SERVER: own.url,
        POLICY_COMMAND: command,
        POLICY_FILES: 'p.yml',
        GITHUB_OUTPUT: output,
        ...env,
      };
      const ended = await runShell(script, {folder, env: named});
      const [, digest = ''] = /^digest=(.*)$/m.exec(readFileSync(output, 'utf8')) ?? [];
      return {...ended, digest};
    };
    const write = (text: string) => writeFileSync(join(folder, 'p.yml'), text);
    const summary = () => readFileSync(join(folder, 'pixelctl-reports/summary.md'), 'utf8');
    return {run, write, summary, [Symbol.asyncDispose]: () => own.close()};
  }

  test('changes are no failure of a plan, whose Markdown ends with the command that applies it', async () => {
    await using job = await desk();
    job.write(policy('bad.example'));
    const planned = await job.run('plan');
    expect(planned).toMatchObject({status: 0, digest: expect.stringMatching(/^[\da-f]{64}$/)});
    expect(job.summary()).toContain('+ domain block bad.example');
    expect(job.summary()).toContain(`--expect=${planned.digest}`);
    // As the guide has it, of the last comment with a plan.
    const [, filter = ''] = /--jq '(\[[^']+)'/.exec(readFileSync(join(root, 'docs/guides/ci.md'), 'utf8')) ?? [];
    const comments = ['Thanks!', `--expect=${'0'.repeat(64)}`, job.summary()].map((body, index) => ({
      author: {login: index === 1 ? 'mallory' : 'github-actions'},
      body,
    }));
    const shown = await runShell(`jq -r '${filter}' comments.json`, {
      folder: written({'comments.json': JSON.stringify({comments})}),
      env: {},
    });
    expect(shown.stdout.trim()).toBe(planned.digest);
    expect(await job.run('apply', {POLICY_EXPECT: planned.digest})).toMatchObject({status: 0});
    expect(await job.run('audit')).toMatchObject({status: 0});
    // A job that is run again finds it done.
    expect(await job.run('apply', {POLICY_EXPECT: planned.digest})).toMatchObject({status: 0});
  });

  test('another policy than the one that was reviewed sends nothing (5)', async () => {
    await using job = await desk();
    job.write(policy('bad.example'));
    const {digest} = await job.run('plan');
    job.write(policy('bad.example', 'worse.example'));
    expect(await job.run('apply', {POLICY_EXPECT: digest})).toMatchObject({status: 5});
    expect(await job.run('audit')).toMatchObject({status: 10, stdout: expect.stringContaining('bad.example')});
  });

  test('without a digest whatever the policy asks for is applied', async () => {
    await using job = await desk();
    job.write(policy('bad.example'));
    expect(await job.run('apply')).toMatchObject({status: 0});
    expect(await job.run('plan')).toMatchObject({status: 0});
  });

  test('a policy with a mistake fails, and says where', async () => {
    await using job = await desk();
    job.write('version: 1\ndomain_block: {}\n');
    expect(await job.run('plan')).toMatchObject({
      status: 2,
      digest: '',
      stderr: expect.stringMatching(/^p\.yml:2:1: unknown key|Error: p\.yml:2:1: unknown key/m),
    });
  });

  test('any other command is refused', async () => {
    await using job = await desk();
    job.write(policy());
    expect(await job.run('undo')).toMatchObject({status: 2, stderr: 'POLICY_COMMAND is none of audit, plan and apply\n'});
  });
});
