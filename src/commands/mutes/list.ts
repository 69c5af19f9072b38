import {listMutes} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: listMutes,
  summary: 'List the accounts that you mute',
  description: 'The newest mute comes first.',
  examples: [
    {does: 'For people', line: 'mutes list'},
    {does: 'Two on a page, the second page', line: 'mutes list --limit 2 --page 2'},
    {does: 'As raw JSON', line: 'mutes list --json'},
    {does: 'Every page, one account a line', line: 'mutes list --all -o ndjson'},
  ],
});
