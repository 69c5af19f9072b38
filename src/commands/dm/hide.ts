import {hideConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {conversationWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: hideConversation,
  summary: 'Hide conversations from the inbox',
  description: '`dm list --filter hidden` lists hidden conversations. Sending a message unhides it; receiving one does not.',
  examples: [
    {does: 'Hide one conversation', line: 'dm hide 1029249430941045799'},
    {does: 'Hide two, with one JSON result each', line: 'dm hide 1029249430941045799 1029249428955471394 --json'},
  ],
  targets: {id: 'ID'},
  sentence: ({path: {id}}) => `Hid ${conversationWords(id)}.`,
});
