import {getThread} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: getThread,
  summary: 'Show a thread with one account',
  description:
    'Shows the eight newest messages, newest first. On servers of 2026 and later, a thread is a conversation named by its other participant.',
  examples: [
    {does: 'Show a thread by account id', line: 'thread get 1029249417042024964'},
    {does: 'Show older messages, by handle', line: 'thread get @bo@pix.example --max-id 1029249434117964847'},
  ],
  arguments: {pid: 'PID'},
});
