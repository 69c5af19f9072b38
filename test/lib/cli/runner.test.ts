import {expect, test} from 'vitest';
import {defaultAccount} from '../../../src/lib/cli/account-in-use.js';
import {resultOf} from '../../../src/lib/cli/runner.js';
import {Failure} from '../../../src/lib/client/failure.js';

const place = {index: 0, target: '1', isResumed: false};
const refused = new Failure('not_found', 'Not found', {status: 404, fate: 'unknown'});
const error = expect.objectContaining({code: 'not_found', message: 'Not found', status: 404});

test.each([
  [
    {...place, kind: 'done', status: 200, text: '{"id": 12345678901234567890}'},
    '{"target":"1","ok":true,"status":200,"body":{"id":12345678901234567890}}',
  ],
  [{...place, kind: 'done', status: 200, text: null, isResumed: true}, '{"target":"1","ok":true,"status":200,"resumed":true,"body":null}'],
  [{...place, kind: 'done', status: 204, text: '', target: ''}, '{"target":null,"ok":true,"status":204,"body":null}'],
] as const)('a result has all that the server answered, with every digit: %j', (outcome, text) => {
  expect(JSON.stringify(resultOf(outcome, defaultAccount))).toBe(text);
});

test.each([
  [refused, false, {error}],
  [refused, true, {unknown: true, error}],
  [refused.with({heldBack: 'server_limit'}), false, {held_back: 'server_limit', error}],
  [new Failure('refused', 'Own server', {heldBack: 'own_server'}), false, {status: null, held_back: 'own_server'}],
])('a result says why nothing was done: %o, by an earlier run: %s', (failure, isResumed, said) => {
  const result = {target: '1', ok: false, status: 404, ...said};
  expect(resultOf({...place, kind: 'failed', failure, isResumed}, defaultAccount)).toEqual(result);
});
