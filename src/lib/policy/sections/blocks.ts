/** Accounts that the account blocks. */
import {type AccountChange, type AccountEntries, accountChange, accountSection} from '../section/accounts.js';
import {noFollows, ofAdditions} from '../section/section.js';
import {addBlock, listBlocks, removeBlock} from '../../api/blocks.js';
import {csvLine} from '../../files/csv.js';
import type {NameRules} from '../model/policy.js';

declare module '../model/section-types.js' {
  interface Rules {
    readonly blocks: NameRules;
  }
  interface Values {
    readonly blocks: AccountEntries;
  }
  interface Changes {
    readonly block: AccountChange<'block'>;
  }
}

/** One account a line, the format of Mastodon's export of blocks. */
export function mastodonBlocks(accounts: readonly string[]): string {
  return accounts.map((account) => csvLine([account])).join('');
}

export const blocks = accountSection({
  key: 'blocks',
  kind: 'block',
  help: 'accounts that the account blocks',
  done: 'blocked',
  words: {
    item: 'account block',
    counted: ['account block', 'account blocks'],
    title: 'Blocked accounts',
    all: 'the blocks',
  },
  topic: 'blocks',
  reads: listBlocks,
  operations: {add: addBlock, remove: removeBlock},
  limit: {older: 50, newer: 200, item: 'account block', words: 'accounts would be blocked'},
  lost: () => noFollows,
  warning: ofAdditions('You and blocked accounts stop following each other permanently.'),
  rules: ({blocks: rules}) => rules,
  withRules: (rules) => ({blocks: rules}),
  part: ({blocks: part}) => part,
  withPart: (part) => ({blocks: part}),
  schemas: () => [accountChange('block')],
  changeOf: ({action, ...fields}) => ({action, kind: 'block', ...fields}),
  isOfList: ({format}) => format !== 'mastodon-mutes-csv',
  mastodonCsv: mastodonBlocks,
});
