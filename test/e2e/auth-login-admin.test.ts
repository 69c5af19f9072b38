/** Signing in as an admin: which scopes are asked for, what is checked, and what is kept. */
import {describe, expect, test} from 'vitest';
import type {Generation} from '../sandbox/start.js';
import {recordedSandbox, type RecordedSandbox, type Answered, type Around, type RecordingServer, requestsTo} from './server.js';
import {browse, machine, machineWith, printedAddress, profileOn, type Machine} from './signing-in.js';
import {jwt} from '../lib/auth/jwt.js';
import {expectDiscreet, failing, failureIn} from './told.js';

const hostOf = ({url}: RecordingServer): string => new URL(url).host;
/** The name of a profile cannot have a colon. */
const nameOn = (server: RecordingServer, account: string): string => `${account}@${hostOf(server).replace(':', '-')}`;
const pathsOf = (server: RecordingServer): string[] => requestsTo(server).map((line) => line.split('?')[0] ?? '');

/** The scopes that a sign-in asked for, in its registrations and in the browser. */
function askedScopes(
  server: RecordingServer,
  url: string,
): {readonly registered: readonly (string | null)[]; readonly asked: string | null} {
  const registrations = server.exchanges.filter(({received}) => received.target === '/api/v1/apps');
  const registered = registrations.map(
    ({received: {body}}) => new URLSearchParams(body.toString()).get('scopes') ?? JSON.parse(body.toString()).scopes,
  );
  return {registered, asked: new URL(url).searchParams.get('scope')};
}

/** Signs in with the browser as an account of the sandbox. */
async function signIn(around: Machine, server: RecordingServer, account: string, ...flags: readonly string[]) {
  const running = around.begin(['auth', 'login', server.url, ...flags]);
  const url = await printedAddress(running);
  await browse(url, {decision: 'approve', account});
  return {url, ...(await running.ended)};
}

const onPixelfed = 'read write push admin:read admin:write';
const onMastodon = 'read write push admin:read:domain_blocks admin:write:domain_blocks';
/** What is said to those who may not. */
const cause = {
  mastodon:
    'the role of the account probably lacks the permission "Manage Federation"; the token needs the scopes admin:read:domain_blocks admin:write:domain_blocks',
  pixelfed: 'the account is probably not an admin of this server; the token needs the scopes admin:read admin:write',
};

// What admins are asked for is the same on both releases of Pixelfed; signing in itself is tried on both in auth-login-browser.test.ts.
describe.each<Generation>(['0.12.6', 'mastodon'])('signing in as an admin of a server like %s', (like) => {
  // Mastodon's tokens do not expire.
  const canRenew = like !== 'mastodon';
  const scopes = like === 'mastodon' ? onMastodon : onPixelfed;

  test.concurrent("an admin's profile is kept beside the ordinary one, protected and not active", async () => {
    await using server = await recordedSandbox({like});
    const around = machine();
    const ended = await signIn(around, server, 'admin', '--admin', '-v');
    const name = `${nameOn(server, 'admin')}+admin`;
    expect(ended).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(
        `Signed in to ${hostOf(server)} as @admin, to moderate the server. Profile: ${name}; select it with --profile.\n`,
      ),
    });
    expect(askedScopes(server, ended.url)).toEqual({registered: [scopes], asked: scopes});
    const {accessToken, refreshToken, clientSecret} = (await around.store.current(name)).secret;
    expectDiscreet(
      ended,
      [accessToken, refreshToken, clientSecret].flatMap((secret) => secret ?? []),
    );
    expect(pathsOf(server).filter((line) => !line.includes('/oauth/'))).toEqual([
      'GET /api/v1/instance',
      'POST /api/v1/apps',
      'GET /api/v1/accounts/verify_credentials',
      'GET /api/v1/admin/domain_blocks',
    ]);
    expect(requestsTo(server).at(-1)).toContain('limit=1');
    expect(await around.store.list()).toMatchObject({
      active: null,
      profiles: [{name, isAdmin: true, isProtected: true, scopes: scopes.split(' '), account: {acct: 'admin'}}],
    });
    const {stdout} = await around.run(['auth', 'status', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({profiles: [{name, admin: true, active: false, scopes: scopes.split(' ')}]});
    expect(await around.run(['domain-blocks', 'add', 'spam.example', '-p', name])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`The profile ${name} is protected`),
    });
  });

  test.concurrent('a scope of admins is asked for besides the usual ones', async () => {
    await using server = await recordedSandbox({like});
    const ended = await signIn(machine(), server, 'admin', '--admin', '--scope', 'admin:read');
    const asked = [...new Set(['read', 'write', 'push', 'admin:read', ...scopes.split(' ')])].sort();
    expect(askedScopes(server, ended.url).asked?.split(' ').sort()).toEqual(asked);
  });

  test.concurrent('an ordinary sign-in asks for nothing more than it did, before and after one as an admin', async () => {
    await using server = await recordedSandbox({like});
    const ordinary = machine();
    const first = await signIn(ordinary, server, 'admin');
    expect(askedScopes(server, first.url)).toEqual({registered: ['read write push'], asked: 'read write push'});
    const admins = machine();
    await signIn(admins, server, 'admin', '--admin');
    const second = await signIn(admins, server, 'admin');
    expect(new URL(second.url).searchParams.get('scope')).toBe('read write push');
    expect(await admins.store.list()).toMatchObject({
      active: nameOn(server, 'admin'),
      profiles: [
        {name: `${nameOn(server, 'admin')}+admin`, isAdmin: true, scopes: scopes.split(' ')},
        {name: nameOn(server, 'admin'), isAdmin: false, isProtected: false, scopes: ['read', 'write', 'push']},
      ],
    });
  });

  test.concurrent('an ordinary sign-in keeps working after one as an admin, and both can be renewed', async () => {
    await using server = await recordedSandbox({like});
    const around = machine();
    await signIn(around, server, 'admin');
    const [name, admin] = [nameOn(server, 'admin'), `${nameOn(server, 'admin')}+admin`];
    const {clientSecret} = (await around.store.current(name)).secret;
    const ended = await signIn(around, server, 'admin', '--admin');
    expect(askedScopes(server, ended.url).registered).toEqual(['read write push', scopes]);
    expect((await around.store.current(name)).secret.clientSecret).toBe(clientSecret);
    if (canRenew) for (const one of [name, admin]) expect(await around.run(['auth', 'refresh', one])).toMatchObject({status: 0});
    expect((await around.store.list()).active).toBe(name);
    expect(await around.store.get(admin)).toMatchObject({scopes: scopes.split(' '), isAdmin: true, isProtected: true});
    expect(await around.run(['admin', 'domain-blocks', 'list', '--json', '-p', admin])).toMatchObject({status: 0});
  });

  test.concurrent('a person who is no admin gets no profile, and is told why that is likely', async () => {
    await using server = await recordedSandbox({like});
    const around = machine();
    const {status, stderr, stdout} = await signIn(around, server, 'bob', '--admin', '--json');
    expect([status, stdout, around.isSignedIn()]).toEqual([3, '', false]);
    expect(failureIn(`${stderr.trimEnd().split('\n').at(-1)}\n`)).toMatchObject({
      code: 'auth',
      message: `@bob cannot moderate ${hostOf(server)} with this token; nothing was saved`,
      hint: like === 'mastodon' ? cause.mastodon : cause.pixelfed,
    });
  });

  test.concurrent('a pasted token is checked like one from the browser', async () => {
    await using server = await recordedSandbox({like});
    const login = ['auth', 'login', server.url, '--with-token', '--admin'];
    const {sandbox} = server;
    const admin = sandbox.tokens.admins['admin'] ?? '';
    const around = machine();
    for (const token of [sandbox.tokens.users['admin'], sandbox.tokens.users['bob'], sandbox.grant('bob', scopes.split(' '))]) {
      const {failure} = await failing(login, {env: around.env, stdin: token ?? ''});
      expect(failure).toMatchObject({exit: 3, message: expect.stringMatching(/^@\w+ cannot moderate .*; nothing was saved$/)});
    }
    expect(around.isSignedIn()).toBe(false);
    expect(await around.run(login, {stdin: admin})).toMatchObject({status: 0});
    const name = `${nameOn(server, 'admin')}+admin`;
    expect(await around.store.list()).toMatchObject({active: null, profiles: [{name, isAdmin: true, isProtected: true}]});
    expect(await around.run(['auth', 'token', '-p', name])).toMatchObject({stdout: `${admin}\n`});
  });
});

describe('the profile of an admin', () => {
  const asAdmin = ['auth', 'login', '--with-token', '--admin'];

  test.concurrent('an ordinary profile is not replaced, and nothing is sent', async () => {
    await using server = await recordedSandbox();
    const around = await machineWith([profileOn(server.url), {accessToken: 'canary'}]);
    const {failure} = await failing([...asAdmin, '-p', 'ana'], {env: around.env, stdin: 'x'});
    expect(failure).toMatchObject({exit: 2, message: 'Profile ana is an ordinary profile: --admin does not replace it'});
    expect(server.exchanges).toEqual([]);
    expect((await around.store.current('ana')).secret).toEqual({accessToken: 'canary'});
  });

  test.concurrent('a profile can be named, and is signed in to again as an admin without the flag', async () => {
    await using server = await recordedSandbox();
    const stdin = server.sandbox.tokens.admins['admin'] ?? '';
    const around = await machineWith([profileOn(server.url), {accessToken: 'canary'}]);
    const json = await around.run([...asAdmin, server.url, '-p', 'root', '--json'], {stdin});
    expect(JSON.parse(json.stdout)).toMatchObject({profiles: [{name: 'root', admin: true, active: false, source: null}]});
    await around.store.save({...(await around.store.get('root')), isProtected: false}, (await around.store.current('root')).secret);
    expect(await around.run(['auth', 'login', '--with-token', '-p', 'root'], {stdin})).toMatchObject({status: 0});
    expect(await around.store.get('root')).toMatchObject({isAdmin: true, isProtected: false});
    const {failure} = await failing(['auth', 'login', '--with-token', '-p', 'root'], {
      env: around.env,
      stdin: server.sandbox.tokens.users['admin'] ?? '',
    });
    expect(failure).toMatchObject({exit: 3});
    expect((await around.store.current('root')).secret).toEqual({accessToken: stdin});
    expect(await around.store.list()).toMatchObject({active: 'ana'});
  });
});

test.concurrent('a diff of two profiles of admins compares what their servers block', async () => {
  await using one = await recordedSandbox({like: '0.12.6'});
  await using two = await recordedSandbox({like: 'mastodon'});
  const admin = (name: string, {url, sandbox: {tokens}}: RecordedSandbox) =>
    [profileOn(url, {name, account: {id: '3', acct: 'admin'}, isAdmin: true}), {accessToken: tokens.admins['admin'] ?? ''}] as const;
  const ordinary = profileOn(one.url, {name: 'ana'});
  const around = await machineWith(admin('one', one), admin('two', two), [ordinary, {accessToken: one.sandbox.tokens.all}]);
  expect(await around.run(['admin', 'domain-blocks', 'add', 'only-here.example', '--yes', '-p', 'one'])).toMatchObject({status: 0});
  const found = await around.run(['diff', 'one', 'two', '--json']);
  expect(found.status).toBe(10);
  expect(JSON.parse(found.stdout).differences).toContainEqual(
    expect.objectContaining({subject: 'only-here.example', kind: 'admin_domain_block', right: null}),
  );
  expect((await around.run(['diff', 'one', 'ana', '--json'])).stdout).not.toContain('only-here.example');
});

describe('a server like Mastodon', () => {
  const tokenIn = (token: string | undefined, {url}: RecordingServer) => ({env: {PIXELCTL_SERVER: url, PIXELCTL_TOKEN: token ?? ''}});

  test.concurrent.each([
    [['instances', 'list']],
    [['instances', 'get', 'bad.example']],
    [['instances', 'moderate', 'bad.example', '--banned', '--yes']],
    [['reports', 'list']],
    [['reports', 'handle', '1', '--action', 'ignore', '--yes']],
  ])('%j says that only Pixelfed has it', async (args) => {
    await using server = await recordedSandbox({like: 'mastodon'});
    const {failure} = await failing(args, tokenIn(server.sandbox.tokens.admins['admin'], server));
    expect(failure).toMatchObject({exit: 4, hint: expect.stringMatching(/^only Pixelfed has this, not Mastodon/)});
  });
});

describe('commands for admins with several profiles', () => {
  const machineOn = ({url, sandbox: {tokens}}: RecordedSandbox) =>
    machineWith(
      [profileOn(url, {name: 'bob', account: {id: '2', acct: 'bob'}}), {accessToken: tokens.users['bob'] ?? ''}],
      [profileOn(url, {name: 'root', account: {id: '3', acct: 'admin'}, isAdmin: true}), {accessToken: tokens.admins['admin'] ?? ''}],
      [profileOn(url, {name: 'unknown', account: {id: '3', acct: 'admin'}, scopes: null}), {accessToken: 'canary-of-an-unused-token'}],
    );
  const list = ['reports', 'list', '--all', '--json', '--jq', 'map(.account) | unique | .[]'];

  test.concurrent.each(['--profile=bob,root', '--all-profiles'])('a profile without the scopes fails alone, with %s', async (flag) => {
    await using server = await recordedSandbox();
    const around = await machineOn(server);
    const ended = await around.run([...list, flag]);
    expect(ended).toMatchObject({
      status: 11,
      stdout: `admin@${hostOf(server)}\n`,
      stderr: expect.stringContaining('the token lacks the scope admin:read'),
    });
  });
});

/** Answers in place of the sandbox's, by the path that they are for. */
const answering =
  (answers: Readonly<Record<string, Answered>>): Around =>
  (moment, {target}) =>
    moment === 'before' ? answers[target.split('?')[0] ?? ''] : undefined;

const blocks = '/api/v1/admin/domain_blocks';
const allowed: Answered = {text: '[]'};

describe('servers of either kind', () => {
  test.concurrent('a server that does not say what it is is asked for the scopes of Mastodon', async () => {
    const unknown = {text: JSON.stringify({uri: 'm.example', version: ''})};
    await using server = await recordedSandbox({like: 'mastodon'}, answering({'/api/v1/instance': unknown, [blocks]: allowed}));
    const around = machine();
    const ended = await signIn(around, server, 'admin', '--admin');
    expect(ended.status).toBe(0);
    expect(askedScopes(server, ended.url)).toEqual({registered: [onMastodon], asked: onMastodon});
    expect(await around.store.list()).toMatchObject({active: null, profiles: [{isAdmin: true, scopes: onMastodon.split(' ')}]});
  });

  const fewer = jwt({scopes: ['read', 'write', 'push']});
  const issued = {access_token: fewer, token_type: 'Bearer', created_at: 1_700_000_000, scope: onPixelfed};
  test.concurrent.each<[string, Generation, Readonly<Record<string, Answered>>, number, string]>([
    [
      'Mastodon does not allow it to the role',
      'mastodon',
      {[blocks]: {status: 403, text: '{"error":"This action is not allowed"}'}},
      3,
      cause.mastodon,
    ],
    [
      'Pixelfed misses a scope',
      '0.12.6',
      {[blocks]: {status: 500, text: '{"error":"Invalid scope(s) provided."}'}},
      3,
      'the token needs the scopes admin:read admin:write; if it has them, the account is probably not an admin of this server',
    ],
    [
      'the token itself says that it has fewer scopes than the server says',
      '0.12.6',
      {
        '/oauth/token': {text: JSON.stringify(issued)},
        '/api/v1/accounts/verify_credentials': {text: '{"id":"1","username":"eve","acct":"eve"}'},
        [blocks]: allowed,
      },
      3,
      cause.pixelfed,
    ],
    ['the server fails', 'mastodon', {[blocks]: {status: 503, text: '{}'}}, 7, 'server error; try again later'],
  ])('nothing is saved when %s', async (_, like, answers, exit, hint) => {
    await using server = await recordedSandbox({like}, answering(answers));
    const around = machine();
    const {status, stderr} = await signIn(around, server, 'admin', '--admin', '--json', '--retries', '0');
    const message = expect.stringMatching(/; nothing was saved$/);
    expect(failureIn(`${stderr.trimEnd().split('\n').at(-1)}\n`)).toMatchObject({exit, hint, message});
    expect([status, around.isSignedIn()]).toEqual([exit, false]);
  });
});
