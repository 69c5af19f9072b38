/** The servers that a server knows, and what its admins did about each. Undocumented; Pixelfed alone has it. */
import * as z from 'zod/mini';
import {endpoint, onlyPixelfed, type OwnErrors, type Topic} from './endpoint.js';
import {instance, instanceFlags, notesOf} from './admin-entities.js';
import {cursorMeta} from './entities.js';
import {kinds} from './kinds.js';
import {field, membersOf, once} from './schema.js';
import {column, type Column, type RecordView} from './view.js';

const topic: Topic = {title: 'Servers known to yours, for its admins', heading: 'MODERATION'};
const errors: OwnErrors = {onlyAdmins: true, hints: [onlyPixelfed]};

const common = {section: null, topic, errors, rows: ['data'], items: kinds.instance} as const;

const oneInstance = once(() => z.looseObject({data: instance()}));

const columns: readonly Column[] = [
  column.id,
  {header: 'domain', path: 'domain', key: true, usual: 28},
  {header: 'software', path: 'software', flexible: true, usual: 10, priority: 4},
  {header: 'accounts', path: 'user_count', kind: 'number', priority: 3},
  {header: 'banned', path: 'banned', stays: true},
  {header: 'unlisted', path: 'unlisted', stays: true},
  {header: 'auto cw', path: 'auto_cw', priority: 2},
  {header: 'notes', path: 'notes', flexible: true, priority: 5, text: (row) => notesOf(row) || undefined},
];

const view: RecordView = {
  kind: 'record',
  columns: [
    ...columns,
    {header: 'posts', path: 'status_count', kind: 'number'},
    {header: 'known since', path: 'created_at', kind: 'time'},
    {header: 'last crawled', path: 'last_crawled_at', kind: 'time', none: 'never'},
  ],
};

export const listInstances = endpoint({
  name: 'list instances',
  ...common,
  method: 'GET',
  path: '/api/admin/instances/list',
  scope: 'admin:write',
  query: {
    q: z.optional(field(z.string(), 'only servers with this text in their domain')),
    filter: z.optional(field(z.string(), 'only servers with this state', {known: ['all', ...instanceFlags], knowsAll: true})),
  },
  // In any other order, servers leave out some of the rows with equal values at the end of a page.
  always: {sort: 'asc', sort_by: 'id'},
  output: () =>
    z.looseObject({
      data: z.array(instance()),
      meta: cursorMeta(),
    }),
  view: {kind: 'list', columns, empty: 'No servers.'},
  paging: {by: 'cursor', next: ['meta', 'next_cursor'], parameter: 'cursor', pageSize: 10, endsAtKnown: true},
});

export const readInstance = endpoint({
  name: 'read instance',
  ...common,
  method: 'GET',
  path: '/api/admin/instances/get',
  scope: 'admin:read',
  query: {id: field(z.string(), 'domain of the server, or its id', {isId: true, of: kinds.domain})},
  answersAbout: {field: 'id', at: ['data', 'id']},
  output: oneInstance,
  view,
});

/** Sets one flag. Setting it again changes nothing. */
export const moderateInstance = endpoint({
  name: 'moderate instance',
  proof: (answer, {body = {}}) => membersOf(membersOf(answer)['data'])[String(body['key'])] === body['value'],
  ...common,
  method: 'POST',
  path: '/api/admin/instances/moderate',
  scope: 'admin:write',
  body: {
    id: field(z.string(), 'id of the server', {isId: 'digits'}),
    key: field(z.string(), 'what to set', {known: instanceFlags, knowsAll: true}),
    value: field(z.boolean(), 'on or off'),
  },
  answersAbout: {field: 'id', at: ['data', 'id']},
  output: oneInstance,
  view,
  repeat: 'harmless',
});

/** Makes the server count the accounts and posts that it knows of another server. It may never have counted them before. */
export const refreshInstance = endpoint({
  name: 'refresh instance',
  ...common,
  method: 'POST',
  path: '/api/admin/instances/refresh-stats',
  scope: 'admin:write',
  body: {id: field(z.string(), 'id of the server', {isId: 'digits', of: kinds.instance})},
  answersAbout: {field: 'id', at: ['data', 'id']},
  output: oneInstance,
  view,
  repeat: 'harmless',
});
