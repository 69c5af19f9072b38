import {muteThread} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: muteThread,
  summary: 'Mute threads',
  description:
    'Turns off notifications for messages from these accounts. Servers before 2026 may accept the request and change nothing; `thread get` shows whether the thread is muted. To mute an account altogether, use `mutes add`.',
  examples: [
    {does: 'Mute a thread by handle', line: 'thread mute @bo@pix.example'},
    {does: 'Mute two threads, with one JSON result each', line: 'thread mute 1029249417042024964 1029249417439139845 --json'},
  ],
  targets: {id: 'PID'},
  sentence: ({body}) => `Sent the request to mute the thread with ${accountWords(body['id'])}.`,
});
