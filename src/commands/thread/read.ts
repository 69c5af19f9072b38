import {readThread} from '../../lib/api/thread.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: readThread,
  summary: 'Mark messages from an account as read',
  description: 'Marks all messages from SID on; SID is the `reportId` of a message. The output lists the messages that were unread.',
  examples: [
    {does: 'Mark messages from one on', line: 'thread read 1029249417042024964 1029249434912194609'},
    {does: 'Mark messages by handle, and print raw JSON', line: 'thread read @bo@pix.example 1029249434912194609 --json'},
  ],
  arguments: {pid: 'PID', sid: 'SID'},
});
