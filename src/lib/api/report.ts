import * as z from 'zod/mini';
import {endpoint} from './endpoint.js';
import {integer} from './entities.js';
import {field} from './schema.js';

export const report = endpoint({
  name: 'report',
  section: 'Reports',
  method: 'POST',
  path: '/api/v1.1/report',
  scope: 'write',
  body: {
    object_type: field(z.string(), 'kind of object to report', {known: ['post', 'user', 'story', 'direct_message']}),
    object_id: field(z.string(), 'id of the object to report', {isId: true, names: 'account', namesWhere: {object_type: 'user'}}),
    report_type: field(z.string(), 'reason for the report', {
      known: ['spam', 'sensitive', 'abusive', 'underage', 'violence', 'copyright', 'impersonation', 'scam', 'terrorism'],
    }),
    message: z.optional(field(z.string(), 'comment for the moderators; ignored by servers before 2026')),
  },
  output: () => z.looseObject({msg: z.string(), code: integer}),
  errors: {
    hints: [
      {on: 'refused', said: /errors?_report_duplicate|duplicate report/i, hint: 'you have reported this before'},
      {on: 'refused', said: /errors?_no_self_reports|cannot self report/i, hint: 'you cannot report yourself'},
    ],
  },
  repeat: 'never',
});
