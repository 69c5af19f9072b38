import {createHash} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {claimsOf} from '../../../src/lib/auth/token.js';
import type {Generation, Sandbox, SandboxOptions} from '../../sandbox/start.js';
import {answerTo, formIn} from './approving.js';
import {ask, sandboxWith, type Asked} from './asking.js';

const redirectUri = 'http://127.0.0.1:9/callback';
const verifier = 'verifier-of-the-test-'.repeat(3);
const challenge = createHash('sha256').update(verifier).digest('base64url');

type Fields = Readonly<Record<string, string>>;

const form = (fields: Fields): string => new URLSearchParams(fields).toString();

const register = async (sandbox: Sandbox): Promise<Asked> =>
  ask(sandbox, 'POST /api/v1/apps', {
    token: null,
    form: form({client_name: 'Test <client>', redirect_uris: redirectUri, scopes: 'read write push admin:read admin:write'}),
  });

const page = (sandbox: Sandbox, client: string, more: Fields = {}): string =>
  `${sandbox.url}/oauth/authorize?${form({response_type: 'code', client_id: client, redirect_uri: redirectUri, state: 's t/1', ...more})}`;

const token = (sandbox: Sandbox, fields: Fields): Promise<Asked> => ask(sandbox, 'POST /oauth/token', {token: null, form: form(fields)});

interface Ready {
  readonly sandbox: Sandbox;
  readonly client: {readonly client_id: string; readonly client_secret: string};
  /** The fields of a request for a token, with a fresh code. */
  readonly grant: (more?: Fields, account?: string) => Promise<Record<string, string>>;
}

async function ready(options: SandboxOptions = {}): Promise<Ready> {
  const sandbox = await sandboxWith(options);
  const {client_id, client_secret} = (await register(sandbox)).body;
  const client = {client_id, client_secret};
  return {
    sandbox,
    client,
    grant: async (more = {}, account = 'ana') => {
      const answer = await answerTo(page(sandbox, client_id, more), {decision: 'approve', account});
      return {grant_type: 'authorization_code', ...client, redirect_uri: redirectUri, code: answer.get('code') ?? ''};
    },
  };
}

describe('the approval page', () => {
  test('names client and scopes, escaped, and offers the account that is signed in', async () => {
    const {sandbox, client} = await ready();
    const html = await (await fetch(page(sandbox, client.client_id, {scope: 'read push'}))).text();
    expect(html).toContain('Test &lt;client&gt;');
    expect(html).not.toContain('<client>');
    expect([...html.matchAll(/<code>(\w+)<\/code>/g)].map(([, scope]) => scope)).toEqual(['read', 'push']);
    expect(html).toContain(`<option value="${formIn(html).get('account')}" selected>@ana</option>`);
    expect(html).not.toContain('kenji');
    expect(html).not.toMatch(/<script|javascript:/i);
  });

  test.each([
    ['another port', {redirect_uri: 'http://127.0.0.1:10/callback'}],
    ['another client', {client_id: '99'}],
    ['no code', {response_type: 'token'}],
    ['a challenge by another method', {code_challenge: challenge, code_challenge_method: 'plain'}],
  ])('the approval page is not shown to who wants %s, nor is anybody sent there', async (_name, fields) => {
    const {sandbox, client} = await ready();
    const {status, headers} = await fetch(page(sandbox, client.client_id, fields), {redirect: 'manual'});
    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers.get('location')).toBeNull();
  });

  test('the approval page can be decided only once', async () => {
    const {sandbox, client} = await ready();
    const html = await (await fetch(page(sandbox, client.client_id))).text();
    const decide = () =>
      fetch(`${sandbox.url}/oauth/authorize`, {
        method: 'POST',
        body: new URLSearchParams([...formIn(html)]),
        redirect: 'manual',
      });
    expect((await decide()).status).toBe(302);
    expect((await decide()).status).toBe(403);
  });
});

test.each<[Generation, string, readonly string[]]>([
  ['0.12.6', 'admin', ['read', 'admin:read', 'admin:write']],
  ['2026', 'admin', ['read', 'admin:read', 'admin:write']],
  ['0.12.6', 'bob', ['read']],
  ['2026', 'bob', ['read']],
])('a token is given for a code, like %s, to %s, with the scopes %j: those of admins to admins alone', async (like, account, scopes) => {
  const {sandbox, grant} = await ready({like});
  const {body} = await token(sandbox, await grant({scope: 'read admin:read admin:write'}, account));
  expect(body).toEqual({
    token_type: 'Bearer',
    expires_in: 31_536_000,
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refresh_token: expect.any(String),
    created_at: like === '2026' ? expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) : expect.any(Number),
  });
  expect(claimsOf(body.access_token)).toEqual({scopes, expiresAt: expect.stringMatching(/^\d{4}-/)});
  const own = {token: body.access_token};
  expect((await ask(sandbox, 'GET /api/v1/accounts/verify_credentials', own)).body.acct).toBe(account);
  expect((await ask(sandbox, 'POST /api/v2/filters', {...own, json: {}})).status).toBe(403);
});

test('tokens of another client are refused', async () => {
  const {sandbox, grant} = await ready();
  const {body: other} = await register(sandbox);
  const {body} = await token(sandbox, await grant());
  const {client_id, client_secret} = other;
  const stolen = await token(sandbox, {...(await grant()), client_id, client_secret});
  expect([stolen.status, stolen.body.hint]).toEqual([400, 'Authorization code was not issued to this client']);
  const {status} = await token(sandbox, {grant_type: 'refresh_token', client_id, client_secret, refresh_token: body.refresh_token});
  expect(status).toBe(400);
  expect((await ask(sandbox, 'GET /api/v1/blocks', {token: body.access_token})).status).toBe(200);
});
