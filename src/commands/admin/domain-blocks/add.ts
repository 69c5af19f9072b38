import {adminDomainBlockAddition} from '../../../lib/operations/admin-domain-blocks.js';
import {endpointCommand} from '../../../lib/cli/endpoint/endpoint-command.js';
import {someOf} from '../../../lib/cli/endpoint/titles.js';

export default endpointCommand({
  endpoint: adminDomainBlockAddition,
  summary: 'Block domains for everyone on the server',
  description:
    'Blocks domains for everyone on the server, with the severity suspend unless another one is given. Blocking a domain that already has these settings succeeds.',
  details:
    'A list that has severities of its own needs --severity. A domain that is blocked with other settings is refused; use `admin domain-blocks update`.\n\nMastodon covers subdomains, and a suspension there ends follows in both directions permanently. Pixelfed blocks exactly the host, keeps follows, and keeps only the severity and the private comment. It would erase its notes on the domain, so they are read first and sent along when no comment is given.',
  examples: [
    {does: 'Suspend a domain', line: 'admin domain-blocks add bad.example'},
    {does: 'Silence the domains of a list', line: 'admin domain-blocks add --from domains.txt --severity silence --yes'},
  ],
  targets: {domain: 'DOMAIN'},
  defaults: {severity: 'suspend'},
  negatable: ['reject_media', 'reject_reports', 'obfuscate'],
  question: ({inputs, targets, count}, {server}) =>
    `Block ${someOf(targets, count)} for everyone on ${server.host} (${String(inputs[0]?.body['severity'])})?`,
  sentence: ({body: {domain, severity}}) =>
    severity === 'noop'
      ? `Noted ${String(domain)} for everyone: a noop blocks nothing.`
      : `Blocked ${String(domain)} for everyone (${String(severity)}).`,
});
