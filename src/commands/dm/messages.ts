import {listMessages} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/command/endpoint-command.js';

export default endpointCommand({
  endpoint: listMessages,
  summary: 'List the messages of a conversation',
  description: 'The newest message comes first. With --min-id the page holds the oldest messages after that one, so that nothing is missed between two looks.',
  examples: [
    {does: 'The newest messages', line: 'dm messages 1029249430941045799'},
    {does: 'The fifty before a known one', line: 'dm messages 1029249430941045799 --limit 50 --max-id 1029249434912194609'},
    {does: 'What came since', line: 'dm messages 1029249430941045799 --min-id 1029249434912194609 --json'},
  ],
  view: 'messages',
  arguments: {id: 'ID'},
});
