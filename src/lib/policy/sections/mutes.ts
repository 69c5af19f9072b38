/** Accounts that the account mutes. */
import {type AccountChange, type AccountEntries, accountChange, accountSection} from '../section/accounts.js';
import {addMute, listMutes, removeMute} from '../../api/blocks.js';
import {csvLine} from '../../files/csv.js';
import type {NameRules} from '../model/policy.js';

declare module '../model/section-types.js' {
  interface Rules {
    readonly mutes: NameRules;
  }
  interface Values {
    readonly mutes: AccountEntries;
  }
  interface Changes {
    readonly mute: AccountChange<'mute'>;
  }
}

export function mastodonMutes(accounts: readonly string[]): string {
  return csvLine(['Account address', 'Hide notifications']) + accounts.map((account) => csvLine([account, 'true'])).join('');
}

export const mutes = accountSection({
  key: 'mutes',
  kind: 'mute',
  help: 'accounts that the account mutes',
  done: 'muted',
  words: {
    item: 'account mute',
    counted: ['account mute', 'account mutes'],
    title: 'Muted accounts',
    all: 'the mutes',
  },
  topic: 'mutes',
  reads: listMutes,
  operations: {add: addMute, remove: removeMute},
  limit: {older: 50, newer: 500, item: 'mute', words: 'accounts would be muted'},
  rules: ({mutes: rules}) => rules,
  withRules: (rules) => ({mutes: rules}),
  part: ({mutes: part}) => part,
  withPart: (part) => ({mutes: part}),
  schemas: () => [accountChange('mute')],
  changeOf: ({action, ...fields}) => ({action, kind: 'mute', ...fields}),
  isOfList: ({format}) => format === 'mastodon-mutes-csv',
  mastodonCsv: mastodonMutes,
});
