import {instanceRefreshing} from '../../lib/operations/instances.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: instanceRefreshing,
  summary: 'Have your server count the accounts and posts of other servers again',
  description:
    'For admins of a Pixelfed server. The server counts again how many accounts and posts it knows of each of these, which it does on its own only where it can read a description of them. `plan` and `apply` ask for these numbers before many servers are suspended. Nothing else is changed.',
  examples: [
    {does: 'Count the accounts and posts of one server', line: 'instances refresh spam.example.net'},
    {does: 'Count those of all servers of a list', line: 'instances refresh --from domains.txt --skip-invalid'},
  ],
  arguments: {domain: 'DOMAIN'},
  targets: {field: 'domain'},
});
