import {domainBlock, hostOf} from '../../lib/operations/domains.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {someOf} from '../../lib/cli/endpoint/titles.js';

export default endpointCommand({
  endpoint: domainBlock,
  summary: 'Block domains',
  description:
    'Hides everything from these servers and removes your followers there; unblocking does not restore them. Servers allow 50 or 100 domains per account.',
  examples: [
    {does: 'Block one domain', line: 'domain-blocks add bad.example'},
    {does: 'Block a list of domains from a script', line: 'domain-blocks add - --yes --json < domains.txt'},
  ],
  targets: {domain: 'DOMAIN'},
  question: ({inputs, count}, {server}) =>
    `Block ${someOf(
      inputs.map(({body}) => hostOf(String(body['domain']))),
      count,
    )} on ${server.host}? Your followers there are removed, and unblocking does not restore them.`,
  sentence: ({body}) => `Blocked ${hostOf(String(body['domain']))}.`,
});
