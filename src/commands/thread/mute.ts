import {muteThread} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: muteThread,
  summary: 'Mute the threads with people',
  description:
    'No notifications for what they write. Servers before 2026 may accept the request and change nothing: `thread get` says whether the thread is muted. To mute an account as a whole: `mutes add`.',
  examples: [
    {does: 'By handle', line: 'thread mute @bo@pix.example'},
    {does: 'Two people, one result each', line: 'thread mute 1029249417042024964 1029249417439139845 --json'},
  ],
  arguments: {id: 'PID'},
  targets: {field: 'id'},
  done: ({body}) => `Sent the request to mute the thread with ${body['id']}.`,
});
