import {hideConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: hideConversation,
  summary: 'Hide conversations from the inbox',
  description:
    'Hidden conversations are listed with `dm list --filter hidden`. Writing to one brings it back; a message from the others does not.',
  examples: [
    {does: 'One conversation', line: 'dm hide 1029249430941045799'},
    {does: 'Two, one result each', line: 'dm hide 1029249430941045799 1029249428955471394 --json'},
  ],
  arguments: {id: 'ID'},
  targets: {field: 'id'},
});
