/** Sign-ins: what is waited for, the scopes that a profile gets, and what a failure says of the token. */
import {expect, onTestFinished, test, vi} from 'vitest';
import {signInWithBrowser, signInWithToken, type BrowserOptions} from '../../../src/lib/auth/sign-in.js';
import {bytes, json, startServer, type Reply} from '../../loopback-server.js';
import {sandboxWith} from '../sandbox/asking.js';
import {jwt} from './jwt.js';
import {failureOf} from '../../failure-of.js';

const scopes = ['read', 'write', 'push'];
const me = json({id: '7', acct: 'ana'});

/** How a sign-in is asked for. Nothing comes to a port. */
const optionsWith = (own: Partial<BrowserOptions>): BrowserOptions => ({
  scopes,
  showUrl: () => {},
  onStray: () => expect.unreachable(),
  ...own,
});

test('a sign-in with the browser ends when nobody approves it within ten minutes', async () => {
  // No browser is opened.
  const environment = {SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22'};
  const sandbox = await sandboxWith();
  const {promise: url, resolve: showUrl} = Promise.withResolvers<string>();
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  onTestFinished(() => void vi.useRealTimers());
  const signedIn = failureOf(signInWithBrowser(new URL(sandbox.url), optionsWith({environment, showUrl})));
  const redirect = new URL(await url).searchParams.get('redirect_uri') ?? '';
  vi.advanceTimersByTime(599_999);
  expect((await fetch(redirect)).status).toBe(404);
  vi.advanceTimersByTime(1);
  expect(await signedIn).toMatchObject({
    code: 'auth',
    message: 'The sign-in was not approved within 600 s',
    details: {hint: 'sign in again; use --no-browser when the browser is on another machine'},
  });
});

const told = (scope: string | undefined, token: string): readonly Reply[] => [
  json({client_id: '1', client_secret: 's'}),
  json({token_type: 'Bearer', access_token: token, ...(scope !== undefined && {scope})}),
  me,
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
  const {profile, secret} = await signInWithBrowser(url, optionsWith({paste: async () => 'a-code'}));
  expect(profile).toMatchObject({scopes: expected, expiresAt: null});
  expect(secret).toEqual({accessToken: token, clientSecret: 's', refreshToken: undefined});
  expect(received.map(({target}) => target)).toEqual(['/api/v1/apps', '/oauth/token', '/api/v1/accounts/verify_credentials']);
});

test.each([
  ['unavailable', json({}, 500)],
  ['bad_answer', bytes('<p>', {'content-type': 'text/html'})],
])('a failure of the kind %s says nothing of a token that was pasted', async (code, reply) => {
  const {url} = await startServer(reply);
  const failure = await failureOf(signInWithToken(url, 'token', {}));
  expect(failure.code).toBe(code);
  expect(failure.details.hint ?? '').not.toContain('copy the whole token');
});

test('the scopes that a pasted token names are those of the profile', async () => {
  const {url} = await startServer(me);
  expect((await signInWithToken(url, jwt({scopes: ['read']}), {})).profile.scopes).toEqual(['read']);
});
