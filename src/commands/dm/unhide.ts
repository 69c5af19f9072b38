import {unhideConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {conversationWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: unhideConversation,
  summary: 'Move hidden conversations back to the inbox',
  description: '`dm list` lists them again.',
  examples: [
    {does: 'Unhide one conversation', line: 'dm unhide 1029249430941045799'},
    {does: 'Unhide two, with one JSON result each', line: 'dm unhide 1029249430941045799 1029249428955471394 --json'},
  ],
  targets: {id: 'ID'},
  sentence: ({path: {id}}) => `Unhid ${conversationWords(id)}.`,
});
