/** The queue of reports that the admins of a server work on. Undocumented, but servers support them. */
import * as z from 'zod/mini';
import {moderationReport, reasonOf, reportedIn} from './admin-entities.js';
import {endpoint, onlyPixelfed, type Topic} from './endpoint.js';
import {page} from './entities.js';
import {kinds} from './kinds.js';
import {field, idText, membersOf, orInData} from './schema.js';
import {type Column, column} from './view.js';

const topic: Topic = {title: 'Reports, for moderators of the server', heading: 'MODERATION'};

const columns: readonly Column[] = [
  column.id,
  {header: 'why', path: 'type', text: reasonOf, stays: true, usual: 14},
  {header: 'what', path: '', text: reportedIn, key: true, usual: 24},
  {header: 'reported by', path: 'reported_by_account.acct', kind: 'account', usual: 20, priority: 2},
  {header: 'since', path: 'created_at', kind: 'time', priority: 3},
  {header: 'text', path: 'status.content', kind: 'html', flexible: true, wraps: true, priority: 2},
  {header: 'address', path: 'status.url', text: addressOf, priority: 4},
];

function addressOf(report: unknown): string | undefined {
  const {status, account} = membersOf(report);
  return idText(membersOf(status)['url'] ?? membersOf(account)['url']) || undefined;
}

export const listReports = endpoint({
  name: 'list reports',
  section: null,
  topic,
  method: 'GET',
  path: '/api/admin/mod-reports/list',
  scope: 'admin:read',
  query: {page},
  output: () => orInData(z.array(moderationReport())),
  view: {kind: 'list', columns, empty: 'No open reports.'},
  rows: [],
  errors: {onlyAdmins: true, hints: [onlyPixelfed]},
  items: kinds.report,
  // Servers leave out reports of posts that are gone, so that an empty page may have others after it.
  paging: {by: 'number', parameter: 'page', maxEmpty: 10},
});

/** To handle a report a second time does nothing. */
export const handleReport = endpoint({
  name: 'handle report',
  section: null,
  topic,
  method: 'POST',
  path: '/api/admin/mod-reports/handle',
  scope: 'admin:write',
  body: {
    id: field(z.string(), 'id of the report', {isId: 'digits', of: kinds.report}),
    action: field(z.string(), 'ignore: close the report; cw: mark its post as sensitive; unlist: take its post off public timelines', {
      known: ['ignore', 'cw', 'unlist'],
      knowsAll: true,
    }),
  },
  output: () => z.looseObject({success: z.boolean()}),
  proof: (answer) => membersOf(answer)['success'] === true,
  errors: {
    onlyAdmins: true,
    refusesActions: true,
    hints: [
      onlyPixelfed,
      {
        on: 'refused',
        said: /^Attempt to read property/,
        hint: 'cw and unlist need a post: use the action ignore for reports of accounts and of deleted posts',
      },
    ],
  },
  repeat: 'harmless',
});
