import {getPushState} from '../../lib/api/push.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: getPushState,
  summary: 'Show the push settings',
  description: 'Which kinds of notification are pushed, and whether the server has a device token.',
  examples: [
    {does: 'For people', line: 'push state'},
    {does: 'As raw JSON', line: 'push state --json'},
  ],
});
