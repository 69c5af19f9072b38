import {listReports} from '../../lib/api/moderation-reports.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listReports,
  summary: 'List open reports',
  description:
    'For admins of a server. The newest report comes first. `posts moderate` and `users update` accept listed reports as input, and do more than `reports handle`.',
  details:
    'Servers send six reports per page and leave out those of posts that are gone, so that pages can be short or empty although more follow; --all reads on. The list ends after ten empty pages in a row.',
  examples: [
    {does: 'List the newest open reports', line: 'reports list'},
    {
      does: 'Unlist everybody of this server who is reported, and mark their posts as sensitive',
      line: 'pixelctl reports list --all -o ndjson | pixelctl users update - --unlisted --cw --skip-invalid --yes',
    },
  ],
  follows: true,
});
