import type {ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

/** A difference, a change or an owned item, as commands on policies print it. */
export const policyRowKind: ObjectKind = {
  one: 'row of a policy or a state file',
  several: 'rows of policies or state files',
  article: 'a',
  title: (item) => idText(membersOf(item)['subject']),
  members: () => ['kind', 'subject', 'since', 'account', 'server', 'policy', 'file', 'action', 'because', 'wanted', 'there'],
  marks: ['kind', 'subject'],
  named: [],
  elsewhere: 'nothing',
  contains: {},
};
