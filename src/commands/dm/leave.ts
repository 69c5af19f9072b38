import {leaveConversation} from '../../lib/api/direct.js';
import {conversationTitle, someOf} from '../../lib/cli/endpoint/titles.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {conversationWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: leaveConversation,
  summary: 'Leave group conversations',
  description:
    'You no longer see the group. To return, start it again with the same people. A conversation of two cannot be left; hide it instead.',
  examples: [
    {does: 'Leave one group', line: 'dm leave 1029249428955471394'},
    {does: 'Leave a group from a script', line: 'dm leave 1029249428955471394 --yes --json'},
  ],
  targets: {id: 'ID'},
  question: async ({inputs, count}, connection) => {
    const titles = await Promise.all(inputs.map(({path: {id}}) => conversationTitle(id, connection)));
    return `Leave ${count > titles.length ? someOf(titles, count) : titles.join(', and ')}?`;
  },
  sentence: ({path: {id}}) => `Left ${conversationWords(id)}.`,
});
