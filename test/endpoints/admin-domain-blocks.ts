import * as blocks from '../../src/lib/api/admin-domain-blocks.js';
import * as examples from './examples.js';
import {alike, row, type Row, type Sent} from './row.js';

const path = '/api/v1/admin/domain_blocks';
const list: Sent = {line: `GET ${path}`};
/** What the server calls itself. */
const names: Sent = {line: 'GET /api/v1/instance'};
const takes = '--severity --private-comment --public-comment --[no-]reject-media --[no-]reject-reports --[no-]obfuscate --input';

/** Those of the example: what an answer holds in another way is a warning. */
const settings = {
  severity: 'silence',
  private_comment: 'Sells followers',
  public_comment: 'Spam',
  reject_media: true,
  reject_reports: false,
  obfuscate: true,
};

/** The least that is sent: without a comment the notes on the domain are read first. */
const least = {domain: 'spam.example', severity: 'silence', private_comment: 'Sells followers'};

export const rows: readonly Row[] = [
  row('admin domain-blocks list', blocks.listAdminDomainBlocks, {
    answer: [examples.adminDomainBlock, {...examples.adminDomainBlock, id: '30', domain: 'other.example', severity: 'suspend'}],
    takes: '| --limit',
    scope: 'admin:read',
    requests: [
      {input: {query: {limit: 2}}, sends: `GET ${path}?limit=2`},
      {input: {}, sends: `GET ${path}`},
    ],
    mayLack: ['*.digest'],
    ...alike({
      args: ['admin', 'domain-blocks', 'list', '--limit', '5'],
      sent: [{line: `GET ${path}?limit=5`}],
      shows: ['shop.example.com  silence', 'spam.example.net  suspend', 'Sells followers'],
    }),
  }),
  row('admin domain-blocks get', blocks.getAdminDomainBlock, {
    answer: examples.adminDomainBlock,
    takes: 'DOMAIN|ID',
    scope: 'admin:read',
    requests: [{input: {path: {id: '27'}}, sends: `GET ${path}/27`}],
    mayLack: ['digest'],
    ...alike({
      args: ['admin', 'domain-blocks', 'get', 'Spam.example.net'],
      sent: [list, {line: `GET ${path}/5`}],
      shows: ['severity         suspend', 'private comment  Sells followers'],
    }),
  }),
  row('admin domain-blocks add', blocks.addAdminDomainBlock, {
    answer: examples.adminDomainBlock,
    takes: `DOMAIN... | ${takes}`,
    scope: 'admin:write',
    asks: true,
    required: {body: ['domain', 'severity']},
    requests: [
      {input: {body: {domain: 'spam.example', ...settings}}, sends: `POST ${path}`},
      {input: {body: least}, sends: `POST ${path}`},
    ],
    mayLack: ['digest'],
    ...alike({
      args: ['admin', 'domain-blocks', 'add', 'Bad.example', '--severity', 'suspend', '--private-comment', 'Spam', '--yes'],
      sent: [names, {line: `POST ${path}`, json: {domain: 'bad.example', severity: 'suspend', private_comment: 'Spam'}}],
      shows: ['domain           bad.example', 'severity         suspend', 'private comment  Spam'],
      says: 'Blocked bad.example for everyone (suspend).\n',
    }),
  }),
  row('admin domain-blocks update', blocks.updateAdminDomainBlock, {
    answer: examples.adminDomainBlock,
    takes: `DOMAIN|ID... | ${takes}`,
    scope: 'admin:write',
    asks: true,
    requests: [{input: {path: {id: '27'}, body: settings}, sends: `PUT ${path}/27`}],
    mayLack: ['digest'],
    ...alike({
      args: ['admin', 'domain-blocks', 'update', 'spam.example.net', '--severity', 'silence', '--yes'],
      sent: [
        names,
        list,
        {line: `GET ${path}/5`},
        {
          line: `PUT ${path}/5`,
          json: {
            severity: 'silence',
            private_comment: 'Sells followers',
            reject_media: false,
            reject_reports: false,
            obfuscate: false,
          },
        },
      ],
      shows: ['severity         silence', 'private comment  Sells followers'],
      says: 'Changed the block of spam.example.net.\n',
    }),
  }),
  row('admin domain-blocks remove', blocks.removeAdminDomainBlock, {
    answer: {},
    takes: 'DOMAIN|ID...',
    scope: 'admin:write',
    asks: true,
    requests: [{input: {path: {id: '27'}}, sends: `DELETE ${path}/27`}],
    ...alike({
      args: ['admin', 'domain-blocks', 'remove', 'spam.example.net', '--yes'],
      sent: [list, {line: `DELETE ${path}/5`}],
      shows: [],
      says: 'Unblocked spam.example.net.\n',
    }),
  }),
];
