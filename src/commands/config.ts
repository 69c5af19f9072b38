import {getConfiguration} from '../lib/api/config.js';
import {endpointCommand} from '../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: getConfiguration,
  summary: 'Show what the server is and what it allows',
  description: 'Version, features and limits. Sizes of media are bytes. Servers before 2026 do not have it.',
  examples: [
    {does: 'For people', line: 'config'},
    {does: 'The longest message, with jq', line: 'pixelctl config --json | jq .limits.direct_messages.max_characters'},
  ],
});
