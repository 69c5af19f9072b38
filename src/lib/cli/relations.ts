/** `--save-relations`: keeps whom an account follows on domains, and who follows it from there, before they are blocked. */
import {Failure} from '../client/failure.js';
import {counted} from '../json/text.js';
import {handleOf} from '../operations/handle.js';
import type {Connection} from './connection.js';

/** @throws Failure `usage` for what is no file */
export function relationsFile(file: string): string {
  if (file === '-' || file === '') throw new Failure('usage', '--save-relations takes a file');
  return file;
}

interface Saving {
  /** In the form that domains are compared in. */
  readonly domains: Iterable<string>;
  readonly file: string;
  /** Names the account, where the run has several. */
  readonly account?: string | undefined;
}

/**
 * Reads the relations, and writes them to the file. Nothing of the domains may be sent when it fails.
 * @throws Failure as {@link saveRelations} of `policy/relations.ts` does
 */
export async function saveRelationsOf(connection: Connection, {domains, file, account}: Saving): Promise<void> {
  const {client, server, session} = connection;
  const own = await connection.ownAccount();
  if (own === undefined) throw new Failure('not_found', `${server.host} did not return the account of this token`);
  const {saveRelations} = await import('../policy/relations.js');
  const {following, followed_by: followers} = await saveRelations({
    client,
    own: {id: own.id, handle: handleOf(own.acct, server.host)},
    domains: new Set(domains),
    file,
  });
  const whose = account === undefined ? '' : `${account}: `;
  session.note(
    `${whose}Saved to ${file}: ${counted(following, 'account')} that you follow there, ${counted(followers, 'follower')} from there.`,
  );
}
