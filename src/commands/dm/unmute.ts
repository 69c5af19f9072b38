import {unmuteConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {conversationWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: unmuteConversation,
  summary: 'Unmute conversations',
  description: 'The conversation sends notifications and counts as unread again.',
  examples: [
    {does: 'Unmute one conversation', line: 'dm unmute 1029249430941045799'},
    {does: 'Unmute two, with one JSON result each', line: 'dm unmute 1029249430941045799 1029249428955471394 --json'},
  ],
  targets: {id: 'ID'},
  sentence: ({path: {id}}) => `Unmuted ${conversationWords(id)}.`,
});
