import {readConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {conversationWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: readConversation,
  summary: 'Mark conversations as read',
  description: 'Marks everything up to the newest message, or up to --message-id. Messages cannot be marked as unread.',
  examples: [
    {does: 'Mark a conversation as read', line: 'dm read 1029249430941045799'},
    {does: 'Mark a conversation as read up to one message', line: 'dm read 1029249430941045799 --message-id 1029249434912194609'},
  ],
  targets: {id: 'ID'},
  sentence: ({path: {id}, body: {message_id: upTo}}) =>
    `Marked ${conversationWords(id)} as read${upTo === undefined ? '' : ` up to message ${String(upTo)}`}.`,
});
