import {listMessages} from '../../lib/api/direct.js';
import {participantNames} from '../../lib/cli/titles.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: listMessages,
  summary: 'List the messages of a conversation',
  description:
    'The newest message comes first. A narrow terminal has no room for the ids of the messages: --fields id,text and --json show them. With --min-id the page holds the oldest messages after that one, so that nothing is missed between two looks.',
  examples: [
    {does: 'The newest messages', line: 'dm messages 1029249430941045799'},
    {does: 'The fifty before a known one', line: 'dm messages 1029249430941045799 --limit 50 --max-id 1029249434912194609'},
    {does: 'What came since', line: 'dm messages 1029249430941045799 --min-id 1029249434912194609 --json'},
    {
      does: 'What comes from a known one on, as it comes, two messages in all',
      line: 'dm messages 1029249430941045799 --follow --min-id 1029249434117964847 --max 2',
    },
  ],
  names: participantNames,
  arguments: {id: 'ID'},
  follows: true,
});
