import {verifyCredentials} from '../api/accounts.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {identifierAt} from '../json/path.js';

/** Whose a token is. */
export interface OwnAccount {
  /** To the digit, whichever way the server writes it. */
  readonly id: string;
  /** User name, without the server. */
  readonly acct: string;
}

/**
 * Asks the server whose token the client has; undefined when the server cannot say.
 * @throws Failure `auth` when the token is refused, with the reason `scope` when it only may not read
 */
export async function whoAmI(client: Client): Promise<OwnAccount | undefined> {
  try {
    const {text} = await client.call(verifyCredentials, {});
    const [id, acct] = [identifierAt(text, ['id']), identifierAt(text, ['acct'])];
    if (id !== undefined && acct !== undefined) return {id, acct};
    throw new Failure('bad_answer', `${client.host} does not say whose token this is`);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}
