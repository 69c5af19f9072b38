import {disablePush} from '../../lib/api/push.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: disablePush,
  summary: 'Turn off all push notifications',
  description: 'The server also deletes the device token. `push update` restores both.',
  examples: [
    {does: 'Turn off, after confirmation', line: 'push disable'},
    {does: 'Turn off from a script', line: 'push disable --yes --json'},
  ],
  question: (_, {server}) => `Turn off all push notifications on ${server.host} and delete the device token there?`,
  sentence: () => 'Turned off all push notifications, and deleted the device token.',
});
