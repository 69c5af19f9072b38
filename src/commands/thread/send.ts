import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords, madeWords} from '../../lib/cli/endpoint/sentences.js';
import {threadSending} from '../../lib/operations/messages.js';

export default endpointCommand({
  endpoint: threadSending,
  summary: 'Send a message to an account',
  description: 'A message is never resent automatically: if the response is lost, the command fails and says so.',
  examples: [
    {does: 'Send a line of text', line: "thread send @bo@pix.example 'See you at the harbour'"},
    {does: 'Send text from a file', line: 'thread send 1029249417042024964 - < message.txt'},
    {does: 'Send an emoji, shown large', line: "thread send 1029249417042024964 '🌊' --type emoji"},
  ],
  arguments: {to_id: 'PID', message: 'MESSAGE'},
  defaults: {type: 'text'},
  piped: ['message'],
  sentence: ({body: {to_id: to}}, {answer}) => `Sent ${madeWords('message', answer, 'reportId')} to ${accountWords(to)}.`,
});
