import {muteConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: muteConversation,
  summary: 'Mute conversations',
  description: 'No notifications, and it does not count as unread.',
  examples: [
    {does: 'One conversation', line: 'dm mute 1029249430941045799'},
    {does: 'Two, one result each', line: 'dm mute 1029249430941045799 1029249428955471394 --json'},
  ],
  arguments: {id: 'ID'},
  targets: {field: 'id'},
});
