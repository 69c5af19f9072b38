import {unreadCount} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: unreadCount,
  summary: 'Count unread conversations',
  description:
    '`primary` counts unread conversations in the inbox, `requests` pending message requests. Muted and hidden conversations do not count.',
  examples: [
    {does: 'Show both counts', line: 'dm unread-count'},
    {does: 'Print JSON for a status bar', line: 'dm unread-count --json'},
  ],
});
