import {unmuteConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/command/endpoint-command.js';

export default endpointCommand({
  endpoint: unmuteConversation,
  summary: 'Unmute conversations',
  description: 'Notifications come again, and it counts as unread again.',
  examples: [
    {does: 'One conversation', line: 'dm unmute 1029252276481310721'},
    {does: 'Two, one result each', line: 'dm unmute 1029252276481310721 1029252276936019970 --json'},
  ],
  view: 'conversationSummary',
  arguments: {id: 'ID'},
  targets: {field: 'id'},
});
