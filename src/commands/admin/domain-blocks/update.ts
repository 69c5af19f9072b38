import {adminDomainBlockUpdate} from '../../../lib/operations/admin-domain-blocks.js';
import {isId} from '../../../lib/operations/handle.js';
import {endpointCommand} from '../../../lib/cli/endpoint/endpoint-command.js';
import {someOf} from '../../../lib/cli/endpoint/titles.js';

export default endpointCommand({
  endpoint: adminDomainBlockUpdate,
  summary: 'Change how the server blocks domains',
  description: 'Settings you omit keep their values. An empty comment clears the comment.',
  details:
    'The block is read first, and its settings are sent along, because servers reset settings that are missing. Domains are looked up in the list of blocks, which is read once per run.',
  examples: [
    {does: 'Silence a suspended domain', line: 'admin domain-blocks update spam.example.net --severity silence'},
    {does: 'Clear the private comment', line: `admin domain-blocks update spam.example.net --private-comment '' --yes`},
  ],
  targets: {id: 'DOMAIN|ID'},
  changes: true,
  negatable: ['reject_media', 'reject_reports', 'obfuscate'],
  question: ({targets, count, inputs: [first]}, {server}) => {
    // Comments may be private, and are not repeated.
    const said = Object.entries(first?.body ?? {}).map(([name, value]) =>
      name.endsWith('_comment') ? `the ${name.replace('_', ' ')}` : `${name.replace('_', ' ')} ${String(value)}`,
    );
    return `Change the ${count === 1 ? 'block' : 'blocks'} of ${someOf(targets, count)} for everyone on ${server.host}: ${said.join(', ')}?`;
  },
  sentence: ({path: {id}}) => `Changed ${isId(String(id)) ? `block ${String(id)}` : `the block of ${String(id)}`}.`,
});
