/** Policies and more than one account. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import {run as runAs} from './in-process.js';
import {deskAt, watchedSandbox, type WatchedSandbox} from './policy-server.js';
import {newFolder, type Ended} from './program.js';
import {machineWith, profileOn} from './signing-in.js';
import {failureIn} from './told.js';

const policy = 'version: 1\ndomain_blocks: {must: [spam.example.net]}\n';

/** Two servers, a profile on each, and a folder to work in. */
async function twoServers(files: Readonly<Record<string, string>> = {'p.yml': policy}) {
  const [one, two] = [await watchedSandbox(), await watchedSandbox({like: '0.12.6', seed: 'empty'})];
  const secretOf = ({env}: WatchedSandbox) => ({accessToken: env['PIXELCTL_TOKEN'] ?? ''});
  const machine = await machineWith(
    [profileOn(two.url, {name: 'two', account: {id: '1', acct: 'ana'}}), secretOf(two)],
    [profileOn(one.url, {name: 'one', account: {id: '1', acct: 'ana'}}), secretOf(one)],
  );
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return {
    one,
    two,
    folder,
    run: (...args: readonly string[]): Promise<Ended> => machine.run(args, {folder}),
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
    },
  };
}

test.concurrent.each(['plan', 'audit', 'apply'])(
  '%s refuses an account that must and must not be blocked, in two spellings',
  async (command) => {
    await using server = await watchedSandbox();
    const {run, write} = deskAt(server, {});
    write('p.yml', `version: 1\nblocks:\n  must: [bob]\n  must_not: ['@bob@${new URL(server.url).host}']\n`);
    const {status, stderr} = await run(command, 'p.yml', ...(command === 'apply' ? ['--yes'] : []));
    expect({status, stderr}).toEqual({
      status: 2,
      stderr: expect.stringContaining('p.yml:3: the same item is in must_not of blocks at p.yml:4'),
    });
  },
);

test.concurrent('a plan, an audit and an apply leave out the own account, which the policy names by its id', async () => {
  await using server = await watchedSandbox();
  const {run, write} = deskAt(server, {});
  const id = (await run('api', 'GET', '/api/v1/accounts/verify_credentials', '--jq', '.id')).stdout.trim();
  write('p.yml', `version: 1\nblocks: {must: ['${id}']}\nmutes: {must: ['${id}']}\n`);
  for (const command of ['plan', 'audit'])
    expect(JSON.parse((await run(command, 'p.yml', '--json')).stdout), command).toMatchObject({
      skipped: ['block', 'mute'].map((kind) => ({kind, subject: 'ana', why: 'it is the account itself'})),
      ...(command === 'plan' ? {changes: []} : {findings: [], ok: true}),
    });
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(server.writes).toEqual([]);
});

test.concurrent('audits several profiles in one run, with a report each', async () => {
  await using desk = await twoServers();
  const {one, two, run, folder} = desk;
  const both = ['--profile', 'one', '--profile', 'two'];
  const {status, stdout, stderr} = await run('audit', 'p.yml', ...both, '--json', '--report', 'json=all.json');
  expect({status, error: failureIn(stderr)}).toMatchObject({
    status: 10,
    error: {message: expect.stringMatching(/^1 difference in 1 of 2 audits: 1 domain block$/)},
  });
  expect(JSON.parse(stdout)).toMatchObject([
    {server: one.url, account: '@ana', policy: 'p.yml', ok: true, findings: []},
    {server: two.url, ok: false, findings: [{subject: 'spam.example.net'}]},
  ]);
  expect(JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8'))).toEqual(JSON.parse(stdout));
  expect((await run('audit', 'p.yml', ...both)).stdout).toMatch(new RegExp(`^server .*\\n${two.url} `));
});

test.concurrent('an audit of several policies suggests a plan for each that differs', async () => {
  await using server = await watchedSandbox();
  const missing = (domain: string) => `version: 1\ndomain_blocks: {must: [${domain}]}\n`;
  const {run} = deskAt(server, {'a.yml': missing('a.example'), 'b.yml': 'version: 1\n', 'c.yml': missing('c.example')});
  const [planA, planC] = ['a.yml', 'c.yml'].map((file) => `pixelctl plan ${file}`);
  expect((await run('audit', 'a.yml', 'b.yml', 'c.yml')).stderr).toContain(
    `To see what would change: ${planA}\nTo see what would change: ${planC}\n`,
  );
  const {hint} = failureIn((await run('audit', 'a.yml', 'b.yml', 'c.yml', '--json')).stderr);
  expect(hint).toBe(`to see what would change: \`${planA}\`; to see what would change: \`${planC}\``);
});

test.concurrent('shows the other accounts when one cannot be read', async () => {
  await using desk = await twoServers({'p.yml': 'version: 1\ndomain_blocks: {must: [bad.example]}\nblocks: {must_not: [nobody]}\n'});
  const {one, two, run, folder} = desk;
  await two[Symbol.asyncDispose]();
  const args = ['audit', 'p.yml', '--profile', 'two', '--profile', 'one', '--retries', '0'];
  const {status, stdout, stderr} = await run(...args, '--json', '--report', 'json=all.json', '--report', 'junit=all.xml');
  const host = new URL(two.url).host;
  expect({status, error: failureIn(stderr)}).toMatchObject({
    status: 11,
    error: {code: 'partial', message: `ana@${host} could not be checked; 1 difference in the others`, hint: 'the results say why'},
  });
  expect(JSON.parse(stdout)).toMatchObject([
    {
      server: two.url,
      account: '@ana',
      ok: false,
      findings: [],
      skipped: [{kind: 'domain_block'}, {kind: 'block'}],
      error: {code: 'unavailable'},
    },
    {
      server: one.url,
      account: '@ana',
      ok: false,
      findings: [{subject: 'bad.example', fix: 'pixelctl domain-blocks add bad.example --profile=one'}],
    },
  ]);
  expect(JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8'))).toEqual(JSON.parse(stdout));
  expect(readFileSync(join(folder, 'all.xml'), 'utf8')).toContain('<error type="unavailable"');
  const table = await run(...args);
  expect(table.status).toBe(11);
  expect(table.stdout).toMatch(new RegExp(`^${two.url} .*error: Cannot read the domain blocks of`, 'm'));
  expect(table.stdout).toMatch(new RegExp(`^${one.url} .*bad\\.example`, 'm'));
  const csv = await run(...args, '-o', 'csv');
  expect(csv.stdout.split('\n')).toHaveLength(4);
  // One account alone is its own failure.
  expect(await run('audit', 'p.yml', '--profile', 'two', '--retries', '0')).toMatchObject({status: 7, stdout: ''});
});

test.concurrent('refuses to audit another server than the policy names', async () => {
  await using desk = await twoServers();
  const {one, run, folder} = desk;
  writeFileSync(join(folder, 'p.yml'), `${policy}server: ${one.url}\n`);
  expect(await run('audit', 'p.yml', '--profile', 'one')).toMatchObject({status: 0});
  for (const args of [
    ['audit', 'p.yml', '--profile', 'one', '--profile', 'two'],
    ['plan', 'p.yml', '-p', 'two'],
    ['apply', 'p.yml', '-p', 'two', '--yes'],
  ])
    expect(await run(...args), args.join(' ')).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining('The policy is for')});
});

test.concurrent('an apply on another server is not reverted', async () => {
  await using desk = await twoServers();
  const {run} = desk;
  expect(await run('apply', 'p.yml', '--profile', 'two', '--yes')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('as @ana on 127.0.0.1'),
  });
  expect(await run('undo', 'p.yml', '--profile', 'one', '--yes')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('Nothing to undo'),
  });
  expect([desk.one.writes, desk.two.writes.length > 0]).toEqual([[], true]);
  expect(await run('undo', 'p.yml', '--profile', 'two', '--yes')).toMatchObject({status: 0});
});

test.concurrent('compares a policy for several accounts with one that the server does not name by the rules for all', async () => {
  await using server = await watchedSandbox({faults: [parseFault('status=404,at=GET /api/v1/accounts/verify_credentials')]});
  const own = `for: {"ana@${new URL(server.url).host}": {domain_blocks: {must: [own.example]}}}\n`;
  const {run} = deskAt(server, {'p.yml': `version: 1\ndomain_blocks: {must: [all.example]}\n${own}`});
  const {status, stdout} = await run('diff', 'p.yml');
  expect(stdout).toMatch(/^kind +what +p\.yml +127\.0\.0\.1:\d+\n/);
  expect(status).toBe(10);
  expect(stdout).toMatch(/all\.example/);
  expect(stdout).not.toMatch(/own\.example/);
});

test.concurrent('compares profiles, policies and lists, and rejects anything else', async () => {
  await using desk = await twoServers({'p.yml': policy, 'd.csv': 'spam.example.net\n'});
  const {run} = desk;
  expect(await run('diff', 'p.yml', 'd.csv')).toMatchObject({status: 0, stdout: ''});
  expect(await run('diff', 'p.yml', 'two')).toMatchObject({
    status: 10,
    stdout: expect.stringMatching(/domain_block +spam\.example\.net +blocked +–/),
  });
  expect(await run('diff', 'two', 'p.yml')).toMatchObject({
    status: 10,
    stdout: expect.stringMatching(/domain_block +spam\.example\.net +– +blocked/),
  });
  expect(await run('diff', 'p.yml', 'three')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('No file or profile is named three'),
  });
});

test.concurrent.each(['plan', 'audit', 'apply'])(
  '%s of a policy that names accounts ends with 3 where the token is refused',
  async (command) => {
    await using server = await watchedSandbox();
    const folder = newFolder();
    const {host} = new URL(server.url);
    writeFileSync(join(folder, 'p.yml'), `version: 1\naccounts: ['ana@${host}']\nfor: {'ana@${host}': {mutes: {must: [bob]}}}\n`);
    const words = [command, 'p.yml', '--json', ...(command === 'apply' ? ['--yes'] : [])];
    const {status, stderr} = await runAs(words, {env: {...server.env, PIXELCTL_TOKEN: 'nope'}, folder});
    expect({exit: status, error: failureIn(stderr)}).toMatchObject({exit: 3, error: {code: 'auth', status: 401}});
  },
);
