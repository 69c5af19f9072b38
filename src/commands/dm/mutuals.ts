import {listMutuals} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: listMutuals,
  summary: 'List the accounts that follow you and that you follow',
  description: 'People to write to. Real servers list the first ten only, whatever the cursor.',
  examples: [
    {does: 'For people', line: 'dm mutuals'},
    {does: 'As raw JSON, from a cursor', line: 'dm mutuals --cursor 1029249430941045799 --json'},
  ],
});
