import {moderationReport} from '../admin-entities.js';
import {membersIn, type ObjectKind} from '../kind.js';
import {idText, membersOf} from '../schema.js';

const acctOf = (account: unknown): string => `@${idText(membersOf(account)['acct'])}`;

/** What is reported, in words; servers leave out what is gone. */
export function reported(item: unknown): string {
  const {status, account, object_type: type} = membersOf(item);
  if (status !== undefined) return `post of ${acctOf(membersOf(status)['account'])}`;
  if (account !== undefined) return `account ${acctOf(account)}`;
  return `${idText(type).split('\\').at(-1)?.toLowerCase() || 'post'} that is gone`;
}

/** Why it is reported, in words. */
export function reason(item: unknown): string {
  const {type, message} = membersOf(item);
  return [idText(type), idText(message)].filter((text) => text !== '').join(': ');
}

/** A report that the moderators of a server handle. */
export const reportKind: ObjectKind = {
  one: 'report',
  several: 'reports',
  article: 'a',
  title: (item) => `${reason(item)}, ${reported(item)}`,
  members: membersIn(moderationReport),
  marks: ['object_type', 'object_id', 'reported_by_account'],
  named: ['id'],
  elsewhere: 'nothing',
  contains: {post: ['status.id'], user: ['account', 'status.account']},
  choices: {account: ['status.account', 'account']},
};
