import {listMutuals} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listMutuals,
  summary: 'List accounts that follow you back',
  description: 'Lists accounts to write to. Current servers list only the first ten, and ignore the cursor.',
  examples: [
    {does: 'List the accounts', line: 'dm mutuals'},
    {does: 'Print raw JSON, starting at a cursor', line: 'dm mutuals --cursor 1029249430941045799 --json'},
  ],
});
