import {readThread} from '../../lib/api/thread.js';
import {itemsAt} from '../../lib/json/path.js';
import {countNoun} from '../../lib/json/text.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: readThread,
  summary: 'Mark messages from an account as read',
  description:
    'Marks all messages from SID on; SID is the `reportId` of a message. With -o or --json the messages that were unread are listed.',
  examples: [
    {does: 'Mark messages from one on', line: 'thread read 1029249417042024964 1029249434912194609'},
    {does: 'Mark messages by handle, and print raw JSON', line: 'thread read @bo@pix.example 1029249434912194609 --json'},
  ],
  arguments: {pid: 'PID', sid: 'SID'},
  sentence: ({body: {pid}}, {answer}) => {
    const count = itemsAt(answer, [])?.length;
    const who = accountWords(pid);
    if (count === 0) return `No message of ${who} was unread.`;
    return `Marked ${count === undefined ? 'the messages' : countNoun(count, 'message')} of ${who} as read.`;
  },
});
