import {listBlocks} from '../../lib/api/blocks.js';
import {accountName, accountsIn} from '../../lib/operations/account-name.js';
import {containsCommand} from '../../lib/cli/endpoint/contains-command.js';

export default containsCommand({
  list: listBlocks,
  summary: 'Check whether accounts are blocked',
  description: 'Compares handles with those in your list of blocks. An account that does not exist is not in it.',
  examples: [
    {does: 'Check one account', line: 'blocks contains @spam@bad.example'},
    {does: 'Check a list of accounts from a script', line: 'blocks contains - --quiet -o ndjson < accounts.txt'},
  ],
  label: 'ACCOUNT',
  about: 'an id, @user, @user@host, or a profile URL',
  nameOf: accountName,
  contents: accountsIn,
  state: 'blocked',
});
