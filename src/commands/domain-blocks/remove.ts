import {domainUnblock} from '../../lib/operations/domains.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: domainUnblock,
  summary: 'Unblock domains',
  description: 'Servers accept domains that are not blocked; `domain-blocks contains` tells which domains are blocked.',
  examples: [
    {does: 'Unblock one domain', line: 'domain-blocks remove bad.example'},
    {does: 'Unblock every blocked domain', line: 'pixelctl domain-blocks list --json | pixelctl domain-blocks remove - --json'},
  ],
  targets: {domain: 'DOMAIN'},
  sentence: ({body: {domain}}) => `Unblocked ${domain}.`,
});
