import * as entities from '../admin-entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

/** Somebody who is registered at a server. */
export const userKind: ObjectKind = {
  one: 'person',
  several: 'people',
  article: 'a',
  title: (item) => idText(membersOf(item)['name']),
  members: membersIn(entities.user),
  marks: ['profile_id', 'email', 'email_verified_at', 'app_register_ip', 'register_source'],
  named: ['id'],
  called(item) {
    const name = idText(membersOf(item)['username']);
    return name && `@${name}`;
  },
  elsewhere: 'by account',
  contains: {},
};
