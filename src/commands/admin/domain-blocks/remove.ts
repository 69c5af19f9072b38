import {adminDomainBlockRemoval} from '../../../lib/operations/admin-domain-blocks.js';
import {isId} from '../../../lib/operations/handle.js';
import {endpointCommand} from '../../../lib/cli/endpoint/endpoint-command.js';
import {someOf} from '../../../lib/cli/endpoint/titles.js';

export default endpointCommand({
  endpoint: adminDomainBlockRemoval,
  summary: 'Unblock domains for everyone on the server',
  description:
    'The notes on the domain stay on Pixelfed. What a suspension removed on Mastodon does not come back. Domains are looked up in the list of blocks, which is read once per run.',
  examples: [
    {does: 'Unblock a domain', line: 'admin domain-blocks remove spam.example.net'},
    {does: 'Unblock the domains of a list', line: 'admin domain-blocks remove --from domains.txt --yes'},
  ],
  targets: {id: 'DOMAIN|ID'},
  question: ({targets, count}, {server}) =>
    `Remove the ${count === 1 ? 'block' : 'blocks'} of ${someOf(targets, count)} for everyone on ${server.host}?`,
  sentence: ({path: {id}}) => (isId(String(id)) ? `Removed block ${String(id)}.` : `Unblocked ${String(id)}.`),
});
