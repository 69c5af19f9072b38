import {listAdminDomainBlocks} from '../../../lib/api/admin-domain-blocks.js';
import {endpointCommand} from '../../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listAdminDomainBlocks,
  summary: 'List the domains that the server blocks',
  description: 'Mastodon lists domains with the severity noop as well, which are not blocked; Pixelfed does not.',
  examples: [
    {does: 'List the first hundred blocks', line: 'admin domain-blocks list'},
    {does: 'Save all blocks as JSON', line: 'pixelctl admin domain-blocks list --all --json > blocks.json'},
  ],
});
