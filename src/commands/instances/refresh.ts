import {instanceRefreshing} from '../../lib/operations/instances.js';
import {at} from '../../lib/json/path.js';
import {countNoun} from '../../lib/json/text.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';

export default endpointCommand({
  endpoint: instanceRefreshing,
  summary: 'Recount the known accounts and posts of servers',
  description:
    'For admins of a Pixelfed server. The server recounts the accounts and posts that it knows on these servers. Nothing else changes.',
  details:
    'On its own, a server only counts other servers whose description it could read. `plan` and `apply` need these numbers before they suspend many servers.',
  examples: [
    {does: 'Count the accounts and posts of one server', line: 'instances refresh spam.example.net'},
    {does: 'Count those of all servers of a list', line: 'instances refresh --from domains.txt --skip-invalid'},
  ],
  targets: {domain: 'DOMAIN'},
  sentence: ({body: {domain}}, {answer}) => {
    const [accounts, posts] = ['user_count', 'status_count'].map((name) => at(answer, ['data', name]).value);
    const isCounted = typeof accounts === 'number' && typeof posts === 'number';
    const numbers = isCounted ? `: ${countNoun(accounts, 'account')}, ${countNoun(posts, 'post')}` : '';
    return `Recounted what is known of ${String(domain)}${numbers}.`;
  },
});
