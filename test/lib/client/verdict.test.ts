/** Each row of the table of verdicts: what just fits it, and what just does not. */
import {describe, expect, test} from 'vitest';
import {addBlock, addDomainBlock, addMute, listBlocks, removeBlock, removeDomainBlock} from '../../../src/lib/api/blocks.js';
import type {Endpoint, OwnErrors} from '../../../src/lib/api/endpoint.js';
import {createFilter, deleteFilter, listFilters, listLegacyFilters, updateFilter} from '../../../src/lib/api/filters.js';
import {getThread, sendThreadMessage} from '../../../src/lib/api/thread.js';
import {failureOf} from '../../../src/lib/client/answer.js';
import {requestFor} from '../../../src/lib/client/request.js';
import {judge, refusedFields, serverWords, type Received} from '../../../src/lib/client/verdict.js';

type Row = [status: number, words: string, what: string, own?: OwnErrors, received?: Partial<Received>];

const admins = {onlyAdmins: true} as const;

const noApi = 'not_found: not found, and this is no answer of Pixelfed [no_api]';

/** The code, and what people read of it, with its reason in brackets. */
const rows: Row[] = [
  [399, '', 'auth: redirected to the login page [login_page]', {}, {location: '/login'}],
  [199, '', 'bad_answer: redirect not followed [another_origin]'],
  [399, '', 'bad_answer: redirect not followed [another_origin]', {}, {location: '/'}],
  [400, '', 'refused: input refused', {}, {location: '/login'}],
  [400, 'This action is unauthorized.', 'refused: not allowed for this account [not_yours]'],
  [599, 'this action is UNAUTHORIZED', 'refused: not allowed for this account [not_yours]'],
  [600, 'This action is unauthorized.', 'unavailable: server error'],
  [422, 'No, This action is unauthorized.', 'refused: input refused'],
  [422, 'This action is unauthorized..', 'refused: input refused'],
  [401, 'anything', 'auth: token not accepted [token]'],
  [402, 'anything', 'refused: input refused'],
  [403, '', 'refused: action refused', {refusesActions: true}],
  [403, 'x', 'refused: request refused', {refusesActions: true}],
  [404, '', noApi, {refusesActions: true}],
  [410, '', noApi],
  [410, 'Gone', 'not_found: gone'],
  [500, 'Attempt to read property "id" on null', 'refused: action refused', {refusesActions: true}],
  [500, 'An Attempt to read property "id"', 'unavailable: server error', {refusesActions: true}],
  [500, '', 'unavailable: server error', {refusesActions: true}],
  [403, 'Attempt to read property "id"', 'refused: request refused', {refusesActions: true}],
  [403, 'This action is outside the authorized scopes', 'auth: not allowed for this token [admin_scope]', admins],
  [500, 'This action is outside the authorized scopes', 'auth: not allowed for this token [admin_scope]', admins],
  [403, 'Invalid scope(s) provided.', 'auth: not allowed for this token [admin_scope]', admins],
  [404, 'Invalid scope(s) provided.', 'not_found: not found', admins],
  [403, 'This action is outside the authorized scopes', 'auth: not allowed for this token [scope]'],
  [403, 'anything', 'auth: only for admins [admin]', admins],
  [404, '', noApi, admins],
  [404, '', noApi, {}, {body: {detail: 'Not Found'}}],
  [404, '', 'auth: only for admins [admin]', admins, {body: {error: ''}}],
  [404, '', 'not_found: not found', {}, {body: {error: ''}}],
  [410, '', 'not_found: gone', admins, {body: {error: ''}}],
  [404, '', 'auth: only for admins, or forbidden by the server [deletion]', {...admins, mayForbidDeletion: true}, {body: {error: ''}}],
  [404, 'x', 'not_found: not found', {mayForbidDeletion: true}],
  [400, '', 'refused: settings cannot be changed while the server runs', {mayBeFixed: true}],
  [400, 'x', 'refused: input refused', {mayBeFixed: true}],
  [400, 'Cannot find status', 'not_found: not found', admins],
  [400, 'Cannot find status.', 'refused: input refused', admins],
  [400, 'Cannot find status', 'refused: input refused'],
  [403, '', 'refused: this account cannot be messaged [no_messages]', {refusesRecipients: true}],
  [403, 'x', 'refused: request refused', {refusesRecipients: true}],
  [403, '', 'auth: not allowed for this token [scope]'],
  [403, 'a SCOPE is missing', 'auth: not allowed for this token [scope]'],
  [403, 'scopes', 'auth: not allowed for this token [scope]'],
  [403, 'Unauthorised', 'auth: not allowed for this token [scope]'],
  [403, 'unauthorized', 'auth: not allowed for this token [scope]'],
  [403, 'a telescope', 'refused: request refused'],
  [403, 'preauthorized', 'refused: request refused'],
  [422, 'Filter limit exceeded', 'refused: limit reached [server_limit]', {limited: true}],
  [400, 'You have reached the limit of domain blocks.', 'refused: limit reached [server_limit]', {limited: true}],
  [500, 'max limit', 'refused: limit reached [server_limit]', {limited: true}],
  [422, 'You cannot mute more than 5', 'refused: limit reached [server_limit]', {limited: true}],
  [422, 'A Filter limit exceeded', 'refused: input refused', {limited: true}],
  [422, 'Filter limit exceeded', 'refused: input refused'],
  [409, 'Filter limit exceeded', 'refused: input refused', {limited: true}],
  [404, 'The route x could not be found.', 'not_found: not supported [unknown_route]'],
  [404, 'No, The route x', 'not_found: not found'],
  [405, 'The route x', 'refused: input refused'],
  [429, '', 'rate_limited: hourly limit for filters reached [hourly_quota]', {hourlyQuota: 'filters'}],
  [429, '', 'rate_limited: rate limit reached', {hourlyQuota: 'filters'}, {retryAfter: '5'}],
  [429, '', 'rate_limited: rate limit reached'],
  [408, '', 'unavailable: timed out'],
  [499, '', 'unavailable: timed out'],
  [498, '', 'refused: input refused'],
  [500, '', 'refused: input refused', {}, {body: {errors: {}}}],
  [501, '', 'unavailable: server error', {}, {body: {errors: {}}}],
  [500, '', 'unavailable: server error', {}, {body: {errors: []}}],
  [500, 'Unauthenticated.', 'auth: token not accepted [token]'],
  [501, 'Unauthenticated.', 'unavailable: server error'],
  [500, 'No query results for model x', 'not_found: not found'],
  [500, 'x No query results for model', 'unavailable: server error'],
  [500, 'You cannot mute yourself', 'refused: input refused'],
  [500, 'You cannot unmute yourself', 'refused: input refused'],
  [500, 'You cannot mute yourself!', 'unavailable: server error'],
  [500, 'So You cannot mute yourself', 'unavailable: server error'],
  [500, 'a DOMAIN', 'refused: domain refused', {refusesDomains: true}],
  [500, 'subdomains', 'unavailable: server error', {refusesDomains: true}],
  [500, 'a domain', 'unavailable: server error'],
  [502, 'a domain', 'unavailable: server error', {refusesDomains: true}],
  [403, 'Missing required scope: write', 'auth: not allowed for this token [scope]', {refusesRecipients: true}],
  [403, 'You do not have permission to use this token', 'auth: not allowed for this token [scope]'],
  [403, 'Invalid permissions for this action', 'auth: not allowed for this token [scope]'],
  [403, 'You cannot message this account.', 'refused: request refused'],
  [403, 'You must be an administrator to do that', 'auth: only for admins [admin]', {...admins, refusesActions: true}],
  [403, '', 'refused: action refused', {...admins, refusesActions: true}, {body: {error: ''}}],
  [403, '', 'refused: this account cannot be messaged [no_messages]', {refusesRecipients: true}, {body: {error: ''}}],
  [500, 'Invalid scope(s) provided.', 'unavailable: server error'],
  [500, 'Server Error', 'unavailable: server error', {...admins, refusesActions: true}],
  [500, 'Attempt to read property "id" on null', 'unavailable: server error', admins],
  [500, 'Attempt to read property "id" on null', 'refused: action refused', {...admins, refusesActions: true}],
  [500, 'Attempt to read property "id" on null', 'not_found: this person is gone', {failsOnGone: true}],
  [500, '', 'auth: token not accepted [token]', {}, {body: {message: 'Unauthenticated.'}}],
  [
    500,
    '',
    'refused: input refused',
    {},
    {body: {message: 'The title field is required.', errors: {title: ['The title field is required.']}}},
  ],
  ...[400, 401, 403, 404, 409, 422, 500, 503].map((status): Row => [
    status,
    '',
    'refused: not allowed for this account [not_yours]',
    {},
    {body: {message: 'This action is unauthorized'}},
  ]),
  ...['/login', '/login/', '/login?to=/', 'https://pix.example/login', 'HTTPS://pix.example/login#x'].map((location): Row => [
    302,
    '',
    'auth: redirected to the login page [login_page]',
    {},
    {location},
  ]),
  ...['/', '/i/web', '/api/login', '/loginx', 'https://pix.example/', 'https://pix.example?to=/login'].map((location): Row => [
    302,
    '',
    'bad_answer: redirect not followed [another_origin]',
    {},
    {location},
  ]),
];

test.each<Row>(rows)('%i that says %j: %s', (status, error, what, own, received) => {
  const {code, reason, isRefusal, ...verdict} = judge({status, body: error === '' ? undefined : {error}, ...received}, own);
  expect(`${code}: ${verdict.what}${reason === undefined ? '' : ` [${reason}]`}`).toBe(what);
  // A write may have been carried out before a redirect, and where the server failed.
  expect(isRefusal).toBe(!/redirect|^unavailable/.test(what));
});

describe('the status decides', () => {
  test.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    const asking = {host: 'pix.example', request: requestFor(listBlocks, {})};
    expect(failureOf({status, headers: {}, text: '{"error": "Never mind"}'}, asking)).toBeUndefined();
  });

  test.each([
    ['bad_answer', [300, 301, 304]],
    ['refused', [400, 402, 405, 409, 413, 418, 419, 422, 451]],
    ['auth', [401]],
    ['not_found', [404, 410]],
    ['rate_limited', [429]],
    ['unavailable', [408, 499, 500, 501, 502, 503, 504, 507, 520, 524, 599]],
  ])('%s, whatever the body', (code, statuses) => {
    for (const body of [undefined, null, [], 'text', 7, {}, {error: ''}, {error: 'Something else'}, {error: {deep: true}}])
      for (const status of statuses) expect([status, judge({status, body}).code]).toEqual([status, code]);
  });
});

const limits = ['You have reached the limit of domain blocks', 'You cannot block more than 200 accounts', 'Filter limit exceeded'];

test.each<readonly [string, number, readonly string[], of: readonly Endpoint[], notOf: readonly Endpoint[]]>([
  ['domain refused', 500, ['Invalid domain.'], [addDomainBlock], [removeDomainBlock]],
  ['this account cannot be messaged', 403, [''], [sendThreadMessage], [getThread]],
  ['hourly limit for filters reached', 429, [''], [createFilter, updateFilter, deleteFilter, listFilters], [listLegacyFilters, listBlocks]],
  ...[400, 422, 500].map(
    (status) =>
      [
        'limit reached',
        status,
        limits,
        [addDomainBlock, addBlock, addMute, createFilter],
        [removeDomainBlock, removeBlock, updateFilter],
      ] as const,
  ),
])('the records of some endpoints say what means: %s', (what, status, words, of, notOf) => {
  for (const error of words) {
    for (const {name, errors} of of)
      expect([name, judge({status, body: {error}}, errors).what]).toEqual([name, expect.stringMatching(`^${what}`)]);
    for (const {errors} of notOf) expect(judge({status, body: {error}}, errors).what).not.toContain(what);
  }
});

describe('the error text of the server', () => {
  test.each([
    [{error: 'Not found'}, 'Not found'],
    [{error: '', message: 'Unauthenticated.'}, 'Unauthenticated.'],
    [{error: 'Rate limit', message: 'Only 20 an hour'}, 'Rate limit: Only 20 an hour'],
    [{msg: 'Invalid params', code: 400, error_code: 'ERROR_INVALID_PARAMS'}, 'Invalid params'],
    [
      {message: 'The title is required. (and 1 more error)', errors: {title: ['The title is required.'], context: ['Wrong.']}},
      'The title is required. Wrong.',
    ],
    [{errors: {title: 'Only a text'}}, 'Only a text'],
    [{error: ' a '}, 'a'],
    [{error: ' ', message: 'b', msg: 'c'}, 'b'],
    [{error: 'a', message: ' ', msg: 'c'}, 'a'],
    [{error: 'a', errors: {x: [' ', 'c '], y: 'd'}}, 'c d'],
    [{errors: {title: [7, null, {}]}}, ''],
    [{error: ['a']}, ''],
    ['Not found', ''],
    [['Not found'], ''],
    [null, ''],
    [undefined, ''],
  ])('the error text of the server of %j is %j', (body, words) => {
    expect(serverWords(body)).toBe(words);
  });

  test.each(['error', 'message', 'msg'])('keeps 20,000 characters of a long %s', (name) => {
    const words = serverWords({[name]: `a\u{1f600}${'b'.repeat(3_000_000)}`});
    expect(words).toMatch(/^a\u{1f600}b+…$/u);
    expect(words).toHaveLength(20_001);
  });

  test('lists the refused fields', () => {
    expect(refusedFields({errors: {title: ['x'], 'keywords_attributes.0.keyword': ['y']}})).toEqual([
      'title',
      'keywords_attributes.0.keyword',
    ]);
    expect(refusedFields('x')).toEqual([]);
  });
});
