/** What kinds of rules are called and ask for, where a report has room to say it. */
import type {Kind} from '../finding.js';

export const kindNames: Readonly<Record<Kind, string>> = {
  block: 'Blocked accounts',
  config: 'Server configuration',
  domain_block: 'Domain blocks',
  filter: 'Filters',
  mute: 'Muted accounts',
  push: 'Push settings',
  unchecked: 'Cannot be checked here',
};

const rules: Readonly<Record<string, string>> = {
  'blocks.at_most': 'No more accounts may be blocked than this.',
  'blocks.must': 'These accounts have to be blocked.',
  'blocks.must_not': 'These accounts may not be blocked.',
  'blocks.only': 'No other account may be blocked.',
  config: 'The server has to be configured like this.',
  'domain_blocks.lists': 'What enough of these lists name has to be blocked.',
  'domain_blocks.must': 'These domains have to be blocked.',
  'domain_blocks.must_not': 'These domains may not be blocked, whatever a list says.',
  'domain_blocks.only': 'No domain may be blocked that neither the policy nor its lists name.',
  'filters.expire_within': 'No filter may run out so soon.',
  'filters.must': 'These filters have to be there, just so.',
  'filters.must_not': 'Filters with these titles may not be there.',
  'filters.only': 'No filter may be there that the policy does not name.',
  'mutes.at_most': 'No more accounts may be muted than this.',
  'mutes.must': 'These accounts have to be muted.',
  'mutes.must_not': 'These accounts may not be muted.',
  'mutes.only': 'No other account may be muted.',
};

/** What a rule asks for, in a sentence. */
export function ruleText(rule: string): string {
  return rules[rule] ?? (rule.startsWith('push.') ? 'Push has to be set like this.' : 'The policy asks for this.');
}
