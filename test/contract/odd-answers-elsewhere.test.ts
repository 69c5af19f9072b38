/** Every other command that talks to a server, and answers with a missing or wrong part. */
import {expect, test, vi} from 'vitest';
import {account, conversation} from '../e2e/demo-world.js';
import {table} from '../endpoints/table.js';
import {commands} from '../manifest.js';
import {drift, testOddAnswers, type Case, type Recorded} from './odd-answers.js';

// The keyring of the machine is slow, and no server.
vi.mock('../../src/lib/auth/keyring.js', () => ({keyringProblem: async () => undefined}));

const bob = conversation('bob').id;

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
  {
    name: 'batch',
    args: ['batch'],
    input: `{"command": "dm read", "args": ["${bob}"]}\n{"command": "filters get", "args": ["1"]}\n`,
    mayEndWith: [11],
  },
  {name: 'audit', args: ['audit', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'plan', args: ['plan', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'apply', args: ['apply', 'FOLDER/p.yml', '--yes'], mayEndWith: drift},
  {name: 'undo', args: ['undo', 'FOLDER/p.yml', '--yes'], before: [['apply', 'FOLDER/p.yml', '--yes']], mayEndWith: drift},
  {name: 'explain', args: ['explain', 'bad.example', '--policy', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'export', args: ['export']},
  {name: 'diff', args: ['diff', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'state adopt', args: ['state', 'adopt', '--all', '--policy', 'FOLDER/p.yml']},
  {name: 'filters copy', args: ['filters', 'copy', '--to', 'bob', '--yes'], asProfile: true, mayEndWith: drift},
  {name: 'domain-blocks copy', args: ['domain-blocks', 'copy', '--to', 'bob', '--yes'], asProfile: true, mayEndWith: drift},
];

/** Commands that send no requests. */
const offline = [
  'auth logout',
  'auth protect',
  'auth switch',
  'auth token',
  'completion',
  'completion install',
  'completion uninstall',
  'sandbox',
  'state forget',
  'state list',
  // With another profile it reads what state adopt reads.
  'state move',
];

test('covers every command that talks to a server', () => {
  const names = [...table.map(({command}) => command), ...own.map(({name}) => name), ...offline].toSorted();
  expect(names).toEqual(commands.map(({id}) => id.replaceAll(':', ' ')).toSorted());
});

testOddAnswers([...own, {name: 'doctor on an older server', args: ['doctor'], like: '0.12.6'}]);
