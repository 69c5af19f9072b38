import {readConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/command/endpoint-command.js';

export default endpointCommand({
  endpoint: readConversation,
  summary: 'Mark conversations as read',
  description: 'Everything up to the newest message counts as read, or up to --message-id. The mark never moves back.',
  examples: [
    {does: 'All of a conversation', line: 'dm read 1029252276481310721'},
    {does: 'Up to one message', line: 'dm read 1029252276481310721 --message-id 1029252282444533776'},
    {does: 'Two conversations', line: 'dm read 1029252276481310721 1029252276936019970'},
  ],
  view: 'conversationSummary',
  arguments: {id: 'ID'},
  targets: {field: 'id'},
});
