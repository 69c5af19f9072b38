import {removeMute} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: removeMute,
  summary: 'Unmute accounts',
  description: 'Unmuting an account that is not muted changes nothing.',
  examples: [
    {does: 'Unmute one account', line: 'mutes remove @loud@shop.example'},
    {does: 'Unmute every muted account', line: 'pixelctl mutes list --all --json | pixelctl mutes remove - --json'},
  ],
  targets: {id: 'ACCOUNT'},
  sentence: ({path: {id}}) => `Unmuted ${accountWords(id)}.`,
});
