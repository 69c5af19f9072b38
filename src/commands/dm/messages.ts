import {listMessages} from '../../lib/api/direct.js';
import {participantNames} from '../../lib/cli/endpoint/titles.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listMessages,
  summary: 'List the messages of a conversation',
  description:
    'The newest message comes first. With --min-id, the page has the oldest messages after that one, so that none is missed between two runs.',
  examples: [
    {does: 'List the newest messages', line: 'dm messages 1029249430941045799'},
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
