import {listMutes} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/command/endpoint-command.js';

export default endpointCommand({
  endpoint: listMutes,
  summary: 'List the accounts that you mute',
  description: 'The newest mute comes first. To mute an account, or to undo it, use the `api` call in the examples: ID is the id of the account.',
  examples: [
    {does: 'For people', line: 'mutes list'},
    {does: 'Two on a page, the second page', line: 'mutes list --limit 2 --page 2'},
    {does: 'As raw JSON', line: 'mutes list --json'},
    {does: 'Mute an account', line: 'api POST /api/v1/accounts/ID/mute'},
    {does: 'Unmute it again', line: 'api POST /api/v1/accounts/ID/unmute'},
  ],
  view: 'mutedAccounts',
});
