import {unhideConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/command/endpoint-command.js';

export default endpointCommand({
  endpoint: unhideConversation,
  summary: 'Bring hidden conversations back to the inbox',
  description: 'They are listed by `dm list` again.',
  examples: [
    {does: 'One conversation', line: 'dm unhide 1029252276481310721'},
    {does: 'Two, one result each', line: 'dm unhide 1029252276481310721 1029252276936019970 --json'},
  ],
  view: 'conversationSummary',
  arguments: {id: 'ID'},
  targets: {field: 'id'},
});
