import {startConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';
import {largeGroup} from '../../lib/operations/limits.js';

export default endpointCommand({
  endpoint: startConversation,
  summary: 'Start a conversation, or find the one there is',
  description:
    'The same people always share one conversation: starting it again gives the one there is. Handles are looked up, and used only on an exact match.',
  examples: [
    {does: 'With one person', line: 'dm start @bo@pix.example'},
    {does: 'A group, by account ids', line: 'dm start 1029249417042024964 1029249417439139845'},
  ],
  arguments: {recipient_ids: 'RECIPIENT'},
  overLimit: ({body}, limits) => (Array.isArray(body['recipient_ids']) ? largeGroup(body['recipient_ids'].length, limits) : undefined),
});
