import {removeDomainBlock} from '../../lib/api/blocks.js';
import {hostOf} from '../../lib/client/domain.js';
import {endpointCommand} from '../../lib/command/endpoint-command.js';

export default endpointCommand({
  endpoint: removeDomainBlock,
  summary: 'Unblock domains',
  description: 'Servers say yes to a domain that was not blocked, too.',
  examples: [
    {does: 'One domain', line: 'domain-blocks remove bad.example'},
    {does: 'Every blocked domain, through a pipe', line: 'pixelctl domain-blocks list --json | pixelctl domain-blocks remove - --json'},
  ],
  arguments: {domain: 'DOMAIN'},
  targets: {field: 'domain', from: ['domain', '#domain']},
  convert: {domain: hostOf},
  done: ({body}) => `Unblocked ${body['domain']}.`,
});
