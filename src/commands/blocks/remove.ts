import {removeBlock} from '../../lib/api/blocks.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: removeBlock,
  summary: 'Unblock accounts',
  description: 'Unblocking an account that is not blocked changes nothing. Follows that the block removed are not restored.',
  examples: [
    {does: 'Unblock one account', line: 'blocks remove @spam@bad.example'},
    {does: 'Unblock every blocked account', line: 'pixelctl blocks list --all --json | pixelctl blocks remove - --json'},
  ],
  targets: {id: 'ACCOUNT'},
  sentence: ({path: {id}}) => `Unblocked ${accountWords(id)}.`,
});
