import * as z from 'zod/mini';
import {endpoint} from './endpoint.js';
import {limit, notification} from './entities.js';
import {kinds} from './kinds.js';
import {field} from './schema.js';
import {column} from './view.js';

export const listNotifications = endpoint({
  name: 'list notifications',
  section: 'Notifications',
  topic: {title: 'Notifications about you and your posts', heading: 'MESSAGES'},
  method: 'GET',
  path: '/api/v1/notifications',
  scope: 'read',
  query: {
    limit,
    max_id: z.optional(field(z.string(), 'only notifications older than this one', {isId: true, part: true})),
    min_id: z.optional(field(z.string(), 'only notifications newer than this one', {isId: true, part: true})),
    since_id: z.optional(field(z.string(), 'only notifications newer than this one (min_id skips none)', {isId: true, part: true})),
    types: z.optional(
      field(z.array(z.string()), 'only notifications of this type', {
        known: ['follow', 'follow_request', 'mention', 'reblog', 'favourite', 'poll', 'status'],
        calledElsewhere: {
          like: 'favourite',
          comment: 'mention',
          reply: 'mention',
          boost: 'reblog',
          share: 'reblog',
          repost: 'reblog',
          post: 'status',
        },
      }),
    ),
  },
  output: () => z.array(notification()),
  view: {
    kind: 'list',
    columns: [
      column.id,
      {header: 'type', path: 'type', stays: true, usual: 14},
      {header: 'who', path: 'account.acct', kind: 'account', key: true, usual: 24},
      {header: 'when', path: 'created_at', kind: 'time', priority: 3},
      {header: 'what', path: 'status', kind: 'status', flexible: true, wraps: true, priority: 2},
    ],
    empty: 'No notifications.',
  },
  rows: [],
  items: kinds.notification,
  paging: {by: 'link', fillsLater: true},
});
