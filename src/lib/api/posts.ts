/** What admins do about posts. Undocumented; Pixelfed alone has it. */
import * as z from 'zod/mini';
import {moderatedPost, visibilities} from './admin-entities.js';
import {endpoint, onlyPixelfed, type PlainInput, refusesAdmins, type Topic} from './endpoint.js';
import {kinds} from './kinds.js';
import {field, membersOf} from './schema.js';
import {column} from './view.js';

const topic: Topic = {title: 'Moderation of posts, for admins of the server', heading: 'MODERATION'};

/** `cw` toggles, so only the operation, which knows what was wanted, can tell whether it was carried out. */
function showsDone(answer: unknown, {body}: PlainInput): boolean {
  const [action, {visibility, sensitive}] = [String(body?.['action']), membersOf(answer)];
  if (action === 'delete') return Array.isArray(answer) && answer.length === 0;
  if (membersOf(answer)['id'] === undefined) return false;
  if (action === 'mark-spammer') return visibility === 'private' && sensitive === true;
  return action === 'cw' ? typeof sensitive === 'boolean' : `mark-${String(visibility)}` === action;
}

/** `cw` toggles whether a post is sensitive; the other actions can be repeated. The answer to a deletion is an empty list. */
export const moderatePost = endpoint({
  name: 'moderate post',
  section: null,
  topic,
  errors: {onlyAdmins: true, hints: [onlyPixelfed, refusesAdmins]},
  method: 'POST',
  path: '/api/admin/moderate/post/{id}',
  scope: 'admin:write',
  pathFields: {id: field(z.string(), 'id of the post', {isId: true, of: kinds.post})},
  body: {
    action: field(z.string(), 'what to do', {
      known: ['cw', ...visibilities.map((visibility) => `mark-${visibility}`), 'delete', 'mark-spammer'],
      knowsAll: true,
    }),
  },
  // The answer to a deletion has no id. `proof` checks that the answers to other actions have one.
  answersAbout: {field: 'id', at: ['id'], mayBeMissing: true},
  output: moderatedPost,
  items: kinds.post,
  view: {
    kind: 'record',
    columns: [
      column.id,
      {header: 'account', path: 'account.acct', kind: 'account'},
      {header: 'visibility', path: 'visibility'},
      {header: 'sensitive', path: 'sensitive'},
      {header: 'posted', path: 'created_at', kind: 'time'},
      {header: 'text', path: 'content', kind: 'html', wraps: true},
      {header: 'address', path: 'url'},
    ],
  },
  proof: showsDone,
  isGoneAnswer: (words) => words === 'Cannot find status',
});
