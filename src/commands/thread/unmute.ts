import {unmuteThread} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: unmuteThread,
  summary: 'Unmute the threads with people',
  description: 'Notifications come again. Servers before 2026 answer with an error when they were not muted.',
  examples: [
    {does: 'By handle', line: 'thread unmute @bo@pix.example'},
    {does: 'Two people, one result each', line: 'thread unmute 1029249417042024964 1029249417439139845 --json'},
  ],
  arguments: {id: 'PID'},
  targets: {field: 'id'},
  done: ({body}) => `Sent the request to unmute the thread with ${body['id']}.`,
});
