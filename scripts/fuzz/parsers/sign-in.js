/** What people paste to sign in, and what servers answer to that. */
import {requireAdminToken} from '../../../dist/lib/auth/admin-token.js';
import {checkedToken, environmentToken} from '../../../dist/lib/auth/environment-token.js';
import {beginAuthorization, finishAuthorization, refresh, registerClient} from '../../../dist/lib/auth/oauth.js';
import {keptSecretShape, profileShape} from '../../../dist/lib/auth/profile.js';
import {signInWithToken} from '../../../dist/lib/auth/sign-in.js';
import {Failure} from '../../../dist/lib/client/failure.js';
import {goodInput} from '../corpus.js';
import {written} from '../folder.js';
import {Wrong} from '../judge.js';
import {serverThat} from '../loopback.js';

/** Long enough to be noticed in a message. */
const secret = 'the-secret-of-nobody';
const client = {id: '3', secret};
const redirectUri = 'http://127.0.0.1:29170/callback';
const scopes = ['read', 'write'];

/** Tries something that may fail in words of ours, none of which is the secret. */
async function tried(act, hidden = secret) {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const told = `${error.message} ${error.details.hint}`;
    if (hidden.length > 12 && told.includes(hidden)) throw new Wrong('a message with a secret');
    return error;
  }
}

/** What is stored of a sign-in can be read again. */
function checkStored(profile, kept) {
  const read = profileShape.safeParse({
    name: 'ana',
    server: 'https://pix.example',
    storage: 'file',
    isProtected: false,
    isAdmin: false,
    client: null,
    ...profile,
  });
  if (!read.success) throw new Wrong(`a profile that cannot be read again: ${read.error.issues[0].path}`);
  if (!keptSecretShape.safeParse(kept).success) throw new Wrong('a secret that cannot be read again');
}

function checkIssued({accessToken, refreshToken, scopes: issued, expiresAt}) {
  if (!/^[\x21-\x7e]+$/.test(accessToken)) throw new Wrong('a token that no header can hold');
  checkStored({account: null, scopes: issued, expiresAt}, {accessToken, refreshToken});
  return `${refreshToken === undefined} ${issued?.length} ${expiresAt === null}`;
}

/** Throws the first failure where nothing else came of several attempts. */
function settled(found) {
  const failed = found.find((one) => one instanceof Error);
  if (found.every((one) => one instanceof Error)) throw failed;
  return found.map((one) => (one instanceof Error ? one.code : one)).join();
}

const goodToken = goodInput('issued-token', 'bearer.json');
const goodAccount = goodInput('token-owner', 'account.json');

/** The answer of a server, under each status and for each way to get a token. */
async function parseIssued(bytes) {
  const found = [];
  for (const status of [200, 400, 500]) {
    const {server} = await serverThat(() => ({status, text: bytes}));
    const begun = await beginAuthorization(server, client, {scopes, redirectUri});
    const answer = new URLSearchParams({code: secret, state: begun.state});
    for (const ask of [() => refresh(server, client, secret), () => finishAuthorization(begun, answer)]) {
      const issued = await tried(ask);
      found.push(issued instanceof Error ? issued : checkIssued(issued));
    }
  }
  return settled(found);
}

async function parseRegistration(bytes) {
  const {server} = await serverThat(() => ({text: bytes}));
  const registered = await registerClient(server, {name: 'pixelctl', redirectUri, moreRedirectUris: ['urn:ietf:wg:oauth:2.0:oob'], scopes});
  const {id, redirectUris} = registered;
  if (id === '' || !redirectUris.includes(redirectUri)) throw new Wrong(`the client ${id} for ${redirectUris}`);
  const {url} = await beginAuthorization(server, registered, {scopes, redirectUri});
  if (new URL(url).searchParams.get('client_id') !== id) throw new Wrong(`the client ${id} in an address`);
  checkStored({account: null, scopes, expiresAt: null, client: {id}}, {clientSecret: registered.secret, accessToken: 'x'});
  return redirectUris.length;
}

/** What is pasted after an approval. */
async function parseApproval(bytes) {
  const text = bytes.toString();
  const {server, asked} = await serverThat(() => ({text: goodToken}));
  const begun = {...(await beginAuthorization(server, client, {scopes, redirectUri})), state: 'own-state'};
  const issued = await tried(() => finishAuthorization(begun, text));
  const [sent] = asked.map(({body}) => new URLSearchParams(body).get('code'));
  if (sent?.trim() === '') throw new Wrong('an empty code was sent');
  return settled([issued instanceof Error ? issued : checkIssued(issued)]);
}

/** A token that is pasted, or stands in a variable or a file. */
async function parsePasted(bytes) {
  const text = bytes.toString();
  const token = text.trim();
  const {server, asked} = await serverThat(() => ({text: goodAccount}));
  const environments = [{PIXELCTL_TOKEN: text}, {PIXELCTL_TOKEN_FILE: written('token', bytes)}];
  const ways = [async () => checkedToken(text, 'The input'), ...environments.map((one) => () => environmentToken(one))];
  const found = [];
  for (const way of ways) found.push(await tried(way, token));
  const [pasted] = found;
  if (pasted instanceof Error) throw pasted;
  if (pasted === undefined) return 'none';
  for (const one of found) if (one !== pasted && one !== undefined) throw new Wrong('another token in a variable than in the input');
  const {profile, secret: kept} = await signInWithToken(server, pasted, {});
  if (asked.some(({headers}) => headers.authorization !== `Bearer ${pasted}`)) throw new Wrong('another token was sent');
  checkStored(profile, kept);
  return `${profile.scopes?.length}`;
}

/** Lines are what a server says of itself, of the account of a token, and to a request that only admins may send. */
async function parseOwner(bytes) {
  const [account, blocks = '[]', instance = '{}'] = bytes.toString().split('\n');
  const statuses = [200, 401, 403, 404];
  const found = [];
  for (const status of statuses) {
    const {server} = await serverThat((line) => {
      if (line.endsWith('/verify_credentials')) return {text: account};
      return line.endsWith('/domain_blocks') ? {status, text: blocks} : {text: instance};
    });
    const signedIn = await tried(() => signInWithToken(server, secret, {}));
    if (signedIn instanceof Error) return settled([signedIn]);
    checkStored(signedIn.profile, signedIn.secret);
    for (const software of ['pixelfed', 'mastodon'])
      found.push(await tried(async () => void (await requireAdminToken(signedIn, software, {}))));
  }
  return settled(found);
}

/** @type {Record<string, import('./index.js').Parser>} */
export const parsers = {
  'issued-token': {
    parse: parseIssued,
    shapes: ['json'],
    words: [
      '"access_token":',
      '"token_type":"mac"',
      '"expires_in":',
      '"scope":',
      '"refresh_token":',
      '"id_token":',
      '"error":"invalid_client"',
      '"error_description":',
      secret,
      '\\n',
      '1e300',
    ],
    slowness: 20,
    share: 0.3,
  },
  registration: {
    parse: parseRegistration,
    shapes: ['json'],
    words: ['"client_id":', '"client_secret":', '"redirect_uris":', '"redirect_uri":', redirectUri, ',', '\\n', '""', '0'],
    slowness: 10,
    share: 0.5,
  },
  approval: {
    parse: parseApproval,
    shapes: ['json'],
    words: [
      '"code":',
      '"state":',
      'own-state',
      '?code=',
      '&state=own-state',
      '&error=access_denied',
      '&code=x',
      '#',
      'https://',
      '"error":',
    ],
    slowness: 10,
    share: 0.5,
  },
  'pasted-token': {
    parse: parsePasted,
    shapes: ['lines'],
    words: ['eyJ', '.', '\r\n', ' ', 'Bearer ', '"', '\u200b', 'a'.repeat(20)],
    slowness: 10,
    share: 0.5,
  },
  'token-owner': {
    parse: parseOwner,
    shapes: ['lines'],
    words: ['"id":', '"acct":', 'ana@elsewhere.example', '""', '"version":', '4.3.0', '(compatible; Pixelfed 0.12.4)'],
    slowness: 30,
    share: 0.2,
  },
};
