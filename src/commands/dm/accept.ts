import {acceptConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {conversationWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: acceptConversation,
  summary: 'Accept message requests',
  description:
    'Moves the conversation to the inbox, where its sender can write more than one message. Accepting an accepted conversation changes nothing.',
  examples: [
    {does: 'Accept one request', line: 'dm accept 1029249435309309490'},
    {does: 'Accept two requests', line: 'dm accept 1029249435309309490 1029249430941045799'},
  ],
  targets: {id: 'ID'},
  sentence: ({path: {id}}) => `Accepted ${conversationWords(id)}.`,
});
