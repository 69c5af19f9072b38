/** Sign-in by OAuth: what is sent, what servers may answer, each part wrong in turn, and that no secret is told. */
import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import {beginAuthorization, finishAuthorization, refresh, registerClient, type Authorization} from '../../../src/lib/auth/oauth.js';
import type {WireEvent} from '../../../src/lib/client/client.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {parseFault} from '../../../src/lib/sandbox/fault.js';
import {bytes, drop, holdTimeOuts, json, redirect, startServer, token, tooLate, type Reply} from '../../loopback-server.js';
import {sandboxWith} from '../sandbox/asking.js';
import {failureOf} from '../../failure-of.js';

const redirectUri = 'http://127.0.0.1:9/callback';
const scopes = ['read', 'write', 'push'];
const registration = {name: 'pixelctl', redirectUri, scopes};

/** A sign-in that waits for its approval. */
async function begin() {
  const server = new URL((await sandboxWith()).url);
  const client = await registerClient(server, {name: 'pixelctl', redirectUri, scopes});
  return beginAuthorization(server, client, {scopes, redirectUri});
}

test('opens the authorization URL with the scopes and a PKCE challenge', async () => {
  const begun = await begin();
  const {origin, pathname, searchParams} = new URL(begun.url);
  expect(origin + pathname).toBe(`${begun.server.origin}/oauth/authorize`);
  expect(begun.url).toContain('scope=read+write+push');
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: 'code',
    client_id: begun.client.id,
    redirect_uri: redirectUri,
    scope: 'read write push',
    state: begun.state,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  expect(begun.url).not.toContain(begun.codeVerifier);
  expect(begun.url).not.toContain(begun.client.secret);
});

test('uses new secrets for each sign-in', async () => {
  const begun = await begin();
  const other = await beginAuthorization(begun.server, begun.client, begun);
  expect(other.state).not.toBe(begun.state);
  expect(other.codeVerifier).not.toBe(begun.codeVerifier);
});

test('retries a registration after a temporary failure', async () => {
  const sandbox = await sandboxWith({faults: [parseFault('status=503,times=1')]});
  const client = await registerClient(new URL(sandbox.url), {name: 'pixelctl', redirectUri, scopes});
  expect(client).toEqual({id: '1', secret: expect.stringMatching(/^\w{64}$/)});
});

const client = {id: 'id-1', secret: 'secret-of-the-program'};

/** Ends a sign-in with this query; no request is expected unless there is a reply to it. */
async function finished(query: Record<string, string> | string, ...replies: readonly Reply[]) {
  const {url: server, received} = await startServer(...replies);
  const begun: Authorization = {
    url: '',
    server,
    client,
    scopes: ['read', 'wurst'],
    redirectUri,
    state: 'right',
    codeVerifier: 'v'.repeat(43),
  };
  const issued = finishAuthorization(begun, typeof query === 'string' ? query : new URLSearchParams(query), {userAgent: 'test/1'});
  return {issued, received, host: server.host};
}

const denied = ['auth', 'The sign-in on HOST was not approved', 'sign in again to approve it'] as const;
const scope = [
  'refused',
  'HOST does not support one of these scopes: read wurst',
  'Pixelfed supports read, write, follow and push',
] as const;
const other = [
  'auth',
  'This is not the response of HOST to this sign-in',
  'sign in again and open the newest link only; never open a link that somebody else sent you',
] as const;
const without = [
  'bad_answer',
  'The response of HOST contains no code',
  'copy all the text that the browser shows, or the whole address of the last page',
] as const;

test.each<[Record<string, string>, readonly [code: string, message: string, hint: string]]>([
  [{error: 'access_denied', state: 'right'}, denied],
  [{error: 'access_denied'}, denied],
  [{error: 'invalid_scope'}, scope],
  [{error: 'invalid_scope', state: 'right'}, scope],
  [{error: 'access_denied', state: 'wrong'}, other],
  [{code: 'c', state: 'wrong'}, other],
  [{code: 'c', state: ''}, other],
  [{code: 'c'}, other],
  [{}, other],
  [{state: 'right'}, without],
  [{code: '', state: 'right'}, without],
])('a redirect with %j is refused without a request', async (query, [code, message, hint]) => {
  const {issued, host, received} = await finished(query);
  const failure = await failureOf(issued);
  expect([failure.code, failure.message, failure.details.hint]).toEqual([code, message.replace('HOST', host), hint]);
  expect(received).toEqual([]);
  const pasted = await finished(JSON.stringify(query));
  expect((await failureOf(pasted.issued)).message).toBe(message.replace('HOST', pasted.host));
});

test.each<[string, Record<string, string> | string, string]>([
  ['a query', {code: 'c/1', state: 'right'}, 'c/1'],
  ['a text with code and state', '{"code": "c/1", "state": "right"}', 'c/1'],
  ['an address', `${redirectUri}?code=c%2F1&state=right`, 'c/1'],
  ['the code alone', ' c/1\n', 'c/1'],
])('a redirect as %s is exchanged by one request', async (_, answer, code) => {
  const {issued, received} = await finished(answer, json({token_type: 'Bearer', access_token: token, refresh_token: 'r', expires_in: 60}));
  expect(await issued).toMatchObject({accessToken: token, refreshToken: 'r'});
  expect(received).toMatchObject([{method: 'POST', target: '/oauth/token', headers: {'user-agent': 'test/1'}}]);
  expect(Object.fromEntries(new URLSearchParams(received[0]?.body.toString()))).toEqual({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: 'v'.repeat(43),
    client_id: client.id,
    client_secret: client.secret,
  });
});

test('a redirect may bring a token without anything that renews it', async () => {
  const {issued} = await finished('c', json({token_type: 'Bearer', access_token: token}));
  expect(await issued).toEqual({accessToken: token, scopes: null, expiresAt: null});
});

/** What a person reads of it. */
const told = (failure: Failure): string => `${failure.message}; ${failure.details.hint}`;

describe('with a misbehaving server', () => {
  const [code, secret, codeVerifier, refreshToken] = ['canary-code', 'canary-secret', 'canary-verifier', 'canary-refresh'];
  const secrets = [code, secret, codeVerifier, refreshToken];

  /** A sign-in and a renewal with a server that gives these replies, and how they fail. */
  async function failures(...replies: readonly Reply[]): Promise<readonly [Failure, Failure]> {
    const {url: server} = await startServer(...replies);
    const client = {id: '1', secret};
    const begun: Authorization = {url: '', server, client, scopes, redirectUri, state: 's', codeVerifier};
    const answer = new URLSearchParams({code, state: 's'});
    return [await failureOf(finishAuthorization(begun, answer)), await failureOf(refresh(server, client, refreshToken))];
  }

  /** Neither in what people read, nor in the causes, which crash reports show. */
  function expectNoSecret(failure: Failure): void {
    const all = inspect(failure, {depth: 20, showHidden: true});
    for (const each of secrets) expect(all).not.toContain(each);
  }

  const both = (reply: Reply): readonly Reply[] => [reply, reply];
  const html = bytes('<!doctype html><p>canary-secret canary-code</p>', {'content-type': 'text/html'});
  const echo = (...sent: readonly string[]): Reply => json({error: 'invalid_grant', hint: `no ${sent.join(' ')}`}, 400);

  test.each([
    ['a page', html, 'bad_answer'],
    ['a server error with a page', bytes('<p>canary-code</p>', {'content-type': 'text/html'}, 500), 'unavailable'],
    ['no response', tooLate, 'unavailable'],
    ['a lost connection', drop, 'unavailable'],
    ['a redirect', redirect('http://127.0.0.1:9/?canary-code'), 'bad_answer'],
    ['too many requests', json({message: 'Too Many Attempts.'}, 429), 'rate_limited'],
    ['an answer without a token', json({token_type: 'Bearer'}), 'bad_answer'],
    ['a token with a line break', json({token_type: 'Bearer', access_token: 'canary-secret\r\nx: y'}), 'bad_answer'],
    ['a token of another kind', json({token_type: 'mac', access_token: 'canary-secret'}), 'bad_answer'],
    ['a token with an odd scope', json({token_type: 'bearer', access_token: 'canary-secret', scope: ['read']}), 'bad_answer'],
    ['a list', json(['canary-secret']), 'bad_answer'],
    ['no content', (response) => response.writeHead(204).end(), 'bad_answer'],
    ['a server error with JSON', json({error: 'canary-secret'}, 500), 'unavailable'],
  ] satisfies readonly [string, Reply, string][])('reports %s without a secret', async (_name, reply, expected) => {
    holdTimeOuts();
    for (const failure of await failures(...both(reply))) {
      expect(failure.code).toBe(expected);
      expect(failure.details.hint).toBeDefined();
      expectNoSecret(failure);
    }
  });

  test('masks secrets that a refusal repeats', async () => {
    const [first, renewal] = await failures(echo(code, secret, codeVerifier), echo(secret, refreshToken));
    expect(first.message).toMatch(/rejected the code \(400\): no \*{3} \*{3} \*{3}$/);
    expect(renewal.message).toMatch(/did not renew the token \(400\): no \*{3} \*{3}$/);
    for (const failure of [first, renewal]) expectNoSecret(failure);
  });

  test('sends secrets only to this server', async () => {
    const other = await startServer();
    const {url: server, received} = await startServer(redirect(`${other.url.origin}/oauth/token`, 307));
    await failureOf(refresh(server, {id: '1', secret}, refreshToken));
    expect(received.map(({method, target, body}) => [method, target, body.toString()])).toEqual([
      ['POST', '/oauth/token', expect.stringContaining('refresh_token=canary-refresh')],
    ]);
  });
});

describe('a registration', () => {
  const answered = (more: object = {}) => json({client_id: 'i', client_secret: 's', ...more});

  test('a registration sends name, redirect and scopes', async () => {
    const {url, received} = await startServer(answered());
    const events: WireEvent[] = [];
    const options = {userAgent: 'test/1', observe: (event: WireEvent) => events.push(event)};
    expect(await registerClient(url, registration, options)).toEqual({id: 'i', secret: 's'});
    expect(events).toMatchObject([
      {target: '/api/v1/apps', body: '***'},
      {status: 200, text: '***'},
    ]);
    expect(received).toMatchObject([{method: 'POST', target: '/api/v1/apps', headers: {'user-agent': 'test/1'}}]);
    expect(received[0]?.headers.authorization).toBeUndefined();
    expect(JSON.parse(received[0]?.body.toString() ?? '')).toEqual({
      client_name: 'pixelctl',
      redirect_uris: redirectUri,
      scopes: 'read write push',
    });
  });

  test.each([
    ['id', {client_id: null}],
    ['secret', {client_secret: undefined}],
  ])('a registration without its %s is none', async (_, more) => {
    const {url} = await startServer(answered(more));
    expect(await failureOf(registerClient(url, registration))).toMatchObject({
      code: 'bad_answer',
      message: `${url.host} did not send a client id and secret`,
      details: {hint: 'check that this is the address of a Pixelfed server'},
    });
  });

  const register = async (...replies: readonly Reply[]) => {
    const {url} = await startServer(...replies);
    return registerClient(url, registration);
  };

  test('reads numeric ids with all digits', async () => {
    expect(await register(bytes('{"client_id": 12345678901234567890, "client_secret": "s"}'))).toEqual({
      id: '12345678901234567890',
      secret: 's',
    });
  });

  test.each([
    ['a page', bytes('<!doctype html>', {'content-type': 'text/html'}), 'bad_answer', /Pixelfed server/],
    ['JSON of another kind', json({id: 1}), 'bad_answer', /Pixelfed server/],
    ['a route that does not exist', json({error: 'The route x could not be found.'}, 404), 'not_found', /--with-token/],
    ['a refusal', json({errors: {redirect_uris: ['No.']}}, 422), 'refused', /No\./],
    ['a server error', bytes('<!doctype html>', {}, 500), 'unavailable', /server error \(500\)/],
    ['no response', tooLate, 'unavailable', /timed out|timeout|time-out/],
  ] satisfies readonly [string, Reply, string, RegExp][])('fails for %s', async (_name, reply, code, words) => {
    holdTimeOuts();
    const failure = await failureOf(register(reply));
    expect(failure.code).toBe(code);
    expect(told(failure)).toMatch(words);
  });

  test.each([
    ['a server says what it is', json({version: '0.13.0'}), /--with-token/],
    ['a site does not', bytes('<!doctype html>', {}, 403), /does not have the API of Pixelfed/],
  ])('a page that does not exist is told for what it is where %s', async (_, about, words) => {
    const failure = await failureOf(register(bytes('<!doctype html>', {}, 404), about));
    expect(failure.code).toBe('not_found');
    expect(told(failure)).toMatch(words);
  });
});
