/** Every kind of object. Written by `npm run generate` from the files beside it: do not edit. */
import type {ObjectKind} from '../kind.js';
import {account} from './account.js';
import {autospam} from './autospam.js';
import {conversation} from './conversation.js';
import {domain} from './domain.js';
import {filter} from './filter.js';
import {instance} from './instance.js';
import {keyword} from './keyword.js';
import {media} from './media.js';
import {message} from './message.js';
import {notification} from './notification.js';
import {policyRow} from './policy-row.js';
import {post} from './post.js';
import {recipient} from './recipient.js';
import {relationship} from './relationship.js';
import {report} from './report.js';
import {result} from './result.js';
import {setting} from './setting.js';
import {thread} from './thread.js';
import {user} from './user.js';
import type {KindName} from '../kind-name.js';

export const kinds: Readonly<Record<KindName, ObjectKind>> = {
  account,
  autospam,
  conversation,
  domain,
  filter,
  instance,
  keyword,
  media,
  message,
  notification,
  policyRow,
  post,
  recipient,
  relationship,
  report,
  result,
  setting,
  thread,
  user,
};
