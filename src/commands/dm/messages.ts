import {listMessages} from '../../lib/api/direct.js';
import {participantNames} from '../../lib/cli/endpoint/titles.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listMessages,
  summary: 'List the messages of a conversation',
  description:
    'At a terminal, a page reads as a conversation, oldest message first. In pipes and files, the newest message comes first. With --min-id, no message is missed between two runs.',
  details:
    'At a terminal, unless a format is chosen, a page reads as a conversation, with the oldest message first; --all prints messages in the order in which they arrive. Elsewhere the newest message comes first. With --min-id, the page holds the oldest messages after that one, so that no message is missed between two runs.',
  examples: [
    {does: 'List the newest messages', line: 'dm messages 1029249430941045799'},
    {does: 'List the fifty messages before one', line: 'dm messages 1029249430941045799 --limit 50 --max-id 1029249434912194609'},
    {does: 'List the messages after one', line: 'dm messages 1029249430941045799 --min-id 1029249434912194609 --json'},
    {
      does: 'Follow the conversation after one message, and stop after two messages',
      line: 'dm messages 1029249430941045799 --follow --min-id 1029249434117964847 --max 2',
    },
  ],
  names: participantNames,
  arguments: {id: 'ID'},
  follows: true,
});
