/** Whose moderation it is that a policy is held against. */
import {Failure} from '../../client/failure.js';
import type {Connection} from '../connection.js';

const unknown = 'unknown';

/**
 * `@ana`, as the profile knows or the server says.
 * @throws Failure when the server refuses to say
 */
export async function accountOf({identity, client}: Connection): Promise<string> {
  const known = identity.profile?.account?.acct;
  if (known !== undefined) return `@${known}`;
  const {whoAmI} = await import('../../operations/accounts.js');
  const account = await whoAmI(client);
  return account === undefined ? unknown : `@${account.acct}`;
}

/** An account as {@link accountOf} names it, if it is known. */
export function knownAccount(account: string): string | undefined {
  return account === unknown ? undefined : account;
}

/** The same for a look at a server, which may fail for reasons of its own later. */
export async function accountIfKnown(connection: Connection): Promise<string> {
  try {
    return await accountOf(connection);
  } catch (error) {
    if (error instanceof Failure) return unknown;
    throw error;
  }
}
