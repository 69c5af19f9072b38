import {acceptConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: acceptConversation,
  summary: 'Accept message requests',
  description:
    'The conversation moves to the inbox, and its sender may write more than one message. Accepting one that is accepted already changes nothing.',
  examples: [
    {does: 'One request', line: 'dm accept 1029249435309309490'},
    {does: 'Two requests', line: 'dm accept 1029249435309309490 1029249430941045799'},
  ],
  arguments: {id: 'ID'},
  targets: {field: 'id'},
});
