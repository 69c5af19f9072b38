/** What a profile blocks, or the server of an admin, as a list. */
import {listAdminDomainBlocks} from '../../api/admin-domain-blocks.js';
import {idText, membersOf} from '../../api/schema.js';
import type {Client} from '../../client/client.js';
import {optionalFields} from '../model/domain-facts.js';
import {valueOf} from '../model/server-state.js';
import {everyItem} from '../../client/paging.js';
import {readWhole} from '../sections/read-state.js';
import type {ProfileOrigin} from '../source/list-origin.js';
import {compareText} from '../source/location.js';

interface Account {
  readonly client: Client;
  readonly server: URL;
}

/** The text of the list. @throws Failure for what cannot be read */
export async function blocksAsList(of: ProfileOrigin['of'], account: Account): Promise<string> {
  return of === 'admin_domain_blocks' ? serverBlocks(account) : accountBlocks(account);
}

/** What an account blocks, sorted, one on each line. */
async function accountBlocks({client, server}: Account): Promise<string> {
  const {domain_blocks} = await readWhole(client, server.origin, ['domain_blocks']);
  return [...(valueOf(domain_blocks)?.keys() ?? [])].map((domain) => `${domain}\n`).join('');
}

/** What a server blocks for all of its accounts, sorted, one on each line: as JSON, with what its admins wrote of it. */
async function serverBlocks({client}: Account): Promise<string> {
  const names = ['domain', 'severity', ...optionalFields];
  const blocks = (await everyItem(client, listAdminDomainBlocks)).map((block) => membersOf(JSON.parse(block)));
  const sorted = blocks.toSorted((one, other) => compareText(idText(one['domain']), idText(other['domain'])));
  return `[${sorted.map((block) => JSON.stringify(block, names)).join(',\n')}]\n`;
}
