import {expect, test} from 'vitest';
import type {WireEvent} from '../../../src/lib/client/client.js';
import {beginAuthorization, finishAuthorization, refresh, registerClient} from '../../../src/lib/auth/oauth.js';
import {parseFault} from '../../../src/lib/sandbox/fault.js';
import {answerTo} from '../sandbox/approving.js';
import {sandboxWith} from '../sandbox/asking.js';

const redirectUri = 'http://127.0.0.1:9/callback';
const scopes = ['read', 'write', 'push'];

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

test('shows no secret in wire events', async () => {
  const sandbox = await sandboxWith();
  const server = new URL(sandbox.url);
  const events: WireEvent[] = [];
  const options = {observe: (event: WireEvent) => void events.push(event)};
  const client = await registerClient(server, {name: 'pixelctl', redirectUri, scopes}, options);
  const begun = await beginAuthorization(server, client, {scopes, redirectUri});
  const answer = await answerTo(begun.url, {decision: 'approve'});
  const first = await finishAuthorization(begun, answer, options);
  const second = await refresh(server, client, first.refreshToken ?? '', options);
  expect(events.map((event) => (event.kind === 'request' ? `${event.method} ${event.target}` : event.kind))).toEqual([
    'POST /api/v1/apps',
    'answer',
    'POST /oauth/token',
    'answer',
    'POST /oauth/token',
    'answer',
  ]);
  const told = JSON.stringify(events);
  const secrets = [client.secret, begun.codeVerifier, begun.state, answer.get('code'), ...Object.values({...first, expiresAt: null})];
  for (const secret of [...secrets, second.accessToken, second.refreshToken]) if (secret) expect(told).not.toContain(secret);
});
