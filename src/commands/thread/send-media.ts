import {sendThreadMedia} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';
import {longMessage, unfitFile} from '../../lib/operations/limits.js';

export default endpointCommand({
  endpoint: sendThreadMedia,
  summary: 'Send an image or video to an account',
  description: 'The file is streamed from disk. It is never resent automatically.',
  examples: [
    {does: 'Send a photo', line: 'thread send-media @bo@pix.example harbour.jpg'},
    {does: 'Send a photo with a text', line: "thread send-media 1029249417042024964 harbour.jpg --message 'Low tide'"},
  ],
  arguments: {to_id: 'PID', file: 'FILE'},
  overLimit: async ({body}, limits) => (await unfitFile(String(body['file']), limits)) ?? longMessage(body['message'], limits),
});
