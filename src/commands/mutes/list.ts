import {listMutes} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: listMutes,
  summary: 'List muted accounts',
  description: 'The newest mute comes first.',
  examples: [
    {does: 'List muted accounts', line: 'mutes list'},
    {does: 'Print every page, one account per line', line: 'mutes list --all -o ndjson'},
  ],
});
