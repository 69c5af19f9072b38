import {deleteThreadMessage} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: deleteThreadMessage,
  summary: 'Delete your messages',
  description:
    'ID is the `reportId` of a message, which works on every server; the smaller `id` of older servers does not. This cannot be undone.',
  examples: [
    {does: 'Delete one message', line: 'thread delete-message 1029249434117964847'},
    {
      does: 'Delete two messages without a confirmation prompt',
      line: 'thread delete-message 1029249434117964847 1029249432926620204 --yes',
    },
  ],
  targets: {id: 'ID'},
  question: ({inputs: [input], count}, {server}) =>
    `Delete ${count === 1 ? `message ${input?.body['id']}` : `${count} messages`} for everyone on ${server.host}?`,
  sentence: ({body}) => `Deleted message ${body['id']}.`,
});
