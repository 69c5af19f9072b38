/** What people paste to sign in, and what servers answer to that. */
import {expect} from 'vitest';
import {requireAdminToken} from '../../src/lib/auth/sign-in.js';
import {checkedToken, environmentToken} from '../../src/lib/auth/environment.js';
import {beginAuthorization, finishAuthorization, refresh, registerClient} from '../../src/lib/auth/oauth.js';
import {secretShape} from '../../src/lib/auth/profile.js';
import {signInWithToken} from '../../src/lib/auth/sign-in.js';
import {Failure} from '../../src/lib/client/failure.js';
import {serverThat} from '../server.js';
import {describeParsers, keptInput} from './behaviour.js';

/** Long enough to be noticed in a message. */
const secret = 'the-secret-of-nobody';
const client = {id: '3', secret};
const redirectUri = 'http://127.0.0.1:29170/callback';
const scopes = ['read', 'write'];

/** Words of ours do not have the secret in them. */
async function hiding<Result>(act: () => Promise<Result>, hidden = secret): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Failure && hidden.length > 12) expect(`${error.message} ${error.details.hint}`).not.toContain(hidden);
    throw error;
  }
}

interface Issued {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
}

function expectStorable({accessToken, refreshToken}: Issued): void {
  expect(accessToken).toMatch(/^[\x21-\x7e]+$/);
  expect(secretShape.safeParse({accessToken, refreshToken}).success).toBe(true);
}

/** The answer of a server, for each way to get a token. */
async function parseIssued(bytes: Buffer): Promise<void> {
  await using server = await serverThat(async () => ({text: bytes.toString()}));
  const url = new URL(server.url);
  const begun = await beginAuthorization(url, client, {scopes, redirectUri});
  expectStorable(await hiding(() => refresh(url, client, secret)));
  expectStorable(await hiding(() => finishAuthorization(begun, new URLSearchParams({code: secret, state: begun.state}))));
}

async function parseRegistration(bytes: Buffer): Promise<void> {
  await using server = await serverThat(async () => ({text: bytes.toString()}));
  const url = new URL(server.url);
  const registered = await registerClient(url, {name: 'pixelctl', redirectUri, scopes});
  const begun = await beginAuthorization(url, registered, {scopes, redirectUri});
  expect(new URL(begun.url).searchParams.get('client_id')).toBe(registered.id);
}

/** What is pasted after an approval. */
async function parseApproval(bytes: Buffer): Promise<void> {
  await using server = await serverThat(async () => ({text: keptInput('issued-token', 'bearer.json')}));
  const begun = {...(await beginAuthorization(new URL(server.url), client, {scopes, redirectUri})), state: 'own-state'};
  expectStorable(await hiding(() => finishAuthorization(begun, bytes.toString())));
  for (const {received} of server.exchanges) expect(new URLSearchParams(received.body.toString()).get('code')?.trim()).not.toBe('');
}

/** A token that is pasted, or stands in a variable. */
async function parsePasted(bytes: Buffer): Promise<void> {
  const text = bytes.toString();
  const token = await hiding(async () => checkedToken(text, 'The input'), text.trim());
  expect((await environmentToken({PIXELCTL_TOKEN: text})) ?? token).toBe(token);
}

/** Lines are what a server says of itself, of the account of a token, and to a request that only admins may send. */
async function parseOwner(bytes: Buffer): Promise<void> {
  const [account = '', blocks = '[]', instance = '{}'] = bytes.toString().split('\n');
  await using server = await serverThat(async ({target}) => {
    const text = target.includes('/verify_credentials') ? account : target.includes('/domain_blocks') ? blocks : instance;
    return {text};
  });
  const signedIn = await hiding(() => signInWithToken(new URL(server.url), secret, {}));
  await hiding(() => requireAdminToken(signedIn, 'pixelfed', {}));
}

describeParsers({
  'issued-token': {
    parse: parseIssued,
    words: ['"access_token":', '"token_type":"mac"', '"expires_in":', '"scope":', '"refresh_token":', '"error":"invalid_client"', secret],
  },
  registration: {
    parse: parseRegistration,
    words: ['"client_id":', '"client_secret":', '"redirect_uris":', '"redirect_uri":', redirectUri, '\\n', '""'],
  },
  approval: {
    parse: parseApproval,
    words: ['"code":', '"state":', 'own-state', '?code=', '&state=own-state', '&error=access_denied', 'https://'],
  },
  'pasted-token': {parse: parsePasted, words: ['eyJ', '.', ' ', 'Bearer ', '"', '\u200b', 'a'.repeat(20)]},
  'token-owner': {
    parse: parseOwner,
    words: ['"id":', '"acct":', 'ana@elsewhere.example', '""', '"version":', '(compatible; Pixelfed 0.12.4)'],
  },
});
