import {listNotifications} from '../../lib/api/notifications.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: listNotifications,
  summary: 'List your notifications',
  description:
    'The newest comes first. A page can be short, even empty, though more follow: servers look at a page first and filter it then.',
  examples: [
    {does: 'For people', line: 'notifications list'},
    {does: 'Mentions and follows only', line: 'notifications list --type mention,follow'},
    {does: 'What came since a known one', line: 'notifications list --min-id 25 --json'},
    {
      does: 'What comes, from where the last run stopped; here three of them',
      line: 'notifications list --follow --since-file last-seen --min-id 1 --max 3 -o ndjson',
    },
  ],
  flags: {types: 'type'},
  follows: true,
});
