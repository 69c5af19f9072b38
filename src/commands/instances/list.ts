import {listInstances} from '../../lib/api/instances.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listInstances,
  summary: 'List the servers known to yours',
  description: 'For admins of a Pixelfed server. Servers that became known first come first.',
  examples: [
    {does: 'List the servers that are banned', line: 'instances list --filter banned --all'},
    {does: 'Find servers by a part of their domain', line: 'instances list --query example.org'},
  ],
  flags: {q: 'query'},
});
