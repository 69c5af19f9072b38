import {listMutes} from '../../lib/api/blocks.js';
import {accountName, accountsIn} from '../../lib/operations/account-name.js';
import {containsCommand} from '../../lib/cli/endpoint/contains-command.js';

export default containsCommand({
  list: listMutes,
  summary: 'Check whether accounts are muted',
  description: 'Compares handles with those in your list of mutes. An account that does not exist is not in it.',
  examples: [
    {does: 'Check one account', line: 'mutes contains @spam@bad.example'},
    {does: 'Check a list of accounts from a script', line: 'mutes contains - --quiet -o ndjson < accounts.txt'},
  ],
  label: 'ACCOUNT',
  about: 'an id, @user, @user@host, or a profile URL',
  nameOf: accountName,
  contents: accountsIn,
  state: 'muted',
});
