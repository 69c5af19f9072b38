import {listReports} from '../../lib/api/moderation-reports.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listReports,
  summary: 'List open reports',
  description: 'For admins of a server. The newest report comes first. Pages can be short or empty although more follow; --all reads on.',
  details: 'Servers send six reports per page and leave out those of posts that are gone. The list ends after ten empty pages in a row.',
  examples: [
    {does: 'List the newest open reports', line: 'reports list'},
    {does: 'List all open reports, one per line', line: 'reports list --all -o ndjson'},
  ],
  follows: true,
});
