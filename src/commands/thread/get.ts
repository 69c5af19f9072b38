import {getThread} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: getThread,
  summary: 'Show a one-to-one thread',
  description:
    'The eight newest messages with one person, newest first. On servers of 2026 and later a thread is a conversation seen from its other end.',
  examples: [
    {does: 'By account id', line: 'thread get 1029249417042024964'},
    {does: 'By handle, older messages', line: 'thread get @bo@pix.example --max-id 1029249434117964847'},
  ],
  arguments: {pid: 'PID'},
});
