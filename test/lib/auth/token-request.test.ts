import {inspect} from 'node:util';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {finishAuthorization, refresh, registerClient, type Authorization} from '../../../src/lib/auth/oauth.js';
import {bytes, drop, holdTimeOuts, json, redirect, startServer, tooLate, type Reply} from '../../loopback-server.js';

const redirectUri = 'http://127.0.0.1:9/callback';
const scopes = ['read', 'write', 'push'];
const registration = {name: 'pixelctl', redirectUri, scopes};

/** The failure of an action, which nothing but a Failure may be. */
async function failureOf(action: Promise<unknown>): Promise<Failure> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error;
  throw error ?? new Error('It did not fail');
}

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
