import {deleteThreadMessage} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: deleteThreadMessage,
  summary: 'Delete messages of your own',
  description:
    'Give the `reportId` of each message, which works on every server; older ones have a second, smaller `id` that does not. Nothing brings a message back.',
  examples: [
    {does: 'One message', line: 'thread delete-message 1029249434117964847'},
    {does: 'Several, without a question', line: 'thread delete-message 1029249434117964847 1029249432926620204 --yes'},
  ],
  arguments: {id: 'ID'},
  targets: {field: 'id', from: ['reportId']},
  question: ({inputs: [input], count}, {server}) =>
    `Delete ${count === 1 ? `message ${input?.body['id']}` : `${count} messages`} for everyone, on ${server.host}?`,
  done: ({body}) => `Deleted message ${body['id']}.`,
});
