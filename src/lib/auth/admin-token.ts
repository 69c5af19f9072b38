/** Whether the token of a sign-in allows to moderate the server. */
import {listAdminDomainBlocks} from '../api/admin-domain-blocks.js';
import {openClient} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {isOfTypedNote} from '../operations/typed-notes.js';
import type {Software} from '../operations/server-release.js';
import type {OAuthOptions} from './oauth.js';
import {adminScopes, missingScopes} from './scopes.js';
import type {SignIn} from './sign-in.js';

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
