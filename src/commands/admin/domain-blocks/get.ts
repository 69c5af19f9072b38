import {adminDomainBlock} from '../../../lib/operations/admin-domain-blocks.js';
import {endpointCommand} from '../../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: adminDomainBlock,
  summary: 'Show how the server blocks a domain',
  description: 'Domains are looked up in the list of blocks. A block of bad.example does not count for sub.bad.example.',
  examples: [
    {does: 'Show the block of a domain', line: 'admin domain-blocks get spam.example.net'},
    {does: 'Print its severity', line: 'admin domain-blocks get spam.example.net --jq .severity'},
  ],
  arguments: {id: 'DOMAIN|ID'},
});
