import {comparePushToken} from '../../lib/api/push.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: comparePushToken,
  summary: 'Compare a device token with the stored one',
  description:
    'A device token looks like `ExponentPushToken[…]`. It is a secret: reading it from standard input keeps it out of the list of processes.',
  examples: [
    {does: 'From a file', line: 'push compare - < device-token.txt'},
    {does: 'As raw JSON', line: 'push compare - --json < device-token.txt'},
  ],
  arguments: {provider_token: 'DEVICE_TOKEN'},
  piped: ['provider_token'],
});
