import {domainBlock, hostOf} from '../../lib/operations/domains.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';
import {someOf} from '../../lib/cli/titles.js';

export default endpointCommand({
  endpoint: domainBlock,
  summary: 'Block domains',
  description:
    'You no longer see anything from these servers, and your followers there are dropped for good: unblocking does not bring them back. Servers allow 50 or 100 domains per account unless the admin raised the limit.',
  examples: [
    {does: 'One domain', line: 'domain-blocks add bad.example'},
    {does: 'A list, in a script', line: 'domain-blocks add - --yes --json < domains.txt'},
  ],
  arguments: {domain: 'DOMAIN'},
  targets: {field: 'domain', from: ['domain', '#domain']},
  question: ({inputs, count}, {server}) =>
    `Block ${someOf(
      inputs.map(({body}) => hostOf(String(body['domain']))),
      count,
    )} on ${server.host}? Followers there are dropped for good.`,
  done: ({body}) => `Blocked ${hostOf(String(body['domain']))}.`,
});
