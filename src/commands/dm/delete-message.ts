import {deleteMessage} from '../../lib/api/direct.js';
import {conversationTitle} from '../../lib/cli/endpoint/titles.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: deleteMessage,
  summary: 'Delete your messages for everyone',
  description: 'Deletes the message and its media for everyone in the conversation, on other servers too. This cannot be undone.',
  examples: [
    {does: 'Delete one message', line: 'dm delete-message 1029249430941045799 1029249434117964847'},
    {
      does: 'Delete two messages without a confirmation prompt',
      line: 'dm delete-message 1029249430941045799 1029249434117964847 1029249432926620204 --yes',
    },
  ],
  arguments: {id: 'ID'},
  targets: {messageId: 'MESSAGE_ID'},
  question: async ({inputs: [first], count}, connection) => {
    const title = await conversationTitle(first?.path['id'], connection);
    return `Delete ${count === 1 ? 'the message' : `${count} messages`} for everyone in ${title}?`;
  },
  sentence: ({path: {messageId}}) => `Deleted message ${messageId}.`,
});
