import {listConversations} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: listConversations,
  summary: 'List your conversations',
  description: 'The one with the newest activity comes first. A conversation without any message yet is not listed, nor one that you left.',
  examples: [
    {does: 'The inbox', line: 'dm list'},
    {does: 'Message requests, as raw JSON', line: 'dm list --filter requests --json'},
    {does: 'The next page', line: 'dm list --limit 40 --cursor eyJpZCI6OH0'},
  ],
});
