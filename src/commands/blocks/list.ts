import {listBlocks} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listBlocks,
  summary: 'List blocked accounts',
  description: 'The newest block comes first.',
  examples: [
    {does: 'List blocked accounts', line: 'blocks list'},
    {does: 'Print every page, one account per line', line: 'blocks list --all -o ndjson'},
  ],
});
