import {listBlocks} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: listBlocks,
  summary: 'List the accounts that you block',
  description: 'The newest block comes first.',
  examples: [
    {does: 'For people', line: 'blocks list'},
    {does: 'Two on a page, the second page', line: 'blocks list --limit 2 --page 2'},
    {does: 'As raw JSON', line: 'blocks list --json'},
    {does: 'Every page, one account a line', line: 'blocks list --all -o ndjson'},
  ],
});
