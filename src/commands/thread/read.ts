import {readThread} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: readThread,
  summary: 'Mark the messages of one person as read',
  description:
    'Everything of theirs from SID upwards is marked; SID is the `reportId` of a message. The answer lists what is newly marked.',
  examples: [
    {does: 'From one message on', line: 'thread read 1029249417042024964 1029249434912194609'},
    {does: 'By handle, as raw JSON', line: 'thread read @bo@pix.example 1029249434912194609 --json'},
  ],
  arguments: {pid: 'PID', sid: 'SID'},
});
