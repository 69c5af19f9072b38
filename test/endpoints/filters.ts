import * as filters from '../../src/lib/api/filters.js';
import {filter, keyword} from '../e2e/demo-world.js';
import * as examples from './examples.js';
import {alike, row, type Row} from './row.js';

const v2 = '/api/v2/filters';
const spoilers = filter('Spoilers');

export const rows: readonly Row[] = [
  row('filters list-legacy', filters.listLegacyFilters, {
    answer: [],
    takes: '',
    scope: 'read',
    requests: [{input: {}, sends: 'GET /api/v1/filters'}],
    ...alike({
      args: ['filters', 'list-legacy'],
      sent: [{line: 'GET /api/v1/filters'}],
      shows: [],
      says: 'No filters.\n',
    }),
  }),
  row('filters list', filters.listFilters, {
    answer: [examples.filter, {...examples.filter, id: '30', expires_at: null, filter_action: 'hide', keywords: []}],
    takes: '',
    scope: 'read',
    requests: [{input: {}, sends: 'GET /api/v2/filters'}],
    ...alike({
      args: ['filters', 'list'],
      sent: [{line: `GET ${v2}`}],
      shows: ['Crypto', 'home, public, tags', 'never', 'schlange, 蛇'],
    }),
  }),
  row('filters get', filters.getFilter, {
    answer: examples.filter,
    takes: 'ID',
    scope: 'read',
    requests: [{input: {path: {id: '29'}}, sends: 'GET /api/v2/filters/29'}],
    ...alike({
      args: ['filters', 'get', spoilers],
      sent: [{line: `GET ${v2}/${spoilers}`}],
      shows: ['title    Spoilers', 'season finale'],
    }),
  }),
  row('filters create', filters.createFilter, {
    answer: examples.filter,
    takes: '| --title --context* --action --expires-in --keyword* --[no-]whole-word --input',
    scope: 'write',
    required: {body: ['title', 'context', 'keywords_attributes']},
    requests: [
      {
        input: {
          body: {
            title: 'Spoilers',
            context: ['home', 'public'],
            filter_action: 'hide',
            expires_in: 604_800,
            keywords_attributes: [{keyword: 'finale', whole_word: true}],
          },
        },
        sends: 'POST /api/v2/filters',
      },
      {input: {body: {title: 'Spoilers', context: ['home'], keywords_attributes: [{keyword: 'finale'}]}}, sends: 'POST /api/v2/filters'},
    ],
    ...alike({
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
      shows: ['title    Film\n', 'plot, twist', 'expires  20'],
      says: 'Created filter 4, Film.\n',
    }),
  }),
  row('filters update', filters.updateFilter, {
    answer: {...examples.filter, title: 'Spoilers 2', expires_at: null},
    takes:
      'ID | --title --context* --action --expires-in --keyword* --[no-]whole-word --remove-keyword* --rename-keyword* --whole-word-of* --input',
    scope: 'write',
    requests: [
      {
        input: {
          path: {id: '29'},
          body: {
            title: 'Spoilers 2',
            context: ['home'],
            filter_action: 'warn',
            expires_in: 0,
            keywords_attributes: [
              {id: 41, _destroy: true},
              {id: 42, keyword: 'ending'},
              {keyword: 'new', whole_word: false},
            ],
          },
        },
        sends: 'PUT /api/v2/filters/29',
      },
      {input: {path: {id: '29'}, body: {title: 'Spoilers 2'}}, sends: 'PUT /api/v2/filters/29'},
    ],
    // A server that demands keywords gets one that the filter has, unchanged.
    ...alike({
      args: ['filters', 'update', spoilers, '--title', 'Films', '--expires-in', 'never'],
      sent: [
        {line: `PUT ${v2}/${spoilers}`, json: {title: 'Films', expires_in: 0}},
        {line: `GET ${v2}/${spoilers}`},
        {line: `PUT ${v2}/${spoilers}`, json: {title: 'Films', expires_in: 0, keywords_attributes: [{id: keyword('spoiler')}]}},
      ],
      shows: ['title    Films', 'season finale'],
      says: `Updated filter ${spoilers}, Films.\n`,
    }),
  }),
  row('filters delete', filters.deleteFilter, {
    answer: {},
    takes: 'ID...',
    scope: 'write',
    asks: true,
    requests: [{input: {path: {id: '29'}}, sends: 'DELETE /api/v2/filters/29'}],
    ...alike({
      args: ['filters', 'delete', spoilers, '--yes'],
      sent: [{line: `DELETE ${v2}/${spoilers}`}],
      shows: [],
      says: `Deleted filter ${spoilers}.\n`,
    }),
  }),
];
