import {unmuteThread} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: unmuteThread,
  summary: 'Unmute threads',
  description: 'Turns notifications on again. Servers before 2026 return an error for threads that were not muted.',
  examples: [
    {does: 'Unmute a thread by handle', line: 'thread unmute @bo@pix.example'},
    {does: 'Unmute two threads, with one JSON result each', line: 'thread unmute 1029249417042024964 1029249417439139845 --json'},
  ],
  targets: {id: 'PID'},
  sentence: ({body}) => `Sent the request to unmute the thread with ${accountWords(body['id'])}.`,
});
