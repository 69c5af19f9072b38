import {listDomainBlocks} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listDomainBlocks,
  summary: 'List blocked domains',
  description: 'The newest block comes first.',
  examples: [
    {does: 'List blocked domains', line: 'domain-blocks list'},
    {does: 'Print raw JSON, 200 domains per page', line: 'domain-blocks list --limit 200 --json'},
  ],
});
