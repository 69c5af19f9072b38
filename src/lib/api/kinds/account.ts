import * as entities from '../entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf, once} from '../schema.js';

/** In exports of Mastodon and its kin. */
const exported = ['Account address', 'Hide notifications', 'Show boosts', 'Notify on new posts', 'Languages'];

export const accountKind: ObjectKind = {
  one: 'account',
  several: 'accounts',
  article: 'an',
  title(item) {
    const {acct, username} = membersOf(item);
    const handle = idText(acct ?? username);
    return handle && `@${handle}`;
  },
  members: once(() => [...membersIn(entities.blockedAccount, entities.notificationAccount, entities.participant)(), ...exported]),
  named: ['id'],
  elsewhere: 'by handle',
  // Of one who is registered here.
  contains: {user: ['']},
};
