/** Accounts that the account blocks. */
import {accountSection} from './accounts.js';
import {noFollows, warnOfAdditions} from './names.js';
import {addBlock, listBlocks, removeBlock} from '../../api/blocks.js';
import {csvLine} from '../../files/csv.js';

export const blocks = accountSection({
  key: 'blocks',
  kind: 'block',
  help: 'accounts that the account blocks',
  words: {
    item: 'account block',
    counted: ['account block', 'account blocks'],
    title: 'Blocked accounts',
    all: 'the blocks',
    done: 'blocked',
  },
  reads: listBlocks,
  operations: {add: addBlock, remove: removeBlock},
  lost: ({action}) => (action === 'remove' ? noFollows : undefined),
  warning: warnOfAdditions('You and blocked accounts stop following each other permanently.'),
  isOfList: ({format}) => format !== 'mastodon-mutes-csv',
  // One account a line, the format of Mastodon's export of blocks.
  mastodonCsv: (accounts) => accounts.map((account) => csvLine([account])).join(''),
});
