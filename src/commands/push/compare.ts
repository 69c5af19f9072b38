import {comparePushToken} from '../../lib/api/push.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: comparePushToken,
  summary: 'Compare a device token with the stored one',
  description:
    'A device token looks like `ExponentPushToken[…]`. It is a secret: read it from standard input to keep it out of the process list.',
  examples: [
    {does: 'Compare a token from a file', line: 'push compare - < device-token.txt'},
    {does: 'Print raw JSON', line: 'push compare - --json < device-token.txt'},
  ],
  arguments: {provider_token: 'DEVICE_TOKEN'},
  piped: ['provider_token'],
});
