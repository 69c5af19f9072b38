import {domainBlock, hostOf} from '../../lib/operations/domains.js';
import type {FullInput} from '../../lib/operations/operation.js';
import type {Connection} from '../../lib/cli/connection.js';
import {relationsFlags} from '../../lib/cli/flags.js';
import {relationsFile, saveRelationsOf} from '../../lib/cli/relations.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {someOf} from '../../lib/cli/endpoint/titles.js';

export default endpointCommand({
  endpoint: domainBlock,
  summary: 'Block domains',
  description:
    'Hides everything from these servers and removes your followers there; unblocking does not restore them. Servers allow 50 or 100 domains per account.',
  details:
    'With --save-relations, FILE keeps whom you follow on these domains and their subdomains, and who follows you from there. It is written before the first domain is blocked; if that fails, nothing is blocked. New lines are added to FILE, so it can be used again.',
  examples: [
    {does: 'Block one domain', line: 'domain-blocks add bad.example'},
    {
      does: 'Block a domain, and keep a list of the accounts there that you follow or that follow you',
      line: 'domain-blocks add bad.example --save-relations relations.ndjson',
    },
    {does: 'Block a list of domains from a script', line: 'domain-blocks add - --yes --json < domains.txt'},
  ],
  arguments: {domain: 'DOMAIN'},
  own: {
    flags: relationsFlags,
    apply: (input) => input,
    before({'save-relations': given}) {
      if (given === undefined) return undefined;
      const file = relationsFile(given);
      const run = async (inputs: readonly FullInput[], connection: Connection) =>
        saveRelationsOf(connection, {domains: inputs.map(({body}) => hostOf(String(body['domain']))), file});
      return {flag: '--save-relations', run};
    },
  },
  targets: {field: 'domain'},
  question: ({inputs, count}, {server}) =>
    `Block ${someOf(
      inputs.map(({body}) => hostOf(String(body['domain']))),
      count,
    )} on ${server.host}? Your followers there are removed, and unblocking does not restore them.`,
  done: ({body}) => `Blocked ${hostOf(String(body['domain']))}.`,
});
