/** What the reference says about the keys of a policy, besides the descriptions of the schema. */
import {accountDomainsWords, serverDomainsWords} from './domains-words.js';
import {filtersWords} from './filters-words.js';
import {namedSetWords, type SectionWords} from './section-words.js';
import type {SectionKey} from '../model/policy.js';

/** The keys beside the sections. */
export const policyWords: SectionWords = {
  version: {example: 'domain_blocks: {must: [bad.example]}'},
  server: {
    more: 'A policy for another server is refused (2), and nothing is sent.',
    example: 'server: https://pix.example',
  },
  accounts: {
    more: 'Any other account is refused (2), and nothing is sent. Without it, the policy is for any account. `--profile` selects the accounts of a run.',
    example: 'accounts: [ana@pix.example, bob@pix.example]',
  },
  for: {
    more: 'See [Several accounts](../guides/policy-accounts.md).',
    example: `accounts: [ana@pix.example, shop@other.example]
domain_blocks: {must: [bad.example]}
for:
  shop@other.example:
    domain_blocks: {must: [rival.example]}
    blocks: {must: ['@dailydeals@shop.example.com']}`,
  },
};

const named = `An account is \`ana\`, \`@ana@pix.example\` or an id; \`@123\` is the account named 123. Each account is looked up once, when it is added.`;

/** What a section says about all of its keys. */
export const sectionNotes: Partial<Record<SectionKey, string>> = {
  admin_domain_blocks: `These blocks hold for everyone on the server: see [Block lists for a whole server](../guides/server-blocks.md).`,
  filters: 'See also [Filters from the shell](../guides/filters.md).',
  blocks: named,
  mutes: named,
};

export const sectionWords: Readonly<Record<SectionKey, SectionWords>> = {
  domain_blocks: accountDomainsWords,
  admin_domain_blocks: serverDomainsWords,
  filters: filtersWords,
  blocks: namedSetWords('blocks', '@dailydeals@shop.example.com'),
  mutes: {},
};
