import {getConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/command/endpoint-command.js';

export default endpointCommand({
  endpoint: getConversation,
  summary: 'Show one conversation',
  description: 'Who takes part, its state, and its last message.',
  examples: [
    {does: 'For people', line: 'dm get 1029249430941045799'},
    {does: 'As raw JSON', line: 'dm get 1029249430941045799 --json'},
  ],
  view: 'conversation',
  arguments: {id: 'ID'},
});
