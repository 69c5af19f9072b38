import {parseFault} from '../../src/lib/sandbox/fault.js';
import {describe, expect, test} from 'vitest';
import type {Secret} from '../../src/lib/auth/profile.js';
import {beginAuthorization, finishAuthorization, registerClient} from '../../src/lib/auth/oauth.js';
import type {Generation, SandboxOptions} from '../sandbox/start.js';
import {answerTo} from '../lib/sandbox/approving.js';
import {recordedSandbox, serverThat, type RecordedSandbox, type RecordingServer} from './server.js';
import {machineWith, profileOn, type Machine} from './signing-in.js';
import {expectDiscreet, failing} from './told.js';

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const renewals = ({exchanges}: RecordingServer): number => exchanges.filter(({received: {target}}) => target === '/oauth/token').length;

interface SignedIn extends AsyncDisposable {
  readonly server: RecordedSandbox;
  readonly around: Machine;
  readonly secret: Secret;
}

/** Somebody who has signed in in the browser, with a token that is said to end in so many seconds. */
async function signedIn(seconds: number, options: SandboxOptions = {}): Promise<SignedIn> {
  const server = await recordedSandbox(options);
  const [origin, scopes, redirectUri] = [new URL(server.sandbox.url), ['read', 'write'], 'http://127.0.0.1:9/callback'];
  const client = await registerClient(origin, {name: 'pixelctl', redirectUri, scopes});
  const begun = await beginAuthorization(origin, client, {scopes, redirectUri});
  const {accessToken, refreshToken} = await finishAuthorization(begun, await answerTo(begun.url, {decision: 'approve'}));
  const secret = {accessToken, refreshToken, clientSecret: client.secret};
  const profile = profileOn(server.url, {client: {id: client.id}, scopes, expiresAt: inSeconds(seconds)});
  return {
    server,
    around: await machineWith([profile, secret]),
    secret,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A server on which everything works but renewing. */
const refusing = (status: number, text: string): Promise<RecordingServer> =>
  serverThat(({target}) => (target === '/oauth/token' ? {status, text} : {text: '[]'}));

const secretOfTests: Secret = {accessToken: 'canary-access', refreshToken: 'canary-refresh', clientSecret: 'canary-client'};

describe.each<Generation>(['2026', '0.12.6'])('with a server like %s', (like) => {
  test.concurrent('auth refresh renews a token that has not expired', async () => {
    await using begun = await signedIn(86_400, {like});
    const {around, server, secret} = begun;
    const ended = await around.run(['auth', 'refresh', '-v']);
    expect(ended).toMatchObject({stdout: '', status: 0, stderr: expect.stringMatching(/^Renewed the token of ana, until \d{4}-.*Z\.$/m)});
    const now = (await around.store.current('ana')).secret;
    expect(now.accessToken).not.toBe(secret.accessToken);
    expect(now.refreshToken).not.toBe(secret.refreshToken);
    expectDiscreet(ended, [...Object.values(secret), ...Object.values(now)].map(String));
    expect(await around.run(['blocks', 'list'])).toMatchObject({status: 0});
    expect(renewals(server)).toBe(1);
  });

  test.concurrent.each([60, -60])('renews a token with %d s left automatically', async (seconds) => {
    await using begun = await signedIn(seconds, {like});
    const {around, server} = begun;
    expect(await around.run(['blocks', 'list', '--json'])).toMatchObject({status: 0, stderr: ''});
    expect(await around.run(['blocks', 'list', '--json'])).toMatchObject({status: 0, stderr: ''});
    expect(server.exchanges.map(({received: {target}}) => target)).toEqual(['/oauth/token', '/api/v1/blocks', '/api/v1/blocks']);
    const {expiresAt} = await around.store.get('ana');
    expect(Date.parse(expiresAt ?? '')).toBeGreaterThan(Date.now() + 86_400_000);
  });
});

test.concurrent('renews a token once for several processes', async () => {
  await using begun = await signedIn(60, {faults: [parseFault('delay=300')]});
  const {around, server} = begun;
  const ended = await Promise.all([1, 2, 3].map(() => around.start(['blocks', 'list', '--json']).ended));
  for (const each of ended) expect(each).toMatchObject({status: 0, stderr: ''});
  expect(renewals(server)).toBe(1);
});

test.concurrent('renews short-lived tokens as often as needed', async () => {
  await using begun = await signedIn(1, {tokenLifetime: 100});
  const {around, server} = begun;
  expect(await around.run(['blocks', 'list'])).toMatchObject({status: 0});
  expect(await around.run(['blocks', 'list'])).toMatchObject({status: 0});
  expect(renewals(server)).toBe(2);
});

describe('when renewing fails', () => {
  const failures: readonly (readonly [string, number, string])[] = [
    ['the server has trouble', 503, '{"error":"Later"}'],
    ['the server does not want to', 400, '{"error":"invalid_grant","error_description":"canary-refresh is revoked"}'],
    ['an HTML page comes', 200, '<!doctype html><p>canary-refresh'],
    ['the answer is cut off', 200, '{"access_token":"canary-new'],
  ];

  test.concurrent.each(failures)('a renewal that fails as %s keeps and uses the old token until it expires', async (_, status, text) => {
    await using server = await refusing(status, text);
    const expiresAt = inSeconds(240);
    const around = await machineWith([profileOn(server.url, {client: {id: '1'}, expiresAt}), secretOfTests]);
    const ended = await around.run(['blocks', 'list', '--json', '-v']);
    expect(ended).toMatchObject({
      status: 0,
      stdout: '[]\n',
      stderr: expect.stringContaining('Warning: the token of ana expires soon and could not be renewed: '),
    });
    expect(server.exchanges.at(-1)?.received.headers['authorization']).toBe('Bearer canary-access');
    const {failure} = await failing(['auth', 'refresh'], {env: around.env});
    expect(failure.exit).toBeOneOf([3, 7, 8]);
    expect((await around.store.current('ana')).secret).toEqual(secretOfTests);
    expect(await around.store.get('ana')).toMatchObject({expiresAt});
    expectDiscreet(ended, Object.values(secretOfTests).map(String));
  });

  test.concurrent('reports an expired token', async () => {
    await using server = await refusing(400, '{"error":"invalid_grant"}');
    const around = await machineWith([profileOn(server.url, {client: {id: '1'}, expiresAt: inSeconds(-1)}), secretOfTests]);
    const {failure} = await failing(['blocks', 'list'], {env: around.env});
    expect(failure).toMatchObject({
      code: 'auth',
      exit: 3,
      message: expect.stringMatching(/^The token of ana has expired and could not be renewed: .* did not renew the token \(400\)/),
      hint: `sign in again: \`pixelctl auth login --server=${server.url} --profile=ana\``,
    });
    expect(server.exchanges.map(({received: {target}}) => target)).toEqual(['/oauth/token', '/oauth/token']);
    expect((await around.store.current('ana')).secret).toEqual(secretOfTests);
  });

  test.concurrent('reports a server that is down', async () => {
    const around = await machineWith([profileOn('http://127.0.0.1:1', {client: {id: '1'}, expiresAt: inSeconds(-1)}), secretOfTests]);
    const {failure} = await failing(['blocks', 'list', '--retries', '0'], {env: around.env});
    expect(failure).toMatchObject({
      exit: 7,
      message: expect.stringContaining('has expired and could not be renewed: Cannot connect'),
      hint: expect.stringContaining('try again later'),
    });
    expect((await around.store.current('ana')).secret).toEqual(secretOfTests);
  });
});

test.concurrent('a pasted token that has expired is not sent', async () => {
  await using server = await refusing(500, '{}');
  const around = await machineWith([profileOn(server.url, {expiresAt: inSeconds(-1)}), {accessToken: 'canary-access'}]);
  const {failure} = await failing(['blocks', 'list'], {env: around.env});
  expect(failure).toMatchObject({exit: 3, message: 'The token of ana has expired', hint: expect.stringContaining('sign in again')});
  expect(server.exchanges).toEqual([]);
});

test.concurrent('a pasted token cannot be renewed', async () => {
  const around = await machineWith([profileOn('https://pix.example'), {accessToken: 'canary-access'}]);
  const {failure} = await failing(['auth', 'refresh'], {env: around.env});
  expect(failure).toMatchObject({
    exit: 2,
    message: expect.stringContaining('cannot be renewed'),
    hint: expect.stringContaining('sign in again'),
  });
});

test.concurrent('a token is not renewed over plain http', async () => {
  const around = await machineWith([profileOn('http://192.0.2.1', {client: {id: '1'}, expiresAt: inSeconds(-1)}), secretOfTests]);
  for (const args of [
    ['auth', 'refresh'],
    ['blocks', 'list'],
  ]) {
    const {failure} = await failing(args, {env: around.env});
    expect(failure).toMatchObject({exit: 2, message: expect.stringContaining('Profile ana is plain http')});
  }
});
