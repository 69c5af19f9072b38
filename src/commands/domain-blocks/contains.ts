import {listDomainBlocks} from '../../lib/api/blocks.js';
import {domainsIn, hostOf} from '../../lib/operations/domains.js';
import {containsCommand} from '../../lib/cli/contains-command.js';

export default containsCommand({
  list: listDomainBlocks,
  summary: 'Check whether you block domains',
  description: 'Exactly these domains: that bad.example is blocked does not count for sub.bad.example.',
  examples: [
    {does: 'One domain', line: 'domain-blocks contains bad.example'},
    {
      does: 'What of a list is not blocked yet',
      line: `pixelctl domain-blocks contains - -o ndjson --quiet < domains.txt | jq -r 'select(.contained | not) | .target'`,
    },
  ],
  label: 'DOMAIN',
  about: 'a domain',
  from: ['domain', '#domain'],
  nameOf: hostOf,
  contents: domainsIn,
  state: 'blocked',
});
