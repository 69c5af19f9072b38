/** Sign-ins with the redirect to this machine, and the scopes that a profile gets. */
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {redirectUriAt} from '../../../src/lib/auth/browser.js';
import {outOfBand} from '../../../src/lib/auth/oauth.js';
import type {ServerClient} from '../../../src/lib/auth/profile.js';
import {signInWithBrowser, type BrowserOptions} from '../../../src/lib/auth/sign-in.js';
import {freePort} from '../../free-port.js';
import {json, startServer, type Reply} from '../../loopback-server.js';
import {answerTo, decideOn} from '../sandbox/approving.js';
import {sandboxWith} from '../sandbox/asking.js';
import {jwt} from './jwt.js';

const scopes = ['read', 'write', 'push'];
const usual = [29_170, 29_171, 29_172].map(redirectUriAt);

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof Failure) return error;
  throw error;
}

const me = (more: object = {}): Reply => json({id: '7', acct: 'ana', ...more});

/** What a sign-in does besides: the registrations that it keeps, the addresses that it shows, and the strays. */
function watched(own: Partial<BrowserOptions> = {}) {
  const kept: ServerClient[] = [];
  const shown: (readonly [url: string, problem: string | undefined])[] = [];
  const strays: string[] = [];
  const url = Promise.withResolvers<string>();
  const options: BrowserOptions = {
    scopes,
    keepClient: async (client) => void kept.push(client),
    showUrl(address, problem) {
      shown.push([address, problem]);
      url.resolve(address);
    },
    onStray: (error) => strays.push(error),
    ...own,
  };
  return {options, kept, shown, strays, url: url.promise};
}

/** No browser is opened. */
function overSsh(): void {
  vi.stubEnv('BROWSER', '');
  vi.stubEnv('SSH_CONNECTION', '10.0.0.1 1 10.0.0.2 22');
  onTestFinished(() => void vi.unstubAllEnvs());
}

const redirectOf = (url: string): string | null => new URL(url).searchParams.get('redirect_uri');

describe('a sign-in with the browser', () => {
  test('a sign-in with the browser comes back to this machine', async () => {
    overSsh();
    const sandbox = await sandboxWith();
    const port = await freePort();
    const {options, kept, shown, strays, url} = watched({port});
    const begun = Date.now();
    const signedIn = signInWithBrowser(new URL(sandbox.url), options);
    const answer = await answerTo(await url, {decision: 'approve', account: 'bob'});
    await fetch(`${redirectUriAt(port)}?error=unknown_scope`);
    await fetch(`${redirectUriAt(port)}?${answer}`);
    const {profile, secret, note} = await signedIn;
    expect(shown).toEqual([[await url, 'this is an SSH session']]);
    expect(strays).toEqual(['unknown_scope']);
    expect(redirectOf(await url)).toBe(redirectUriAt(port));
    expect(new URL(await url).searchParams.get('scope')).toBe('read write push');
    expect(kept).toEqual([{id: '1', secret: expect.any(String), redirectUris: [redirectUriAt(port), outOfBand, ...usual], scopes}]);
    expect(profile).toEqual({
      server: sandbox.url,
      account: {id: expect.any(String), acct: 'bob'},
      scopes,
      expiresAt: expect.any(String),
      client: {id: '1'},
    });
    expect(Date.parse(profile.expiresAt ?? '')).toBeGreaterThan(begun);
    expect(secret).toEqual({accessToken: expect.any(String), refreshToken: expect.any(String), clientSecret: kept[0]?.secret});
    expect(note).toBeUndefined();
  });

  test('a sign-in with the browser ends when nobody approves it within ten minutes', async () => {
    overSsh();
    const sandbox = await sandboxWith();
    const {options, url} = watched();
    vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
    onTestFinished(() => void vi.useRealTimers());
    const signedIn = failureOf(signInWithBrowser(new URL(sandbox.url), options));
    await url;
    vi.advanceTimersByTime(599_999);
    expect((await fetch(redirectOf(await url) ?? '')).status).toBe(404);
    vi.advanceTimersByTime(1);
    expect(await signedIn).toMatchObject({
      code: 'auth',
      message: 'The sign-in was not approved within 600 s',
      details: {hint: 'sign in again; use --no-browser when the browser is on another machine'},
    });
  });

  test('a sign-in with the browser elsewhere that is denied is not asked for again', async () => {
    const sandbox = await sandboxWith();
    const {options, url} = watched({
      paste: async () => (await decideOn(await url, {decision: 'deny'})).text(),
      pasteAgain: () => Promise.reject(new Error('Nothing is asked')),
    });
    expect(await failureOf(signInWithBrowser(new URL(sandbox.url), options))).toMatchObject({code: 'auth'});
  });
});

describe('the scopes of a new profile', () => {
  const told = (scope: string | undefined, token: string): readonly Reply[] => [
    json({client_id: '1', client_secret: 's', redirect_uri: outOfBand}),
    json({token_type: 'Bearer', access_token: token, ...(scope !== undefined && {scope})}),
    me(),
  ];

  test.each<[string, string | undefined, string, readonly string[]]>([
    ['what was asked for, where nothing is said', undefined, 'opaque', scopes],
    ['what the server says', 'read push', 'opaque', ['read', 'push']],
    ['what the token says', undefined, jwt({scopes: ['read']}), ['read']],
    ['what both say', 'read write', jwt({scopes: ['write', 'push']}), ['write']],
    ['what the token includes of that', 'admin:read:domain_blocks read', jwt({scopes: ['admin:read']}), ['admin:read:domain_blocks']],
    ['none, where the server says so', '', 'opaque', []],
  ])('the scopes of a new profile are %s', async (_, scope, token, expected) => {
    const {url, received} = await startServer(...told(scope, token));
    const {options} = watched({paste: async () => 'a-code'});
    const {profile, secret} = await signInWithBrowser(url, options);
    expect(profile).toMatchObject({scopes: expected, expiresAt: null});
    expect(secret).toEqual({accessToken: token, clientSecret: 's', refreshToken: undefined});
    expect(received.map(({target}) => target)).toEqual(['/api/v1/apps', '/oauth/token', '/api/v1/accounts/verify_credentials']);
  });
});
