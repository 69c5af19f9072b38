import {instanceFlags} from '../../lib/api/admin-entities.js';
import {instanceModeration} from '../../lib/operations/instances.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {someOf} from '../../lib/cli/endpoint/titles.js';
import type {FullInput} from '../../lib/operations/operation.js';

const flags = {
  banned: {asked: ['ban', 'unban'], told: ['banned', 'unbanned']},
  unlisted: {asked: ['unlist', 'relist'], told: ['unlisted', 'relisted']},
  auto_cw: {
    asked: ['add content warnings to', 'stop content warnings of'],
    told: ['added content warnings to', 'stopped content warnings of'],
  },
} as const;

/** `Ban and unlist bad.example` */
function wordsFor({body}: FullInput, domains: string, tense: 'asked' | 'told'): string {
  const verbs = instanceFlags.flatMap((name) => (body[name] === undefined ? [] : [flags[name][tense][body[name] === true ? 0 : 1]]));
  const [first = '', ...rest] = verbs.join(' and ');
  return `${first.toUpperCase()}${rest.join('')} ${domains}`;
}

export default endpointCommand({
  endpoint: instanceModeration,
  summary: 'Ban or unlist servers, or mark their posts as sensitive',
  description:
    'For admins of a Pixelfed server that already knows these servers; `admin domain-blocks add` blocks others. Follows stay as they are.',
  details:
    'Each server is read first, and one request is sent for each flag that differs. Servers are changed one after the other unless --concurrency says otherwise.',
  examples: [
    {does: 'Ban one server', line: 'instances moderate spam.example.net --banned'},
    {
      does: 'Unlist all servers of a list, and lift their bans',
      line: 'instances moderate --from domains.txt --no-banned --unlisted --yes --json',
    },
  ],
  targets: {domain: 'DOMAIN'},
  concurrency: 1,
  negatable: ['banned', 'unlisted', 'auto_cw'],
  changes: true,
  question: ({inputs, count}, {server}) => {
    const [first] = inputs;
    const domains = someOf(
      inputs.map(({body}) => String(body['domain'])),
      count,
    );
    return first === undefined ? '' : `${wordsFor(first, domains, 'asked')} on ${server.host}?`;
  },
  sentence: (input) => `${wordsFor(input, String(input.body['domain']), 'told')}.`,
});
