import {getPushState} from '../../lib/api/push.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: getPushState,
  summary: 'Show the push settings',
  description: 'Shows which notifications are pushed, and whether the server has a device token.',
  examples: [
    {does: 'Show the settings', line: 'push state'},
    {does: 'Print raw JSON', line: 'push state --json'},
  ],
});
