import * as blocks from '../../src/lib/api/blocks.js';
import {account} from '../e2e/demo-world.js';
import * as examples from './examples.js';
import {alike, row, type Row} from './row.js';

const domainBlocks = '/api/v1/domain_blocks';
const id = '1029249418857295878';

/** A command that blocks or mutes, and the relationship that the server answers. */
function accountAction(
  command: string,
  endpoint: typeof blocks.addBlock,
  verb: string,
  acts: {readonly on: string; readonly shows: readonly string[]; readonly says: string; readonly asks?: true},
): Row {
  const theirs = account(acts.on);
  return row(command, endpoint, {
    answer: {...examples.relationship, [verb.endsWith('mute') ? 'muting' : 'blocking']: !verb.startsWith('un')},
    takes: 'ACCOUNT...',
    scope: 'write',
    ...(acts.asks && {asks: acts.asks}),
    requests: [{input: {path: {id}}, sends: `POST /api/v1/accounts/${id}/${verb}`}],
    ...alike({
      args: [...command.split(' '), theirs, ...(acts.asks ? ['--yes'] : [])],
      sent: [{line: `POST /api/v1/accounts/${theirs}/${verb}`}],
      shows: [`id           ${theirs}`, ...acts.shows],
      says: `${acts.says} account ${theirs}.\n`,
    }),
  });
}

export const rows: readonly Row[] = [
  row('blocks list', blocks.listBlocks, {
    answer: [examples.blockedAccount, {...examples.blockedAccount, note_text: 'Hello', website: null}],
    takes: '| --limit --page',
    scope: 'read',
    mayLack: ['*.has_story'],
    requests: [
      {input: {query: {limit: 2, page: 3}}, sends: 'GET /api/v1/blocks?limit=2&page=3'},
      {input: {}, sends: 'GET /api/v1/blocks'},
    ],
    ...alike({
      args: ['blocks', 'list', '--limit', '1', '--page', '2'],
      sent: [{line: 'GET /api/v1/blocks?limit=1&page=2'}],
      shows: ['account', account('troll42'), '@troll42@spam.example.net'],
    }),
  }),
  accountAction('blocks add', blocks.addBlock, 'block', {
    on: 'bob',
    shows: ['blocked      yes', 'you follow   no', 'follows you  no'],
    says: 'Blocked',
    asks: true,
  }),
  accountAction('blocks remove', blocks.removeBlock, 'unblock', {on: 'grumpy', shows: ['blocked      no'], says: 'Unblocked'}),
  row('mutes list', blocks.listMutes, {
    answer: [examples.account],
    takes: '| --limit --page',
    scope: 'read',
    requests: [
      {input: {query: {limit: 2, page: 3}}, sends: 'GET /api/v1/mutes?limit=2&page=3'},
      {input: {}, sends: 'GET /api/v1/mutes'},
    ],
    ...alike({
      args: ['mutes', 'list', '--limit', '5', '--page', '1'],
      sent: [{line: 'GET /api/v1/mutes?limit=5&page=1'}],
      shows: ['@dailydeals@shop.example.com', 'DAILY DEALS 💸💸💸', String.raw`␛[31mSly␛[0m \u202egnp.exe`],
    }),
  }),
  accountAction('mutes add', blocks.addMute, 'mute', {on: 'bob', shows: ['muted        yes', 'you follow   yes'], says: 'Muted'}),
  accountAction('mutes remove', blocks.removeMute, 'unmute', {on: 'sly', shows: ['muted        no'], says: 'Unmuted'}),
  row('domain-blocks list', blocks.listDomainBlocks, {
    answer: ['spam.example', 'other.example'],
    takes: '| --limit --cursor',
    requests: [
      {input: {query: {limit: 200, cursor: 'eyJpZCI6OH0'}}, sends: 'GET /api/v1/domain_blocks?limit=200&cursor=eyJpZCI6OH0'},
      {input: {}, sends: 'GET /api/v1/domain_blocks'},
    ],
    ...alike({
      args: ['domain-blocks', 'list', '--limit', '2', '--cursor', 'none'],
      sent: [{line: `GET ${domainBlocks}?limit=2&cursor=none`}],
      shows: ['domain\nxn--bse-sna.example\ncasino.example.com\n'],
    }),
  }),
  row('domain-blocks add', blocks.addDomainBlock, {
    answer: [],
    takes: 'DOMAIN... | --input',
    asks: true,
    required: {body: ['domain']},
    requests: [{input: {body: {domain: 'https://spam.example'}}, sends: 'POST /api/v1/domain_blocks'}],
    ...alike({
      args: ['domain-blocks', 'add', 'Bad.example', '--yes'],
      sent: [{line: `POST ${domainBlocks}`, json: {domain: 'https://bad.example'}}],
      shows: [],
      says: 'Blocked bad.example.\n',
    }),
  }),
  row('domain-blocks remove', blocks.removeDomainBlock, {
    answer: [],
    takes: 'DOMAIN... | --input',
    required: {body: ['domain']},
    requests: [{input: {body: {domain: 'spam.example'}}, sends: 'DELETE /api/v1/domain_blocks'}],
    ...alike({
      args: ['domain-blocks', 'remove', 'https://spam.example.net/'],
      sent: [{line: `DELETE ${domainBlocks}`, json: {domain: 'spam.example.net'}}],
      shows: [],
      says: 'Unblocked spam.example.net.\n',
    }),
  }),
];
