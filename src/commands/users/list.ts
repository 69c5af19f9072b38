import {listUsers} from '../../lib/api/users.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listUsers,
  summary: 'List the people who are registered at the server',
  description: 'For admins of a Pixelfed server. The newest come first. Whoever is suspended, disabled or being deleted is not listed.',
  examples: [
    {does: 'List the newest people', line: 'users list'},
    {does: 'Find people by a part of their user name', line: 'users list --query deals --all'},
  ],
  flags: {q: 'query'},
});
