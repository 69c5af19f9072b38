import {listBlocks} from '../../lib/api/blocks.js';
import {accountName, accountsIn} from '../../lib/operations/handles.js';
import {containsCommand} from '../../lib/cli/contains-command.js';

export default containsCommand({
  list: listBlocks,
  summary: 'Check whether you block accounts',
  description: 'Handles are compared with those in the list, so an account that does not exist is not in it.',
  examples: [
    {does: 'One account', line: 'blocks contains @spam@bad.example'},
    {does: 'A list, in a script', line: 'blocks contains - --quiet -o ndjson < accounts.txt'},
  ],
  label: 'ACCOUNT',
  about: 'an id, @user, @user@host, or a profile URL',
  from: ['Account address'],
  nameOf: accountName,
  contents: accountsIn,
  state: 'blocked',
});
