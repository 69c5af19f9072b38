/** Accounts as people write them: an id, or `@user@host`. */
import {lookUpRecipients} from '../../api/direct.js';
import {placeholder} from '../../client/encode.js';
import {Failure} from '../../client/failure.js';
import {identifierAt, itemsAt, textAt} from '../../json/path.js';
import type {Connection} from '../connection.js';

/** `@Bo@Remote.example` and `bo@remote.example` are one; a name without a host is of the server itself. */
function handle(name: string, host: string): string {
  const [user = '', at] = name.replace(/^@/, '').toLowerCase().split('@');
  return `${user}@${at ?? host.toLowerCase()}`;
}

/** What to search for: servers look up their own accounts by name alone, others by the whole handle. */
function query(wanted: string, host: string): string {
  const [user = '', at] = wanted.split('@');
  return at === host.toLowerCase() && user.length > 1 ? user : `@${wanted}`;
}

/**
 * The id of an account: an id as it is; `@user@host` looked up, and used only on an exact match.
 * @throws Failure `not_found` when nobody has exactly that handle
 */
export async function accountId(text: string, {client, session}: Connection): Promise<string> {
  if (!text.startsWith('@')) return text;
  if (session.dryRun) return placeholder(text);
  const {host} = client;
  const wanted = handle(text, host);
  const found = await client.call(lookUpRecipients, {body: {q: query(wanted, host)}});
  const match = (itemsAt(found.value, []) ?? []).findIndex((one) =>
    [textAt(one, ['account', 'acct']), textAt(one, ['name'])].some((candidate) => candidate !== undefined && handle(candidate, host) === wanted),
  );
  const id = match === -1 ? undefined : identifierAt(found.text, [match, 'id']);
  if (id !== undefined) return id;
  throw new Failure('not_found', `${host} knows no account ${text} that can be written to`, {
    hint: (suggest) => `see what it finds: \`${suggest(['dm', 'lookup'], {args: [query(wanted, host)]})}\``,
  });
}
