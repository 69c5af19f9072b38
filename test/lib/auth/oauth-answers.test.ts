/** What a redirect and a registration may bring, each part wrong in turn, and what is sent for it. */
import {describe, expect, test} from 'vitest';
import {finishAuthorization, registerClient, type Authorization} from '../../../src/lib/auth/oauth.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {json, startServer, token, type Reply} from '../../loopback-server.js';

const redirectUri = 'http://127.0.0.1:9/callback';
const client = {id: 'id-1', secret: 'secret-of-the-program'};

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof Failure) return error;
  throw error;
}

describe('a redirect', () => {
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
    const {issued, received} = await finished(
      answer,
      json({token_type: 'Bearer', access_token: token, refresh_token: 'r', expires_in: 60}),
    );
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
});

describe('a registration', () => {
  const registration = {name: 'the program', redirectUri, scopes: ['read', 'push']};
  const answered = (more: object = {}) => json({client_id: 'i', client_secret: 's', ...more});

  test('a registration sends name, redirect and scopes', async () => {
    const {url, received} = await startServer(answered());
    const options = {userAgent: 'test/1'};
    expect(await registerClient(url, registration, options)).toEqual({id: 'i', secret: 's'});
    expect(received).toMatchObject([{method: 'POST', target: '/api/v1/apps', headers: {'user-agent': 'test/1'}}]);
    expect(received[0]?.headers.authorization).toBeUndefined();
    expect(JSON.parse(received[0]?.body.toString() ?? '')).toEqual({
      client_name: 'the program',
      redirect_uris: redirectUri,
      scopes: 'read push',
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
});
