import {unreadCount} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: unreadCount,
  summary: 'Count the conversations with something new',
  description:
    '`primary` counts unread conversations of the inbox, `requests` those that wait to be accepted. Muted and hidden ones do not count.',
  examples: [
    {does: 'Both counts', line: 'dm unread-count'},
    {does: 'Only as JSON, for a status bar', line: 'dm unread-count --json'},
  ],
});
