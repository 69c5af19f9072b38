import {instanceReading} from '../../lib/operations/instances.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: instanceReading,
  summary: 'Show a server known to yours',
  description: 'For admins of a Pixelfed server. A domain means that host alone, and none of its subdomains.',
  examples: [
    {does: 'Show what your server knows of another one', line: 'instances get spam.example.net'},
    {does: 'Print how many of its accounts are known', line: "instances get spam.example.net --jq '.data.user_count'"},
  ],
  arguments: {id: 'DOMAIN|ID'},
});
