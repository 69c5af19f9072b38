import {getConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: getConversation,
  summary: 'Show one conversation',
  description:
    'Who takes part, its state, and its last message. With `@user` it is the conversation with that person, if there is one: it is never started here.',
  examples: [
    {does: 'For people', line: 'dm get 1029249430941045799'},
    {does: 'The one with a person', line: 'dm get @bo@pix.example'},
    {does: 'As raw JSON', line: 'dm get 1029249430941045799 --json'},
  ],
  arguments: {id: 'ID'},
});
