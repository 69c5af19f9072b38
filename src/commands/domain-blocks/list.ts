import {listDomainBlocks} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: listDomainBlocks,
  summary: 'List the domains that you block',
  description: 'The newest block comes first.',
  examples: [
    {does: 'For people', line: 'domain-blocks list'},
    {does: 'Two hundred at once, as raw JSON', line: 'domain-blocks list --limit 200 --json'},
  ],
});
