import {listBlocks} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/command/endpoint-command.js';

export default endpointCommand({
  endpoint: listBlocks,
  summary: 'List the accounts that you block',
  description: 'The newest block comes first. To block an account, or to undo it, use the `api` call in the examples: ID is the id of the account.',
  examples: [
    {does: 'For people', line: 'blocks list'},
    {does: 'Two on a page, the second page', line: 'blocks list --limit 2 --page 2'},
    {does: 'As raw JSON', line: 'blocks list --json'},
    {does: 'Block an account', line: 'api POST /api/v1/accounts/ID/block'},
    {does: 'Unblock it again', line: 'api POST /api/v1/accounts/ID/unblock'},
  ],
  view: 'blockedAccounts',
});
