/** Signs in with the browser or with a token. The caller prints and asks. */
import {listAdminDomainBlocks} from '../api/admin-domain-blocks.js';
import {openClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {whoAmI, type OwnAccount} from '../operations/accounts.js';
import {refuseWithoutApi, type Software} from '../operations/server-release.js';
import {isOfTypedNote} from '../operations/typed-notes.js';
import {openBrowser, receiveCallback} from './browser.js';
import type {Environment} from '../files/runtime.js';
import {
  beginAuthorization,
  finishAuthorization,
  outOfBand,
  registerClient,
  type Authorization,
  type IssuedToken,
  type OAuthOptions,
} from './oauth.js';
import type {Profile, Secret} from './profile.js';
import {adminScopes, claimsOf, missingScopes} from './token.js';

/** Milliseconds to wait for the approval. */
const approvalTimeout = 10 * 60 * 1000;

/** The result of a sign-in: a profile without a name, and its secret. */
export interface SignIn {
  readonly profile: Pick<Profile, 'account' | 'client' | 'expiresAt' | 'scopes' | 'server'>;
  readonly secret: Secret;
  readonly note?: string | undefined;
}

/** Asks the server for the account of a token before anything is stored. An unknown account is allowed, a refused token is not. */
async function ownerOf(
  server: URL,
  token: string,
  options: OAuthOptions,
): Promise<{account: OwnAccount | null; note?: string | undefined}> {
  await using client = openClient({...options, server, token: async () => token});
  try {
    const account = await whoAmI(client);
    if (account !== undefined) return {account};
    await refuseWithoutApi(client);
    return {account: null, note: `${server.host} does not tell which account the token belongs to`};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await refuseWithoutApi(client, error);
    if (error.code === 'bad_answer') throw error.with({hint: 'check that this is the address of a Pixelfed server'});
    if (error.details.reason !== 'scope') throw error;
    return {account: null, note: 'The token has no read scope, so its account is unknown'};
  }
}

/** @throws Failure `auth` when the server does not accept it */
export async function signInWithToken(server: URL, token: string, options: OAuthOptions): Promise<SignIn> {
  const {account, note} = await ownerOf(server, token, options).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'auth') throw error;
    throw error.with({
      hint: `copy the whole token; it may have expired or been revoked: ${server.origin}/settings/applications lists them`,
    });
  });
  const {scopes = null} = claimsOf(token);
  return {profile: {server: server.origin, account, scopes, expiresAt: null, client: null}, secret: {accessToken: token}, note};
}

export interface BrowserOptions extends OAuthOptions {
  /** Its variable BROWSER names the browser. The environment of the process by default. */
  readonly environment?: Environment | undefined;
  readonly scopes: readonly string[];
  readonly port?: number | undefined;
  /** Shows the address to open. @param problem why the browser could not be opened with it */
  readonly showUrl: (url: string, problem: string | undefined) => void;
  /** Called for an error that came to the port, but maybe not from the server. */
  readonly onStray: (error: string) => void;
  /** Asks for what the browser shows at the end; replaces the redirect. */
  readonly paste?: (() => Promise<string>) | undefined;
  /** Asks again after an invalid paste; absent when nobody can answer. */
  readonly pasteAgain?: ((problem: Failure) => Promise<string>) | undefined;
}

/** Finishes with what was pasted, and asks again while that is invalid. */
async function finishPasted(begun: Authorization, first: string, {pasteAgain, ...options}: BrowserOptions): Promise<IssuedToken> {
  for (let answer = first; ;) {
    try {
      return await finishAuthorization(begun, answer, options);
    } catch (error) {
      if (!(error instanceof Failure) || error.details.reason !== 'bad_paste' || pasteAgain === undefined) throw error;
      answer = await pasteAgain(error);
    }
  }
}

/** The scopes that the server named, without those that the token lacks: later only the token counts. Null where neither names any. */
function grantedScopes({accessToken, scopes: told}: IssuedToken): readonly string[] | null {
  const {scopes: held = null} = claimsOf(accessToken);
  if (told === null || held === null) return told ?? held;
  return told.filter((scope) => missingScopes([scope], held).length === 0);
}

/**
 * Signs in with the browser: on this machine by a redirect to loopback, elsewhere (`paste`) by copying a code.
 * @throws Failure for the step that failed; nothing is stored then
 */
export async function signInWithBrowser(server: URL, options: BrowserOptions): Promise<SignIn> {
  const {scopes, port, showUrl, onStray, paste, environment} = options;
  await using callback = paste === undefined ? await receiveCallback(approvalTimeout, port) : undefined;
  const redirectUri = callback?.redirectUri ?? outOfBand;
  const client = await registerClient(server, {name: 'pixelctl', redirectUri, scopes}, options);
  const begun = await beginAuthorization(server, client, {scopes, redirectUri});
  // This comes before the browser is opened, because the redirect may arrive at once.
  const answered = callback?.answer(begun.state, onStray);
  answered?.catch(() => {});
  showUrl(begun.url, callback && (await openBrowser(begun.url, environment)));
  const issued =
    answered === undefined
      ? await finishPasted(begun, (await paste?.()) ?? '', options)
      : await finishAuthorization(begun, await answered, options);
  const {account, note} = await ownerOf(server, issued.accessToken, options);
  return {
    profile: {
      server: server.origin,
      account,
      scopes: grantedScopes(issued) ?? scopes,
      expiresAt: issued.expiresAt,
      client: {id: client.id},
    },
    secret: {accessToken: issued.accessToken, refreshToken: issued.refreshToken, clientSecret: client.secret},
    note,
  };
}

const likelyCause: Readonly<Record<Software, string>> = {
  pixelfed: 'the account is probably not an admin of this server',
  mastodon: 'the role of the account probably lacks the permission "Manage Federation"',
};

/** Reads something that only admins may read. @throws Failure when that is refused */
async function readAsAdmin(server: URL, token: string, options: OAuthOptions): Promise<void> {
  await using client = openClient({...options, server, token: async () => token});
  await client.call(listAdminDomainBlocks, {query: {limit: 1}}).catch((error: unknown) => {
    // The server fails while it makes the list: it has already accepted the token as an admin's.
    if (!isOfTypedNote(error)) throw error;
  });
}

/**
 * Checks a token before it is stored: by a request that only admins may send, and by its scopes, because no write is sent to try it.
 * @throws Failure `auth` when it does not allow to moderate the server, `not_found` when the server has no API for that
 */
export async function requireAdminToken({profile, secret}: SignIn, software: Software, options: OAuthOptions): Promise<void> {
  const server = new URL(profile.server);
  const needed = adminScopes[software];
  const who = profile.account === null ? 'The account of the token' : `@${profile.account.acct}`;
  const scopes = `the token needs the scopes ${needed.join(' ')}`;
  const refuseAdmin = (lacks: 'scope' | undefined, cause?: Failure): Failure =>
    new Failure('auth', `${who} cannot moderate ${server.host} with this token`, {
      reason: 'admin',
      status: cause?.details.status,
      hint: lacks === 'scope' ? `${scopes}; if it has them, ${likelyCause[software]}` : `${likelyCause[software]}; ${scopes}`,
      cause,
    });
  try {
    await readAsAdmin(server, secret.accessToken, options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'auth') throw refuseAdmin(error.details.reason === 'admin_scope' ? 'scope' : undefined, error);
    if (error.code !== 'not_found') throw error;
    throw new Failure('not_found', `${server.host} has no API for admins who moderate it`, {
      reason: 'unknown_route',
      status: error.details.status,
      hint: 'Pixelfed has it since 0.12.4, Mastodon since 4.0; sign in without --admin to use the rest',
      cause: error,
    });
  }
  // Pixelfed drops the scopes of admins from the tokens of everybody else.
  const lacks = software === 'pixelfed' ? undefined : 'scope';
  if (profile.scopes !== null && missingScopes(needed, profile.scopes).length > 0) throw refuseAdmin(lacks);
}
