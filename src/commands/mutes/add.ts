import {addMute} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: addMute,
  summary: 'Mute accounts',
  description:
    'You no longer see their posts or their notifications, and they are not told. Muting an account that is muted changes nothing. Servers allow 500 mutes per account unless the admin raised the limit.',
  examples: [
    {does: 'One account', line: 'mutes add @loud@shop.example'},
    {does: 'A list of accounts', line: 'mutes add - --json < accounts.txt'},
  ],
  arguments: {id: 'ACCOUNT'},
  targets: {field: 'id', from: ['Account address']},
});
