/** The people who are registered at a server, as its admins see and moderate them. Undocumented; Pixelfed alone has it. */
import * as z from 'zod/mini';
import {user, userActions, userMeta} from './admin-entities.js';
import {endpoint, saysGone, onlyPixelfed, type OwnErrors, type Topic} from './endpoint.js';
import {cursorMeta, integer, timestamp} from './entities.js';
import {kinds} from './kinds.js';
import {privateMembers} from './private.js';
import {field, idText, membersOf, once} from './schema.js';
import type {Column, RecordView} from './view.js';

const topic: Topic = {title: 'People registered at the server, and actions of its admins', heading: 'MODERATION'};
const errors: OwnErrors = {onlyAdmins: true, hints: [onlyPixelfed]};

const common = {section: null, topic, errors} as const;

/** @param inside where the answer has the user */
const columnsOf = (inside: '' | 'data.'): readonly Column[] => {
  const memberOf = (row: unknown, name: string): unknown => membersOf(inside === '' ? row : membersOf(row)['data'])[name];
  return [
    {header: 'id', path: `${inside}id`},
    {
      header: 'user',
      path: `${inside}username`,
      key: true,
      text: (row) => `@${idText(memberOf(row, 'username'))}`,
      flexible: true,
      usual: 20,
    },
    {header: 'name', path: `${inside}name`, flexible: true, usual: 20, priority: 4},
    {header: 'registered', path: `${inside}created_at`, kind: 'time', usual: 12},
    {
      header: 'verified',
      path: `${inside}email_verified_at`,
      text: (row) => (memberOf(row, 'email_verified_at') === null ? 'no' : 'yes'),
      priority: 3,
    },
    {header: 'email', path: `${inside}email`, flexible: true, usual: 24, priority: 2},
    {header: 'registered from', path: `${inside}app_register_ip`, priority: 4},
    {header: 'posts', path: `${inside}statuses_count`, kind: 'number', usual: 5},
    {header: 'followers', path: `${inside}followers_count`, kind: 'number', priority: 2},
    {header: 'admin', path: `${inside}is_admin`, priority: 3},
    {header: 'last active', path: `${inside}last_active_at`, kind: 'time', none: 'never', priority: 5},
  ];
};

const view: RecordView = {
  kind: 'record',
  columns: [
    ...columnsOf('data.'),
    {header: 'following', path: 'data.following_count', kind: 'number'},
    {header: 'unlisted', path: 'meta.moderation.unlisted'},
    {header: 'content warnings', path: 'meta.moderation.cw'},
    {header: 'links', path: 'meta.moderation.no_autolink', words: ['no', 'yes']},
    {header: 'reports', path: 'meta.report_count', kind: 'number'},
    {header: 'registered with', path: 'data.register_source'},
    {header: 'bio', path: 'data.bio', flexible: true, wraps: true},
    {header: 'account id', path: 'data.profile_id'},
  ],
};

const id = field(z.string(), 'a person of this server: @name, the address of their profile, or the id of the user', {
  isId: 'digits',
  of: kinds.user,
});

const changed = once(() => z.looseObject({data: user(), meta: userMeta()}));

export const listUsers = endpoint({
  name: 'list users',
  ...common,
  method: 'GET',
  path: '/api/admin/users/list',
  scope: 'admin:read',
  query: {
    q: z.optional(field(z.string(), 'only people with this text in their user name')),
    sort: z.optional(
      field(z.string(), 'order: newest first (desc, the default) or oldest first (asc)', {known: ['desc', 'asc'], knowsAll: true}),
    ),
    cursor: z.optional(field(z.string(), 'cursor of the page, from meta.next_cursor', {part: true})),
  },
  private: privateMembers,
  output: () =>
    z.looseObject({
      data: z.array(user()),
      meta: cursorMeta(),
    }),
  rows: ['data'],
  items: kinds.user,
  view: {kind: 'list', columns: columnsOf(''), empty: 'Nobody.'},
  paging: {by: 'cursor', next: ['meta', 'next_cursor'], parameter: 'cursor', pageSize: 10, endsAtKnown: true},
});

/** Servers cache the answer for a day; `refresh` makes them read everything again. */
export const readUser = endpoint({
  name: 'read user',
  ...common,
  errors: {...errors, failsOnGone: true},
  method: 'GET',
  path: '/api/admin/users/get',
  scope: 'admin:read',
  query: {user_id: id},
  always: {refresh: '1'},
  isGoneAnswer: (words, {query}) => saysGone(words, 'User', query?.['user_id']) || words === 'Attempt to read property "id" on null',
  private: privateMembers,
  answersAbout: {field: 'user_id', at: ['data', 'id']},
  output: () =>
    z.looseObject({
      data: user(),
      meta: z.looseObject({
        cached_at: timestamp,
        ...userMeta().shape,
        dms_sent: integer,
        report_count: integer,
        remote_report_count: integer,
      }),
    }),
  view,
});

/** Each request toggles its flag, so that the same request a second time undoes the first. */
export const moderateUser = endpoint({
  name: 'moderate user',
  ...common,
  method: 'POST',
  path: '/api/admin/users/action',
  scope: 'admin:write',
  body: {id, action: field(z.string(), 'what to do', {known: userActions, knowsAll: true})},
  private: privateMembers,
  answersAbout: {field: 'id', at: ['data', 'id']},
  output: changed,
  view,
  lookWith: ({body}) => ({command: 'users get', args: [String(body?.['id'])]}),
});

export const deleteUser = endpoint({
  name: 'delete user',
  ...common,
  errors: {...errors, mayForbidDeletion: true},
  method: 'POST',
  path: '/api/admin/users/action',
  scope: 'admin:write',
  body: {id, action: field(z.string(), 'deletes the person permanently', {known: ['delete'], knowsAll: true})},
  output: () => z.looseObject({status: integer, msg: z.string()}),
  proof: (answer) => membersOf(answer)['msg'] === 'deleted',
  repeat: 'gone',
  lookWith: ({body}) => ({command: 'users get', args: [String(body?.['id'])]}),
});
