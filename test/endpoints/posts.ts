import * as posts from '../../src/lib/api/posts.js';
import {post} from '../e2e/demo-world.js';
import * as examples from './examples.js';
import {alike, row, type Row} from './row.js';

const spam = post('CHEAP FOLLOWERS HERE');
const path = '/api/admin/moderate/post';

export const rows: readonly Row[] = [
  row('posts moderate', posts.moderatePost, {
    answer: {...examples.moderatedPost, sensitive: true},
    takes: 'POST... | --[no-]cw --visibility --delete --mark-spammer --input',
    scope: 'admin:write',
    asks: true,
    required: {body: ['action']},
    requests: [{input: {path: {id: '1029945878830809300'}, body: {action: 'mark-public'}}, sends: `POST ${path}/1029945878830809300`}],
    ...alike({
      args: ['posts', 'moderate', spam, '--cw', '--yes'],
      sent: [
        {line: `GET /api/v1/statuses/${spam}`},
        {line: `GET /api/v1/statuses/${spam}`},
        {line: `POST ${path}/${spam}`, json: {action: 'cw'}},
      ],
      shows: ['sensitive   yes', 'account     @troll42@spam.example.net', 'visibility  public'],
      says: `Marked post ${spam} as sensitive.\n`,
    }),
  }),
];
