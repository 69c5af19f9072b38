/** Every other command that talks to a server, and answers with a missing or wrong part. */
import {expect, test} from 'vitest';
import {account, conversation} from '../e2e/demo-world.js';
import {table} from '../endpoints/table.js';
import {commands} from '../manifest.js';
import {drift, testOddAnswers, type Case, type Recorded} from './odd-answers.js';

const bob = conversation('bob').id;

const enter = '\r';

/** What is typed at the requests of the demo: a report of the first one, and a block. Then there is nothing left to ask, but for odd answers. */
const triaged = [`r${enter}`, enter, `b${enter}`, `q${enter}`];

const saying = (line: string, value: unknown): Recorded => ({line, answered: {text: JSON.stringify(value)}});

const issued = saying('POST /oauth/token', {
  token_type: 'Bearer',
  expires_in: 31_536_000,
  access_token: 'an-access-token',
  refresh_token: 'a-refresh-token',
  scope: 'read write push',
  created_at: 1_795_000_000,
});
const ana = saying('GET /api/v1/accounts/verify_credentials', {id: '1', username: 'ana', acct: 'ana', source: {}});
const registered = saying('POST /api/v1/apps', {
  id: '3',
  name: 'pixelctl',
  website: null,
  redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
  client_id: '3',
  client_secret: 'a-secret',
  vapid_key: null,
});

const own: readonly Case[] = [
  {name: 'blocks contains', args: ['blocks', 'contains', account('troll42'), '@grumpy'], mayEndWith: [4, 10, 11]},
  {name: 'mutes contains', args: ['mutes', 'contains', '@sly'], mayEndWith: [4, 10]},
  {name: 'domain-blocks contains', args: ['domain-blocks', 'contains', 'casino.example.com'], mayEndWith: [10]},
  {name: 'api', args: ['api', 'GET', '/api/v1/blocks']},
  {name: 'doctor', args: ['doctor']},
  {name: 'auth status', args: ['auth', 'status'], asProfile: true},
  {name: 'auth refresh', args: ['auth', 'refresh', 'ana'], answers: [issued]},
  {name: 'auth login', args: ['auth', 'login', '--no-browser', '--profile', 'new'], input: 'a-code', answers: [registered, issued, ana]},
  {name: 'audit', args: ['audit', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'plan', args: ['plan', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'explain', args: ['explain', 'bad.example', '--policy', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'export', args: ['export']},
  {name: 'diff', args: ['diff', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'state adopt', args: ['state', 'adopt', 'FOLDER/p.yml', '--all']},
  {name: 'dm clear', args: ['dm', 'clear', bob, '--hide', '--yes'], mayEndWith: [11]},
  {name: 'dm triage', args: ['dm', 'triage'], typing: triaged, mayEndWith: [11]},
];

/** Those whose runs take long come last, when most mistakes have been tried. */
const slow: readonly Case[] = [
  {
    name: 'restore',
    args: ['restore', 'FOLDER/backup', '--yes'],
    before: [
      ['backup', '--to', 'FOLDER/backup', '--no-messages'],
      ['blocks', 'remove', account('troll42'), '--yes'],
      ['filters', 'delete', '1', '--yes'],
    ],
    mayEndWith: drift,
  },
  {name: 'dm export', args: ['dm', 'export', '--to', 'FOLDER/messages'], mayEndWith: [11]},
  {name: 'undo', args: ['undo', 'FOLDER/p.yml', '--yes'], before: [['apply', 'FOLDER/p.yml', '--yes']], mayEndWith: drift},
  {name: 'apply', args: ['apply', 'FOLDER/p.yml', '--yes'], mayEndWith: drift},
  {name: 'backup', args: ['backup', '--to', 'FOLDER/backup'], mayEndWith: [11]},
];

/** Of partial failure; and of a 404 that does not say that it is the endpoint that is missing. */
const withoutRoute = [4, 11];

/** Commands of the list above, where they ask other things of a server. */
const again: readonly Case[] = [
  {name: 'doctor on an older server', args: ['doctor'], like: '0.12.6'},
  {
    name: 'dm export on an older server',
    args: ['dm', 'export', account('bob'), '--to', 'FOLDER/messages'],
    like: '0.12.6',
    mayEndWith: withoutRoute,
  },
];

/** Commands that send no requests. */
const offline = [
  'auth logout',
  'auth switch',
  'auth token',
  'completion',
  'commands',
  'sandbox',
  'state forget',
  'state list',
  // With another profile it reads what state adopt reads.
  'validate',
];

test('covers every command that talks to a server', () => {
  const names = [...new Set(table.map(({command}) => command)), ...[...own, ...slow].map(({name}) => name), ...offline].toSorted();
  expect(names).toEqual(commands.map(({id}) => id.replaceAll(':', ' ')).toSorted());
});

// What they read are the answers of endpoints, whose parts are tried with the commands for those.
testOddAnswers([...own, ...again, ...slow], () => 'elsewhere');
