import {unhideConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: unhideConversation,
  summary: 'Bring hidden conversations back to the inbox',
  description: 'They are listed by `dm list` again.',
  examples: [
    {does: 'One conversation', line: 'dm unhide 1029249430941045799'},
    {does: 'Two, one result each', line: 'dm unhide 1029249430941045799 1029249428955471394 --json'},
  ],
  arguments: {id: 'ID'},
  targets: {field: 'id'},
});
