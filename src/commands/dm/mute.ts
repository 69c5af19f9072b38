import {muteConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {conversationWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: muteConversation,
  summary: 'Mute conversations',
  description: 'A muted conversation sends no notifications and does not count as unread.',
  examples: [
    {does: 'Mute one conversation', line: 'dm mute 1029249430941045799'},
    {does: 'Mute two, with one JSON result each', line: 'dm mute 1029249430941045799 1029249428955471394 --json'},
  ],
  targets: {id: 'ID'},
  sentence: ({path: {id}}) => `Muted ${conversationWords(id)}.`,
});
