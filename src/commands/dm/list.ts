import {listConversations} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listConversations,
  summary: 'List conversations',
  description:
    'The conversation with the newest activity comes first. Conversations without messages, and those that you left, are not listed.',
  examples: [
    {does: 'List the inbox', line: 'dm list'},
    {does: 'Print message requests as raw JSON', line: 'dm list --filter requests --json'},
  ],
});
