import {getConversation} from '../../lib/api/direct.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: getConversation,
  summary: 'Show a conversation',
  description:
    'Shows the participants, the state and the last message. `@user` stands for the conversation with that account; if there is none, it is not started.',
  examples: [
    {does: 'Show a conversation', line: 'dm get 1029249430941045799'},
    {does: 'Show the conversation with an account', line: 'dm get @bo@pix.example'},
  ],
  arguments: {id: 'ID'},
});
