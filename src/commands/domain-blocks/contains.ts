import {listDomainBlocks} from '../../lib/api/blocks.js';
import {blockableOf, domainsIn, hostOf} from '../../lib/operations/domains.js';
import {refuseFileName} from '../../lib/cli/endpoint/targets.js';
import {containsCommand} from '../../lib/cli/endpoint/contains-command.js';

export default containsCommand({
  list: listDomainBlocks,
  summary: 'Check whether domains are blocked',
  description: 'Checks for exactly these domains: a block of bad.example does not count for sub.bad.example.',
  examples: [
    {does: 'Check one domain', line: 'domain-blocks contains bad.example'},
    {
      does: 'Print the domains of a list that are not blocked yet',
      line: `pixelctl domain-blocks contains - -o ndjson --quiet < domains.txt | jq -r 'select(.contained | not) | .target'`,
    },
  ],
  label: 'DOMAIN',
  about: 'a domain',
  // A line of a list may be a top-level domain, which an account cannot block.
  nameOf(text, isListed) {
    if (isListed) return blockableOf(text);
    refuseFileName(text, true);
    return hostOf(text);
  },
  contents: domainsIn,
  state: 'blocked',
});
