/** What the spam filter of a server held back, for its admins to look at. Undocumented; Pixelfed alone has it. */
import * as z from 'zod/mini';
import {autospamEntry} from './admin-entities.js';
import {endpoint, onlyPixelfed, refusesAdmins, type OwnErrors, type Topic} from './endpoint.js';
import {page} from './entities.js';
import {kinds} from './kinds.js';
import {field, membersOf, orInData} from './schema.js';
import {type Column, column} from './view.js';

const topic: Topic = {title: 'Posts that the spam filter held back', heading: 'MODERATION'};
const errors: OwnErrors = {onlyAdmins: true, hints: [onlyPixelfed]};

const columns: readonly Column[] = [
  column.id,
  {header: 'account', path: 'status.account.acct', kind: 'account', flexible: true, usual: 20},
  {header: 'since', path: 'created_at', kind: 'time', priority: 3},
  {header: 'text', path: 'status.content', kind: 'html', flexible: true, wraps: true, priority: 2},
  {header: 'address', path: 'status.url', flexible: true, priority: 4},
];

export const listAutospam = endpoint({
  name: 'list autospam',
  section: null,
  topic,
  errors,
  method: 'GET',
  path: '/api/admin/autospam/list',
  scope: 'admin:read',
  query: {page},
  output: () => orInData(z.array(z.nullable(autospamEntry()))),
  view: {kind: 'list', columns, empty: 'The spam filter holds no posts back.'},
  rows: [],
  items: kinds.autospam,
  // An entry whose post is gone is null: only a page without any is the end.
  paging: {by: 'number', parameter: 'page', maxEmpty: 1, nulls: ['entry whose post is gone', 'entries whose posts are gone']},
});

/** An entry can be handled only once. */
export const handleAutospam = endpoint({
  name: 'handle autospam',
  section: null,
  topic,
  errors: {
    onlyAdmins: true,
    hints: [
      onlyPixelfed,
      {
        on: 'not_found',
        said: /^No query results/,
        hint: 'it was already handled, or does not exist: see',
        use: () => ({command: 'autospam list'}),
      },
      refusesAdmins,
    ],
  },
  method: 'POST',
  path: '/api/admin/autospam/handle',
  scope: 'admin:write',
  body: {
    id: field(z.string(), 'id of the entry', {isId: 'digits', of: kinds.autospam}),
    action: field(
      z.string(),
      'dismiss: agree that it is spam; approve: make it public again; dismiss-all, approve-all: the same for all entries of the author; delete-post; delete-account',
      {known: ['dismiss', 'dismiss-all', 'approve', 'approve-all', 'delete-post', 'delete-account'], knowsAll: true},
    ),
  },
  output: () => z.looseObject({status: z.string()}),
  proof: (answer) => membersOf(answer)['status'] === 'success',
  repeat: 'gone',
  lookWith: () => ({command: 'autospam list'}),
});
