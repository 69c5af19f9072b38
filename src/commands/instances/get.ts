import {instanceReading} from '../../lib/operations/instances.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: instanceReading,
  summary: 'Show servers known to yours',
  description: 'For admins of a Pixelfed server. A domain means that host alone, and none of its subdomains.',
  examples: [
    {does: 'Show what your server knows of another one', line: 'instances get spam.example.net'},
    {does: 'Show all servers of a list', line: 'instances get --from domains.txt --skip-invalid'},
  ],
  targets: {id: 'DOMAIN|ID'},
});
