/** Profiles that a job defines in its environment, on two servers. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {run as runIn} from './in-process.js';
import {newFolder, start, type Ended} from './program.js';
import {recordedSandbox, type RecordedSandbox} from './server.js';
import {machineWith, profileOn} from './signing-in.js';
import {expectDiscreet, failing} from './told.js';

/** Ana and bob on one server, and clara on another, as the environment of a job defines them. */
async function jobWith() {
  const [one, two] = [await recordedSandbox(), await recordedSandbox({seed: {accounts: [{acct: 'clara'}]}})];
  const tokens = {...one.sandbox.tokens.users, ...two.sandbox.tokens.users};
  const env = {
    PIXELCTL_PROFILES: 'ana,my-bob,clara.2',
    PIXELCTL_SERVER_ANA: one.url,
    PIXELCTL_TOKEN_ANA: tokens['ana'] ?? '',
    PIXELCTL_SERVER_MY_BOB: one.url,
    PIXELCTL_TOKEN_MY_BOB: tokens['bob'] ?? '',
    PIXELCTL_SERVER_CLARA_2: two.url,
    PIXELCTL_TOKEN_CLARA_2: tokens['clara'] ?? '',
  };
  return {
    one,
    two,
    env,
    run: (args: readonly string[], more: Readonly<Record<string, string>> = {}, folder?: string) =>
      runIn(args, {env: {...env, ...more}, ...(folder !== undefined && {folder})}),
    fails: (args: readonly string[], more: Readonly<Record<string, string>> = {}) => failing(args, {env: {...env, ...more}}),
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
    },
  };
}

/** The tokens that a server was sent, each once. */
const tokensAt = ({exchanges}: RecordedSandbox): string[] =>
  [...new Set(exchanges.flatMap(({received: {headers}}) => headers['authorization'] ?? []))]
    .map((value) => value.replace('Bearer ', ''))
    .sort();

const ask = ['api', 'GET', '/api/v1/accounts/verify_credentials'];
const askJson = [...ask, '--json'];
const whose = ({stdout}: Ended): unknown => JSON.parse(stdout).acct;

describe('profiles of the environment', () => {
  test.concurrent('a profile of the environment is selected by flag and by PIXELCTL_PROFILE', async () => {
    await using job = await jobWith();
    expect(whose(await job.run([...askJson, '-p', 'my-bob']))).toBe('bob');
    expect(whose(await job.run(askJson, {PIXELCTL_PROFILE: 'clara.2'}))).toBe('clara');
    expect(whose(await job.run([...askJson, '-p', 'ana'], {PIXELCTL_PROFILE: 'clara.2'}))).toBe('ana');
  });

  test.concurrent('with --all-profiles each token is sent to its own server alone', async () => {
    await using job = await jobWith();
    const {status, stdout} = await job.run(['blocks', 'list', '--all-profiles', '--json']);
    expect(status).toBe(0);
    const hosts = [job.one, job.two].map(({url}) => new URL(url).host);
    const accounts = new Set(JSON.parse(stdout).map(({account}: {readonly account: string}) => account));
    for (const account of accounts) expect([`ana@${hosts[0]}`, `bob@${hosts[0]}`, `clara@${hosts[1]}`]).toContain(account);
    const {users} = job.one.sandbox.tokens;
    expect(tokensAt(job.one)).toEqual([users['ana'], users['bob']]);
    expect(tokensAt(job.two)).toEqual([job.two.sandbox.tokens.users['clara']]);
  });

  test.concurrent('without a token for the server in use, the hint says what to define', async () => {
    await using job = await jobWith();
    for (const profiles of ['ana', 'ana,my-bob']) {
      const {failure} = await job.fails(['blocks', 'list', '--server', job.two.url], {PIXELCTL_PROFILES: profiles});
      const hint = 'name a profile of this server with --profile; PIXELCTL_PROFILES has to define it';
      expect(failure).toMatchObject({exit: 3, hint});
    }
  });

  test.concurrent('saved profiles are not read, not even one of the same name', async () => {
    await using job = await jobWith();
    const saved = await machineWith(
      [profileOn(job.two.url, {name: 'ana'}), {accessToken: 'canary-of-a-saved-token'}],
      [profileOn(job.two.url, {name: 'other'}), {accessToken: 'canary-of-a-saved-token'}],
    );
    const env = {...saved.env, ...job.env};
    expect(whose(await saved.run([...askJson, '-p', 'ana'], {env}))).toBe('ana');
    const {failure} = await failing([...ask, '-p', 'other'], {env});
    expect(failure).toMatchObject({exit: 2, hint: 'profiles of this environment, by PIXELCTL_PROFILES: ana, my-bob, clara.2'});
    writeFileSync(join(saved.folder, 'profiles.json'), '{');
    expect(whose(await saved.run([...askJson, '-p', 'ana'], {env}))).toBe('ana');
  });

  test.concurrent('without a selection several are refused, and a single one is used', async () => {
    await using job = await jobWith();
    const {failure} = await job.fails(ask);
    expect(failure).toMatchObject({
      exit: 2,
      message: 'No profile is selected; PIXELCTL_PROFILES defines ana, my-bob, clara.2',
      hint: 'name one with --profile or PIXELCTL_PROFILE',
    });
    expect(whose(await job.run(askJson, {PIXELCTL_PROFILES: 'clara.2'}))).toBe('clara');
  });

  test.concurrent('a token that the server does not accept is named by its variable, and never printed', async () => {
    await using job = await jobWith();
    const token = 'canary-of-a-wrong-token';
    const args = [...ask, '-p', 'ana', '-v'];
    const ended = await job.run(args, {PIXELCTL_TOKEN_ANA: token});
    expect(ended).toMatchObject({status: 3, stderr: expect.stringContaining('> authorization: Bearer ***')});
    expectDiscreet(ended, [token]);
    const {failure} = await job.fails(ask, {PIXELCTL_TOKEN_ANA: token, PIXELCTL_PROFILE: 'ana'});
    expect(failure).toMatchObject({exit: 3, hint: 'set PIXELCTL_TOKEN_ANA to a valid token; the token may have expired or been revoked'});
    const several = await job.run(['blocks', 'list', '--all-profiles'], {PIXELCTL_TOKEN_ANA: token});
    expect(several).toMatchObject({status: 11, stderr: expect.stringContaining('set PIXELCTL_TOKEN_ANA to a valid token')});
    expectDiscreet(several, [token]);
  });

  test.concurrent('commands that change saved profiles are refused', async () => {
    await using job = await jobWith();
    const commands = [
      ['auth', 'login', job.one.url, '--with-token'],
      ['auth', 'switch', 'ana'],
      ['auth', 'logout', 'ana'],
      ['auth', 'refresh', 'ana'],
    ];
    for (const command of commands) {
      const {failure} = await job.fails(command);
      expect(failure).toMatchObject({
        exit: 2,
        message: 'Saved profiles cannot be changed while PIXELCTL_PROFILES is set: it defines the profiles to use instead',
        hint: 'unset PIXELCTL_PROFILES',
      });
    }
  });

  test.concurrent('auth status checks the profiles of the environment', async () => {
    await using job = await jobWith();
    const {stdout, stderr, status} = await job.run(['auth', 'status'], {PIXELCTL_TOKEN_MY_BOB: 'canary-of-a-wrong-token'});
    // None is selected: each of them decides.
    expect(status).toBe(3);
    expect(stdout).toMatch(/^ana +http.* @ana .* environment +no .*yes$/m);
    expect(stdout).toMatch(/^my-bob +http.* environment +no .*no$/m);
    expect(stderr).toMatch(/^Error: my-bob: .*token not accepted.*\nHint: set PIXELCTL_TOKEN_MY_BOB to a valid token/m);
    expect(stderr).toContain('PIXELCTL_PROFILES is set: its profiles are used instead of the saved ones.\n');
    expect(stdout + stderr).not.toMatch(/canary|sandbox-/);
    const document = await job.run(['auth', 'status', '--json'], {PIXELCTL_PROFILE: 'ana'});
    expect(JSON.parse(document.stdout).profiles).toMatchObject([
      {name: 'ana', server: job.one.url, account: '@ana', active: true, source: 'environment', ok: true},
      {name: 'my-bob', account: '@bob', active: false, ok: true},
      {name: 'clara.2', account: '@clara', server: job.two.url, active: false, ok: true},
    ]);
  });

  test.concurrent('doctor and auth token use a profile of the environment', async () => {
    await using job = await jobWith();
    const {checks} = JSON.parse((await job.run(['doctor', '--json', '-p', 'clara.2'])).stdout);
    expect(checks).toContainEqual(expect.objectContaining({name: 'profiles', ok: true, detail: '3 profiles in PIXELCTL_PROFILES'}));
    expect(checks).toContainEqual(expect.objectContaining({name: 'token', ok: true, detail: expect.stringContaining('of @clara')}));
    const token = await job.run(['auth', 'token', '-p', 'my-bob']);
    expect(token).toMatchObject({stdout: `${job.env.PIXELCTL_TOKEN_MY_BOB}\n`, status: 0});
  });

  test.concurrent('completion offers the names of the environment', async () => {
    await using job = await jobWith();
    const question = ['__complete', '3', 'blocks', 'list', '-p', ''];
    const head = '\n\n\n';
    const hosts = [job.one, job.two].map(({url}) => url);
    expect((await start(question, {env: job.env}).ended).stdout).toBe(
      `${head}ana\t${hosts[0]}\nmy-bob\t${hosts[0]}\nclara.2\t${hosts[1]}\n`,
    );
    const wrong = await start(question, {env: {...job.env, PIXELCTL_TOKEN_ANA: ''}}).ended;
    expect(wrong).toMatchObject({stdout: head, stderr: '', status: 0});
  });

  test.concurrent('a dry run names the variable that holds the token', async () => {
    await using job = await jobWith();
    const folder = newFolder();
    writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {must: [wanted.example]}\n');
    const ended = await job.run(['apply', 'p.yml', '--dry-run', '-o', 'curl', '--all-profiles'], {}, folder);
    const variables = [...ended.stdout.matchAll(/Bearer \$(\w+)"/g)].map(([, variable]) => variable);
    expect(variables).toEqual(['PIXELCTL_TOKEN_ANA', 'PIXELCTL_TOKEN_MY_BOB', 'PIXELCTL_TOKEN_CLARA_2']);
    const one = await job.run(['domain-blocks', 'add', 'wanted.example', '--dry-run', '-p', 'my-bob']);
    expect(one.stdout).toContain('authorization: Bearer $PIXELCTL_TOKEN_MY_BOB\n');
    for (const each of [ended, one]) expectDiscreet(each, [...tokensAt(job.one), ...tokensAt(job.two)]);
  });
});

test.concurrent('saved profiles that cannot be read are no obstacle where the environment has server and token', async () => {
  await using server = await recordedSandbox();
  const folder = newFolder();
  writeFileSync(join(folder, 'profiles.json'), 'broken');
  const env = {PIXELCTL_SERVER: server.url, PIXELCTL_TOKEN: server.sandbox.tokens.all, PIXELCTL_CONFIG_DIR: folder};
  expect(await runIn(['domain-blocks', 'add', 'bad.example', '--yes', '--quiet'], {env})).toMatchObject({status: 0, stderr: ''});
  const {failure} = await failing(['reports', 'list'], {env});
  expect(failure).toMatchObject({exit: 3, hint: expect.stringContaining('pixelctl auth login --admin')});
});
