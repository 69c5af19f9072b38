import {account, filter, keyword, post} from '../demo-world.js';
import {alike, since2026, type Expectation} from './row.js';

const spoilers = filter('Spoilers');
const domainBlocks = '/api/v1/domain_blocks';
const v2 = '/api/v2/filters';
const spam = post('CHEAP FOLLOWERS HERE');

/** A command that blocks or mutes, and the relationship that the server answers. */
const accountAction = (command: string, verb: string, name: string, shows: readonly string[], ...flags: readonly string[]): Expectation =>
  alike(command, {
    args: [...command.split(' '), account(name), ...flags],
    sent: [{line: `POST /api/v1/accounts/${account(name)}/${verb}`}],
    shows: [`id           ${account(name)}`, ...shows],
  });

export const moderationRows: readonly Expectation[] = [
  alike('blocks list', {
    args: ['blocks', 'list', '--limit', '1', '--page', '2'],
    sent: [{line: 'GET /api/v1/blocks?limit=1&page=2'}],
    shows: ['account', account('troll42'), '@troll42@spam.example.net'],
  }),
  alike('mutes list', {
    args: ['mutes', 'list', '--limit', '5', '--page', '1'],
    sent: [{line: 'GET /api/v1/mutes?limit=5&page=1'}],
    shows: ['@dailydeals@shop.example.com', 'DAILY DEALS 💸💸💸', String.raw`␛[31mSly␛[0m \u202egnp.exe`],
  }),
  accountAction('blocks add', 'block', 'bob', ['blocked      yes', 'you follow   no', 'follows you  no'], '--yes'),
  accountAction('blocks remove', 'unblock', 'grumpy', ['blocked      no']),
  accountAction('mutes add', 'mute', 'bob', ['muted        yes', 'you follow   yes']),
  accountAction('mutes remove', 'unmute', 'sly', ['muted        no']),
  alike('domain-blocks list', {
    args: ['domain-blocks', 'list', '--limit', '2', '--cursor', 'none'],
    sent: [{line: `GET ${domainBlocks}?limit=2&cursor=none`}],
    shows: ['domain\nxn--bse-sna.example\ncasino.example.com\n'],
  }),
  alike('domain-blocks add', {
    args: ['domain-blocks', 'add', 'Bad.example', '--yes'],
    sent: [{line: `POST ${domainBlocks}`, json: {domain: 'https://bad.example'}}],
    shows: [],
    says: 'Blocked bad.example.\n',
  }),
  alike('domain-blocks remove', {
    args: ['domain-blocks', 'remove', 'https://spam.example.net/'],
    sentForPeople: [`GET ${domainBlocks}`],
    sent: [{line: `DELETE ${domainBlocks}`, json: {domain: 'spam.example.net'}}],
    shows: [],
    says: 'Unblocked spam.example.net.\n',
  }),
  alike('filters list-legacy', {args: ['filters', 'list-legacy'], sent: [{line: 'GET /api/v1/filters'}], shows: [], says: 'No filters.\n'}),
  alike('filters list', {
    args: ['filters', 'list'],
    sent: [{line: `GET ${v2}`}],
    shows: ['Crypto', 'home, public, tags', 'never', 'schlange, 蛇'],
  }),
  alike('filters get', {
    args: ['filters', 'get', spoilers],
    sent: [{line: `GET ${v2}/${spoilers}`}],
    shows: ['title    Spoilers', 'season finale'],
  }),
  alike('filters create', {
    args: 'filters create --title Film --context home,public --action hide --expires-in 7d --no-whole-word --keyword'
      .split(' ')
      .concat('plot, twist', '--keyword', 'ending'),
    sent: [
      {
        line: `POST ${v2}`,
        json: {
          title: 'Film',
          context: ['home', 'public'],
          filter_action: 'hide',
          expires_in: 604_800,
          keywords_attributes: [
            {keyword: 'plot, twist', whole_word: false},
            {keyword: 'ending', whole_word: false},
          ],
        },
      },
    ],
    shows: ['title    Film\n', 'plot, twist', 'in 7 days'],
  }),
  // A server that demands keywords gets one that the filter has, unchanged.
  alike('filters update', {
    args: ['filters', 'update', spoilers, '--title', 'Films', '--expires-in', 'never'],
    sent: [
      {line: `PUT ${v2}/${spoilers}`, json: {title: 'Films', expires_in: 0}},
      {line: `GET ${v2}/${spoilers}`},
      {line: `PUT ${v2}/${spoilers}`, json: {title: 'Films', expires_in: 0, keywords_attributes: [{id: keyword('spoiler')}]}},
    ],
    shows: ['title    Films', 'season finale'],
  }),
  alike('filters delete', {
    args: ['filters', 'delete', spoilers, '--yes'],
    sent: [{line: `DELETE ${v2}/${spoilers}`}],
    shows: [],
    says: `Deleted filter ${spoilers}.\n`,
  }),
  alike('report', {
    args: ['report', 'post', spam, '--type', 'spam', '--message', 'Sells followers'],
    sent: [{line: 'POST /api/v1.1/report', json: {object_type: 'post', object_id: spam, report_type: 'spam', message: 'Sells followers'}}],
    shows: ['Successfully sent report', 'code  200'],
  }),
  since2026('config', {
    args: ['config'],
    sent: [{line: 'GET /api/v2.1/config'}],
    shows: ['limits.direct_messages.max_characters', '2000', 'image/webp'],
  }),
];
