import {sendThreadMessage} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';
import {longMessage} from '../../lib/operations/limits.js';

export default endpointCommand({
  endpoint: sendThreadMessage,
  summary: 'Send a message to one person',
  description: 'A message is never sent twice on its own: when the answer is lost, the tool says so and stops.',
  examples: [
    {does: 'A line of text', line: "thread send @bo@pix.example 'See you at the harbour'"},
    {does: 'Text from a file', line: 'thread send 1029249417042024964 - < message.txt'},
    {does: 'An emoji, shown large', line: "thread send 1029249417042024964 '🌊' --type emoji"},
  ],
  arguments: {to_id: 'PID', message: 'MESSAGE'},
  defaults: {type: 'text'},
  piped: ['message'],
  overLimit: ({body}, limits) => longMessage(body['message'], limits),
});
