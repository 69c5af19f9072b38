/** Every kind of object that servers and pixelctl print, so that commands can take such objects as input (docs/decisions/37). */
import * as admin from './admin-entities.js';
import * as entities from './entities.js';
import {resultMembers, type Kind} from './kind.js';
import {idText, membersOf} from './schema.js';
import {blocksIn} from './server-block.js';

export const member =
  (name: string): NonNullable<Kind['title']> =>
  (item) =>
    idText(membersOf(item)[name]);

function handleOf(item: unknown): string {
  const {acct, username} = membersOf(item);
  const handle = idText(acct ?? username);
  return handle && `@${handle}`;
}

export const kinds = {
  account: {
    one: 'account',
    several: 'accounts',
    // CSV files that Mastodon and its forks export have `Account address`.
    marks: ['acct', 'display_name', 'Account address'],
    loneMembers: ['username', 'url'],
    names: [''],
    title: handleOf,
    shapes: [entities.blockedAccount, entities.notificationAccount, entities.participant],
  },
  /** Somebody who is registered at a server. */
  user: {
    one: 'person',
    several: 'people',
    marks: ['profile_id', 'email', 'email_verified_at', 'app_register_ip', 'register_source', 'two_factor_enabled'],
    names: [''],
    gives: {account: ['profile_id']},
    title: member('name'),
    shapes: [admin.user],
  },
  relationship: {
    one: 'relationship with an account',
    several: 'relationships with accounts',
    marks: ['followed_by', 'blocking', 'muting', 'domain_blocking'],
    names: [],
    gives: {account: ['id']},
    shapes: [entities.relationship],
  },
  /** An account, as a search for the recipient of a message finds it. */
  recipient: {
    one: 'search result',
    several: 'search results',
    marks: ['privacy'],
    names: [],
    gives: {account: ['account']},
    title: (item) => handleOf(membersOf(item)['account']),
    shapes: [entities.recipient],
  },
  conversation: {
    one: 'conversation',
    several: 'conversations',
    marks: ['participants', 'unread_count', 'last_message', 'last_read_message_id'],
    names: ['id'],
    gives: {account: ['participants']},
    title(item) {
      const {participants} = membersOf(item);
      return Array.isArray(participants) ? participants.map(handleOf).join(', ') : '';
    },
    shapes: [entities.conversation],
  },
  message: {
    one: 'message',
    several: 'messages',
    marks: ['sender_id', 'is_author', 'isAuthor', 'reportId'],
    loneMembers: ['text'],
    // Servers before 2026 know a message of a thread by its `reportId` alone.
    names: ['reportId', 'id'],
    gives: {account: ['sender_id']},
    title: member('text'),
    shapes: [entities.message, entities.legacyMessage],
    listIn: ({messages}) => (Array.isArray(messages) ? messages : undefined),
  },
  /** A one-to-one conversation on a server before 2026. */
  thread: {
    one: 'thread',
    several: 'threads',
    marks: ['isLocal', 'lastMessage', 'messages'],
    names: [],
    shapes: [entities.thread],
  },
  media: {
    one: 'attached file',
    several: 'attached files',
    marks: ['preview_url', 'mime', 'blurhash'],
    names: [],
    shapes: [entities.media],
  },
  post: {
    one: 'post',
    several: 'posts',
    marks: ['content_text', 'favourites_count', 'reblogs_count', 'replies_count', 'favourited', 'reblogged', 'bookmarked'],
    jointMarks: [['content', 'visibility']],
    loneMembers: ['content', 'visibility'],
    names: ['id'],
    gives: {account: ['account']},
    title: member('url'),
    shapes: [entities.status, admin.moderatedPost],
  },
  notification: {
    one: 'notification',
    several: 'notifications',
    marks: [],
    jointMarks: [['account', 'type']],
    loneMembers: ['account', 'status'],
    names: ['id'],
    gives: {account: ['account'], post: ['status.id']},
    title: member('type'),
    shapes: [entities.notification],
  },
  /** A report to the moderators of a server. Commands act on what was reported, never on the account that reported it. */
  report: {
    one: 'report',
    several: 'reports',
    marks: ['object_type', 'object_id', 'reported_by_account'],
    names: ['id'],
    gives: {post: ['status.id'], account: ['status.account', 'account']},
    title: (item) => `${admin.reasonOf(item)}, ${admin.reportedIn(item)}`,
    shapes: [admin.moderationReport],
  },
  /** A post that the spam filter of a server held back. */
  autospam: {
    one: 'spam filter entry',
    several: 'spam filter entries',
    marks: ['item_id', 'item_type'],
    names: ['id'],
    gives: {post: ['status.id'], account: ['status.account']},
    title: (item) => handleOf(membersOf(membersOf(item)['status'])['account']),
    shapes: [admin.autospamEntry],
  },
  filter: {
    one: 'filter',
    several: 'filters',
    marks: ['filter_action', 'keywords'],
    // Other kinds may have a title too, so that it is no mark.
    loneMembers: ['title', 'context', 'expires_at'],
    names: ['id'],
    title: member('title'),
    shapes: [entities.filter],
  },
  domain: {
    one: 'domain',
    several: 'domains',
    // Exports of Mastodon have the same names with a `#`.
    marks: ['severity', 'reject_media', 'reject_reports', 'obfuscate'].flatMap((name) => [name, `#${name}`]),
    jointMarks: [['domain'], ['#domain']],
    names: ['domain', '#domain'],
    gives: {instance: ['domain', '#domain']},
    isSameEverywhere: true,
    title: member('severity'),
    shapes: [admin.serverBlock],
    listIn: blocksIn,
  },
  instance: {
    one: 'server',
    several: 'servers',
    marks: ['software', 'banned', 'auto_cw', 'user_count', 'status_count'],
    names: ['domain'],
    gives: {domain: ['domain']},
    isSameEverywhere: true,
    title: member('software'),
    shapes: [admin.instance],
  },
  /** A setting that admins can change while their server runs. */
  setting: {
    one: 'setting',
    several: 'settings',
    marks: [],
    jointMarks: [['key', 'state']],
    loneMembers: ['key'],
    names: ['key'],
    isSameEverywhere: true,
    title: member('name'),
  },
  /** What a command did for one target. The next command takes that target. */
  result: {
    one: 'result',
    several: 'results',
    marks: [...resultMembers.filter((name) => name !== 'status'), 'contained', 'line'],
    names: ['target'],
  },
  policyRow: {
    one: 'row of a policy or a state file',
    several: 'rows of policies or state files',
    marks: [],
    jointMarks: [
      ['kind', 'subject'],
      ['policy', 'account'],
    ],
    names: [],
  },
} satisfies Readonly<Record<string, Kind>>;
