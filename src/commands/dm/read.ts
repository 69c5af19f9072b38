import {readConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: readConversation,
  summary: 'Mark conversations as read',
  description: 'Everything up to the newest message counts as read, or up to --message-id. The mark never moves back.',
  examples: [
    {does: 'All of a conversation', line: 'dm read 1029249430941045799'},
    {does: 'Up to one message', line: 'dm read 1029249430941045799 --message-id 1029249434912194609'},
    {does: 'Two conversations', line: 'dm read 1029249430941045799 1029249428955471394'},
  ],
  arguments: {id: 'ID'},
  targets: {field: 'id'},
});
