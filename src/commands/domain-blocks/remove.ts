import {domainBlock, domainUnblock} from '../../lib/operations/domains.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: domainUnblock,
  summary: 'Unblock domains',
  description:
    'Servers accept domains that are not blocked as well. A table says which were not blocked: the list is read first for that, unless --json or another format asks for the answers.',
  examples: [
    {does: 'One domain', line: 'domain-blocks remove bad.example'},
    {does: 'Every blocked domain, through a pipe', line: 'pixelctl domain-blocks list --json | pixelctl domain-blocks remove - --json'},
  ],
  arguments: {domain: 'DOMAIN'},
  targets: {field: 'domain', from: ['domain', '#domain']},
  takesBack: {write: domainBlock, nothing: 'was not blocked'},
  done: ({body: {domain}}, {wasThere}) =>
    wasThere === undefined ? `Sent the request to unblock ${domain}.` : wasThere ? `Unblocked ${domain}.` : `${domain} was not blocked.`,
});
