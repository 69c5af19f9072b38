/** Every kind of object. */
import type {ObjectKind} from '../kind.js';
import {accountKind} from './account.js';
import {autospamKind} from './autospam.js';
import {conversationKind} from './conversation.js';
import {domainKind} from './domain.js';
import {filterKind} from './filter.js';
import {instanceKind} from './instance.js';
import {keywordKind} from './keyword.js';
import {mediaKind} from './media.js';
import {messageKind} from './message.js';
import {notificationKind} from './notification.js';
import {policyRowKind} from './policy-row.js';
import {postKind} from './post.js';
import {recipientKind} from './recipient.js';
import {relationshipKind} from './relationship.js';
import {reportKind} from './report.js';
import {resultKind} from './result.js';
import {settingKind} from './setting.js';
import {threadKind} from './thread.js';
import {userKind} from './user.js';
import type {KindName} from '../kind-name.js';

export const kinds: Readonly<Record<KindName, ObjectKind>> = {
  account: accountKind,
  autospam: autospamKind,
  conversation: conversationKind,
  domain: domainKind,
  filter: filterKind,
  instance: instanceKind,
  keyword: keywordKind,
  media: mediaKind,
  message: messageKind,
  notification: notificationKind,
  policyRow: policyRowKind,
  post: postKind,
  recipient: recipientKind,
  relationship: relationshipKind,
  report: reportKind,
  result: resultKind,
  setting: settingKind,
  thread: threadKind,
  user: userKind,
};
