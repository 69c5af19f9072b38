import {listNotifications} from '../../lib/api/notifications.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listNotifications,
  summary: 'List notifications',
  description:
    'The newest notification comes first. Servers filter a page after they have counted it, so a page can be short or empty although more follow.',
  examples: [
    {does: 'List notifications', line: 'notifications list'},
    {does: 'List mentions and follows only', line: 'notifications list --type mention,follow'},
    {does: 'List the notifications after one', line: 'notifications list --min-id 25 --json'},
    {
      does: 'Follow notifications from where the last run stopped, and stop after three',
      line: 'notifications list --follow --since-file last-seen --min-id 1 --max 3 -o ndjson',
    },
  ],
  flags: {types: 'type'},
  follows: true,
});
