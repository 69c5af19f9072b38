import {addMute} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: addMute,
  summary: 'Mute accounts',
  description:
    'Hides the posts and notifications of these accounts; they are not notified. Muting a muted account changes nothing. Servers allow 500 mutes per account (50 in release 0.12.6) unless the admin has raised the limit.',
  examples: [
    {does: 'Mute one account', line: 'mutes add @loud@shop.example'},
    {does: 'Mute a list of accounts', line: 'mutes add - --json < accounts.txt'},
  ],
  targets: {id: 'ACCOUNT'},
  sentence: ({path: {id}}) => `Muted ${accountWords(id)}.`,
});
