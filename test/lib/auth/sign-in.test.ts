/** Sign-ins, with a token and by copying a code: what becomes the profile, what is asked again, and what is registered. */
import {describe, expect, test} from 'vitest';
import {outOfBand, registerClient} from '../../../src/lib/auth/oauth.js';
import type {ServerClient} from '../../../src/lib/auth/profile.js';
import {signInWithBrowser, signInWithToken, type BrowserOptions} from '../../../src/lib/auth/sign-in.js';
import {asFailure, type Failure} from '../../../src/lib/client/failure.js';
import type {Sandbox} from '../../sandbox/start.js';
import {bytes, json, startServer, type Reply} from '../../loopback-server.js';
import {decideOn} from '../sandbox/approving.js';
import {sandboxWith} from '../sandbox/asking.js';
import {jwt} from './jwt.js';

describe('with a token', () => {
  const signIn = async (reply: Reply, token = 'token', later: readonly Reply[] = []) => {
    const {url} = await startServer(reply, ...later);
    return {url, done: signInWithToken(url, token, {})};
  };

  test('the account of a token becomes that of the profile', async () => {
    const {url, done} = await signIn(json({id: '17', username: 'ana', acct: 'ana'}));
    expect(await done).toEqual({
      profile: {server: url.origin, account: {id: '17', acct: 'ana'}, scopes: null, expiresAt: null, client: null},
      secret: {accessToken: 'token'},
      note: undefined,
    });
  });

  test('the scopes that a token names are those of the profile', async () => {
    const {done} = await signIn(json({id: '17', username: 'ana', acct: 'ana'}), jwt({scopes: ['read']}));
    expect((await done).profile.scopes).toEqual(['read']);
  });

  const unknownRoute = json({error: 'The route x could not be found.'}, 404);

  test.each<[string, readonly Reply[], (host: string) => string]>([
    [
      'a server that does not tell',
      [unknownRoute, unknownRoute, json({version: '3.5.3'})],
      (host) => `${host} does not tell which account the token belongs to`,
    ],
    [
      'a token that may not read',
      [json({error: ''}, 403), json({version: '0.13.0'})],
      () => 'The token has no read scope, so its account is unknown',
    ],
  ])('the account of a token is unknown with %s, which is noted', async (_, [reply = unknownRoute, ...later], note) => {
    const {url, done} = await signIn(reply, 'token', later);
    expect(await done).toMatchObject({profile: {account: null}, note: note(url.host)});
  });

  test('a server that names another host is noted', async () => {
    const {url, done} = await signIn(json({id: '17', username: 'ana', acct: 'ana@other.example'}));
    expect(await done).toMatchObject({
      profile: {account: {acct: 'ana'}},
      note: `${url.host} says that your account is @ana@other.example: pixelctl uses @ana@${url.host}`,
    });
  });

  test('a token that is refused is told with where tokens are listed', async () => {
    const {url, done} = await signIn(json({error: 'Unauthenticated.'}, 401));
    await expect(done).rejects.toMatchObject({
      code: 'auth',
      details: {hint: `copy the whole token; it may have expired or been revoked: ${url.origin}/settings/applications lists them`},
    });
  });

  test.each([
    ['unavailable', json({}, 500)],
    ['bad_answer', bytes('<p>', {'content-type': 'text/html'})],
  ])('a failure of the kind %s says nothing of the token', async (code, reply) => {
    const failure = await (await signIn(reply)).done.then(() => expect.unreachable(), asFailure);
    expect(failure.code).toBe(code);
    expect(failure.details.hint ?? '').not.toContain('copy the whole token');
  });
});

describe('by copying a code', () => {
  /** A sign-in whose approval a test pastes. @param answers what is pasted in turn; `code` is what the page shows */
  async function signIn(sandbox: Sandbox, more: Partial<BrowserOptions> = {}, answers: readonly string[] = ['code']) {
    const kept: ServerClient[] = [];
    const problems: Failure[] = [];
    const shown: (string | undefined)[] = [];
    const left = [...answers];
    let address = '';
    const answer = async () => {
      const next = left.shift();
      if (next === undefined) throw new Error('Nothing is left to paste');
      return next === 'code' ? (await decideOn(address, {decision: 'approve'})).text() : next;
    };
    const done = signInWithBrowser(new URL(sandbox.url), {
      scopes: ['read', 'write', 'push'],
      keepClient: async (client) => void kept.push(client),
      showUrl(url, problem) {
        address = url;
        shown.push(problem);
      },
      onStray: () => expect.unreachable('nothing comes to a port'),
      paste: answer,
      pasteAgain: async (problem) => {
        problems.push(problem);
        return answer();
      },
      ...more,
    });
    return {kept, problems, shown, left, done, addressOf: () => address};
  }

  test('what is no code is asked for again, as often as needed', async () => {
    const {problems, done, left} = await signIn(await sandboxWith({like: '2026'}), {}, ['no code!', '', 'code']);
    await done;
    expect(problems.map(({details}) => details.reason)).toEqual(['bad_paste', 'bad_paste']);
    expect(left).toEqual([]);
  });

  test('a code that the server does not take is asked for again', async () => {
    const {done, problems} = await signIn(await sandboxWith({like: '2026'}), {}, ['wrong', 'code']);
    expect((await done).profile.account?.acct).toBe('ana');
    expect(problems).toHaveLength(1);
  });

  test('a failure of the server ends it', async () => {
    const sandbox = await sandboxWith({like: '2026'});
    const {done, problems} = await signIn(sandbox, {paste: async () => (await sandbox.close(), 'wrong')});
    await expect(done).rejects.toMatchObject({code: 'unavailable'});
    expect(problems).toEqual([]);
  });

  test.each<[string, (known: ServerClient) => ServerClient, readonly string[], boolean]>([
    ['the registration that is known', (known) => known, ['read', 'write'], true],
    ['a registration for fewer scopes', (known) => ({...known, scopes: ['read']}), ['read', 'write'], false],
    ['a registration with another redirect', (known) => ({...known, redirectUris: ['http://127.0.0.1:9/callback']}), ['read'], false],
    ['a registration that the server has forgotten', (known) => ({...known, id: '99999'}), ['read'], false],
  ])('%s is used again or not', async (_, change, scopes, isUsed) => {
    const sandbox = await sandboxWith({like: '2026'});
    const registered = await registerClient(new URL(sandbox.url), {
      name: 'pixelctl',
      redirectUri: outOfBand,
      scopes: ['read', 'write', 'push', 'admin:read'],
    });
    const {kept, done} = await signIn(sandbox, {known: change(registered), scopes});
    const {profile} = await done;
    expect(kept).toHaveLength(isUsed ? 0 : 1);
    expect(profile.client?.id === registered.id).toBe(isUsed);
  });
});
