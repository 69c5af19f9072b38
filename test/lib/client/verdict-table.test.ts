/** Each row of the table of verdicts: what just fits it, and what just does not. */
import {describe, expect, test} from 'vitest';
import type {OwnErrors} from '../../../src/lib/api/endpoint.js';
import {judge, neededScope, serverWords, type Received} from '../../../src/lib/client/verdict.js';

type Row = [status: number, words: string, what: string, own?: OwnErrors, received?: Partial<Received>];

const admins = {onlyAdmins: true} as const;

const noApi = 'not found, and this is no answer of Pixelfed [no_api]';

/** What people read of it, with its reason in brackets. */
const rows: Row[] = [
  [399, '', 'redirected to the login page [login_page]', {}, {location: '/login'}],
  [199, '', 'redirect not followed [another_origin]'],
  [399, '', 'redirect not followed [another_origin]', {}, {location: '/'}],
  [400, '', 'input refused', {}, {location: '/login'}],
  [400, 'This action is unauthorized.', 'not allowed for this account [not_yours]'],
  [599, 'this action is UNAUTHORIZED', 'not allowed for this account [not_yours]'],
  [600, 'This action is unauthorized.', 'server error'],
  [422, 'No, This action is unauthorized.', 'input refused'],
  [422, 'This action is unauthorized..', 'input refused'],
  [401, 'anything', 'token not accepted [token]'],
  [402, 'anything', 'input refused'],
  [403, '', 'action refused', {refusesActions: true}],
  [403, 'x', 'request refused', {refusesActions: true}],
  [404, '', noApi, {refusesActions: true}],
  [410, '', noApi],
  [410, 'Gone', 'gone'],
  [500, 'Attempt to read property "id" on null', 'action refused', {refusesActions: true}],
  [500, 'An Attempt to read property "id"', 'server error', {refusesActions: true}],
  [500, '', 'server error', {refusesActions: true}],
  [403, 'Attempt to read property "id"', 'request refused', {refusesActions: true}],
  [403, 'This action is outside the authorized scopes', 'not allowed for this token [admin_scope]', admins],
  [500, 'This action is outside the authorized scopes', 'not allowed for this token [admin_scope]', admins],
  [403, 'Invalid scope(s) provided.', 'not allowed for this token [admin_scope]', admins],
  [404, 'Invalid scope(s) provided.', 'not found', admins],
  [403, 'This action is outside the authorized scopes', 'not allowed for this token [scope]'],
  [403, 'anything', 'only for admins [admin]', admins],
  [404, '', noApi, admins],
  [404, '', noApi, {}, {body: {detail: 'Not Found'}}],
  [404, '', 'only for admins [admin]', admins, {body: {error: ''}}],
  [404, '', 'not found', {}, {body: {error: ''}}],
  [410, '', 'gone', admins, {body: {error: ''}}],
  [403, '', 'this account cannot be messaged [no_messages]', {refusesRecipients: true}],
  [403, 'x', 'request refused', {refusesRecipients: true}],
  [403, '', 'not allowed for this token [scope]'],
  [403, 'a SCOPE is missing', 'not allowed for this token [scope]'],
  [403, 'scopes', 'not allowed for this token [scope]'],
  [403, 'Unauthorised', 'not allowed for this token [scope]'],
  [403, 'unauthorized', 'not allowed for this token [scope]'],
  [403, 'Unauthenticated.', 'not allowed for this token [scope]'],
  [403, 'a telescope', 'request refused'],
  [403, 'preauthorized', 'request refused'],
  [422, 'Filter limit exceeded', 'limit reached [server_limit]', {limited: true}],
  [400, 'You have reached the limit of domain blocks.', 'limit reached [server_limit]', {limited: true}],
  [500, 'max limit', 'limit reached [server_limit]', {limited: true}],
  [422, 'You cannot mute more than 5', 'limit reached [server_limit]', {limited: true}],
  [422, 'A Filter limit exceeded', 'input refused', {limited: true}],
  [422, 'Filter limit exceeded', 'input refused'],
  [409, 'Filter limit exceeded', 'input refused', {limited: true}],
  [404, 'The route x could not be found.', 'not supported [unknown_route]'],
  [404, 'No, The route x', 'not found'],
  [405, 'The route x', 'input refused'],
  [429, '', 'hourly limit for filters reached [hourly_quota]', {hourlyQuota: 'filters'}],
  [429, '', 'rate limit reached', {hourlyQuota: 'filters'}, {retryAfter: '5'}],
  [429, '', 'rate limit reached'],
  [408, '', 'timed out'],
  [499, '', 'timed out'],
  [498, '', 'input refused'],
  [500, '', 'input refused', {}, {body: {errors: {}}}],
  [501, '', 'server error', {}, {body: {errors: {}}}],
  [500, '', 'server error', {}, {body: {errors: []}}],
  [500, 'Unauthenticated.', 'token not accepted [token]'],
  [501, 'Unauthenticated.', 'server error'],
  [500, 'No query results for model x', 'not found'],
  [500, 'x No query results for model', 'server error'],
  [500, 'You cannot mute yourself', 'input refused'],
  [500, 'You cannot unmute yourself', 'input refused'],
  [500, 'You cannot mute yourself!', 'server error'],
  [500, 'So You cannot mute yourself', 'server error'],
  [500, 'a DOMAIN', 'domain refused', {refusesDomains: true}],
  [500, 'subdomains', 'server error', {refusesDomains: true}],
  [500, 'a domain', 'server error'],
  [502, 'a domain', 'server error', {refusesDomains: true}],
];

test.each<Row>(rows)('%i that says %j: %s', (status, error, what, own, received) => {
  const verdict = judge({status, body: error === '' ? undefined : {error}, ...received}, own);
  expect(`${verdict.what}${verdict.reason === undefined ? '' : ` [${verdict.reason}]`}`).toBe(what);
});

test('the same words are of the same code, and say alike whether it was done', () => {
  const known = new Map<string, unknown>();
  for (const [status, error, what, own, received] of rows) {
    const {code, isRefusal} = judge({status, body: error === '' ? undefined : {error}, ...received}, own);
    const said = known.get(what) ?? {code, isRefusal};
    known.set(what, said);
    expect([what, {code, isRefusal}]).toEqual([what, said]);
  }
  const notDone = [...known].flatMap(([what, said]) => (JSON.stringify(said).includes('"isRefusal":true') ? [] : [what]));
  expect(notDone).toEqual([
    'redirected to the login page [login_page]',
    'redirect not followed [another_origin]',
    'server error',
    'timed out',
  ]);
});

test.each([
  ['This action is outside the authorized scopes', 'admin:read:x'],
  ['This action is not allowed', 'admin:read:x'],
  ['This action is not allowed.', 'read'],
  ['Invalid scope(s) provided.', 'read'],
])('the scope that is needed where a server says %j', (words, scope) => {
  expect(neededScope(words, 'read', {scopeOnMastodon: 'admin:read:x'})).toBe(scope);
  expect(neededScope(words, 'read', {})).toBe('read');
  expect(neededScope(words, 'read')).toBe('read');
});

describe('the words of a server', () => {
  test.each([
    [{error: ' a '}, 'a'],
    [{error: ' ', message: 'b', msg: 'c'}, 'b'],
    [{error: 'a', message: ' ', msg: 'c'}, 'a'],
    [{message: 'b', msg: 'c'}, 'b'],
    [{error: 'a', errors: {x: [' ', 'c '], y: 'd'}}, 'c d'],
  ])('of %j are %j', (body, words) => {
    expect(serverWords(body)).toBe(words);
  });

  test.each([
    ['context.0', 'The context.0 and context.0 are wrong', 'The context "a" and context "a" are wrong'],
    ['a.0.b', 'No', '"7": No'],
    ['a.0.b', 'The a.0.b', 'The b "7"'],
    ['title', 'No', 'No'],
    ['title.0', 'No', 'No'],
    ['a.0', 'No', 'No'],
  ])('about %s that say %j name what was sent', (path, message, words) => {
    expect(serverWords({errors: {[path]: [message]}}, {context: ['a'], a: [{b: 7}], title: 'x'})).toBe(words);
  });

  test.each([20_000, 20_001])('of %i characters are kept up to 20,000', (length) => {
    const words = serverWords({error: 'x'.repeat(length)});
    expect(words.replace(/^x*/, '')).toBe(length > 20_000 ? '…' : '');
  });

  test.each([60, 61])('about an item of %i characters show 60', (length) => {
    const words = serverWords({errors: {'a.0': ['No']}}, {a: ['x'.repeat(length)]});
    expect(words).toBe(`"${length > 60 ? `${'x'.repeat(60)}…` : 'x'.repeat(60)}": No`);
  });
});
