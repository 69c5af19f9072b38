import {getConfiguration} from '../lib/api/config.js';
import {endpointCommand} from '../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: getConfiguration,
  summary: 'Show the configuration of the server',
  description: 'Shows the version, features and limits. Media sizes are in bytes. Servers before 2026 do not have this endpoint.',
  examples: [
    {does: 'Show it as a table', line: 'config'},
    {does: 'Print the maximum length of a message', line: 'pixelctl config --json | jq .limits.direct_messages.max_characters'},
  ],
});
