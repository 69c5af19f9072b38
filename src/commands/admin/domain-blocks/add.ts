import {adminDomainBlockAddition} from '../../../lib/operations/admin-domain-blocks.js';
import {endpointCommand} from '../../../lib/cli/endpoint/endpoint-command.js';
import {someOf} from '../../../lib/cli/endpoint/titles.js';

export default endpointCommand({
  endpoint: adminDomainBlockAddition,
  summary: 'Block domains for everyone on the server',
  description:
    'The severity is suspend unless given, and has to be given for a list with other severities. A domain that is blocked as asked already is a success, so the command can be run again; one that is blocked otherwise is refused, and left to update. Mastodon covers subdomains, and a suspension there ends follows in both directions for good. Pixelfed blocks exactly the host, keeps follows, and keeps only the severity and the private comment. It would erase its notes on the domain, so they are read first and sent along when no comment is given.',
  examples: [
    {does: 'Suspend a domain', line: 'admin domain-blocks add bad.example'},
    {does: 'Silence the domains of a list', line: 'admin domain-blocks add --from domains.txt --severity silence --yes'},
  ],
  arguments: {domain: 'DOMAIN'},
  targets: {field: 'domain'},
  defaults: {severity: 'suspend'},
  negatable: ['reject_media', 'reject_reports', 'obfuscate'],
  question: ({inputs, targets, count}, {server}) =>
    `Block ${someOf(targets, count)} for everyone on ${server.host} (${String(inputs[0]?.body['severity'])})?`,
});
