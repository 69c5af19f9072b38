import type {ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

/** A setting that admins can change while their server runs. */
export const settingKind: ObjectKind = {
  one: 'setting',
  several: 'settings',
  article: 'a',
  title: (item) => idText(membersOf(item)['name']),
  members: () => ['name', 'description', 'key', 'state'],
  marks: ['key'],
  named: ['key'],
  elsewhere: 'the same',
  contains: {},
};
