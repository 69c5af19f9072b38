/** Accounts that the account mutes. */
import {accountSection} from './accounts.js';
import {addMute, listMutes, removeMute} from '../../api/blocks.js';
import {csvLine} from '../../files/csv.js';

export const mutes = accountSection({
  key: 'mutes',
  kind: 'mute',
  help: 'accounts that the account mutes',
  words: {item: 'account mute', counted: ['account mute', 'account mutes'], title: 'Muted accounts', all: 'the mutes', done: 'muted'},
  reads: listMutes,
  operations: {add: addMute, remove: removeMute},
  isOfList: ({format}) => format === 'mastodon-mutes-csv',
  mastodonCsv: (accounts) =>
    csvLine(['Account address', 'Hide notifications']) + accounts.map((account) => csvLine([account, 'true'])).join(''),
});
