import {disablePush} from '../../lib/api/push.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: disablePush,
  summary: 'Turn all pushes off',
  description: 'The server forgets the device token as well; `push update` brings both back.',
  examples: [
    {does: 'With a question', line: 'push disable'},
    {does: 'In a script', line: 'push disable --yes --json'},
  ],
  question: (_, {server}) => `Turn all pushes off on ${server.host} and let it forget the device token?`,
});
