import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {userReading} from '../../lib/operations/users.js';

export default endpointCommand({
  endpoint: userReading,
  summary: 'Show somebody who is registered at the server',
  description:
    'For admins of a Pixelfed server. It shows what admins set for the person, read from the server each time. A number is the id of a user, not of an account.',
  examples: [
    {does: 'Show a person', line: 'users get @bob'},
    {does: 'Print whether the posts of a person are kept off public timelines', line: "users get @bob --jq '.meta.moderation.unlisted'"},
  ],
  arguments: {user_id: 'USER'},
});
