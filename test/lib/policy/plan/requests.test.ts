import {expect, test} from 'vitest';
import {requestFor} from '../../../../src/lib/client/request.js';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {requestOf} from '../../../../src/lib/policy/plan/requests.js';
import {inDays, now} from '../model-server.js';

const why = {reason: 'must', because: ''} as const;

/** The request line and body of a change, as it goes over the wire. */
function sent(change: Change): [line: string, body: unknown] {
  const {endpoint, input} = requestOf(change, now);
  const {method, path, body} = requestFor(endpoint, input);
  return [`${method} ${path}`, body && 'json' in body ? body.json : undefined];
}

const noChange = {id: '12', add: [], remove: [], change: []};

test.each<[change: Change, line: string, body: unknown]>([
  [
    {action: 'add', kind: 'domain_block', subject: 'a.example', details: {}, ...why},
    'POST /api/v1/domain_blocks',
    {domain: 'https://a.example'},
  ],
  [
    {action: 'remove', kind: 'domain_block', subject: 'a.example', details: {}, ...why},
    'DELETE /api/v1/domain_blocks',
    {domain: 'a.example'},
  ],
  [
    {action: 'remove', kind: 'domain_block', subject: 'xn--bcher-kva.example', details: {stored: 'bücher.example'}, ...why},
    'DELETE /api/v1/domain_blocks',
    {domain: 'bücher.example'},
  ],
  [
    {action: 'add', kind: 'filter', subject: 'A', details: {context: ['home'], keywords: [{keyword: 'a', whole_word: false}]}, ...why},
    'POST /api/v2/filters',
    {title: 'A', context: ['home'], keywords_attributes: [{keyword: 'a', whole_word: false}]},
  ],
  [
    {
      action: 'add',
      kind: 'filter',
      subject: 'A',
      details: {context: ['home'], filter_action: 'hide', expires: 'never', keywords: []},
      ...why,
    },
    'POST /api/v2/filters',
    {title: 'A', context: ['home'], filter_action: 'hide', keywords_attributes: []},
  ],
  [
    {action: 'add', kind: 'filter', subject: 'A', details: {context: ['home'], expires: inDays(1), keywords: []}, ...why},
    'POST /api/v2/filters',
    {title: 'A', context: ['home'], expires_in: 86_400, keywords_attributes: []},
  ],
  [
    {
      action: 'update',
      kind: 'filter',
      subject: 'A',
      details: {
        id: '12',
        title: 'A',
        context: ['tags'],
        filter_action: 'blur',
        expires: '90d',
        add: [{keyword: 'new', whole_word: true}],
        remove: [{id: 1, keyword: 'old', whole_word: true}],
        change: [{id: 2, keyword: 'kept', whole_word: false}],
        unchanged: 3,
      },
      ...why,
    },
    'PUT /api/v2/filters/12',
    {
      title: 'A',
      context: ['tags'],
      filter_action: 'blur',
      expires_in: 90 * 86_400,
      keywords_attributes: [
        {id: 1, _destroy: true},
        {id: 2, whole_word: false},
        {keyword: 'new', whole_word: true},
      ],
    },
  ],
  [
    {action: 'update', kind: 'filter', subject: 'A', details: {...noChange, expires: 'never', unchanged: 3}, ...why},
    'PUT /api/v2/filters/12',
    {expires_in: 0, keywords_attributes: [{id: 3}]},
  ],
  [
    {action: 'update', kind: 'filter', subject: 'A', details: {...noChange, expires: inDays(-1), unchanged: 3}, ...why},
    'PUT /api/v2/filters/12',
    {expires_in: 1, keywords_attributes: [{id: 3}]},
  ],
  [{action: 'remove', kind: 'filter', subject: 'A', details: {id: '12'}, ...why}, 'DELETE /api/v2/filters/12', undefined],
])('sends %j as %s', (change, line, body) => {
  expect(sent(change)).toEqual([line, body]);
});
