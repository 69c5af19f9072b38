import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords, madeWords} from '../../lib/cli/endpoint/sentences.js';
import {threadMediaSending} from '../../lib/operations/messages.js';

export default endpointCommand({
  endpoint: threadMediaSending,
  summary: 'Send an image or video to an account',
  description: 'The file is streamed from disk. It is never resent automatically.',
  examples: [
    {does: 'Send a photo', line: 'thread send-media @bo@pix.example harbour.jpg'},
    {does: 'Send a photo with a text', line: "thread send-media 1029249417042024964 harbour.jpg --message 'Low tide'"},
  ],
  arguments: {to_id: 'PID', file: 'FILE'},
  sentence: ({body: {to_id: to}}, {answer}) => `Sent ${madeWords('message', answer, 'reportId')} to ${accountWords(to)}.`,
});
