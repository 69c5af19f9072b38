import {domainBlock, domainUnblock} from '../../lib/operations/domains.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: domainUnblock,
  summary: 'Unblock domains',
  description:
    'Servers accept domains that are not blocked. The list is read first, so that the output can say which domains were not blocked. With --json and other formats the list is not read, and the responses are printed.',
  examples: [
    {does: 'Unblock one domain', line: 'domain-blocks remove bad.example'},
    {does: 'Unblock every blocked domain', line: 'pixelctl domain-blocks list --json | pixelctl domain-blocks remove - --json'},
  ],
  arguments: {domain: 'DOMAIN'},
  targets: {field: 'domain'},
  takesBack: {write: domainBlock, nothing: 'was not blocked'},
  sentence: ({body: {domain}}, {wasThere}) =>
    wasThere === undefined ? `Sent the request to unblock ${domain}.` : wasThere ? `Unblocked ${domain}.` : `${domain} was not blocked.`,
});
