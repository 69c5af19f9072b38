import {describe, expect, test} from 'vitest';
import {addBlock, addDomainBlock, addMute, listBlocks, removeBlock, removeDomainBlock} from '../../../src/lib/api/blocks.js';
import type {Endpoint, OwnErrors} from '../../../src/lib/api/endpoint.js';
import {createFilter, deleteFilter, listFilters, listLegacyFilters, updateFilter} from '../../../src/lib/api/filters.js';
import {getThread, sendThreadMessage} from '../../../src/lib/api/thread.js';
import {failureOf} from '../../../src/lib/client/answer.js';
import {requestFor} from '../../../src/lib/client/request.js';
import {isHourlyQuota, judge, refusedFields, serverWords} from '../../../src/lib/client/verdict.js';

function codeOf(status: number, body: unknown, own?: OwnErrors): string {
  return judge({status, body}, own).code;
}

describe('the status decides', () => {
  test.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
    const asking = {host: 'pix.example', request: requestFor(listBlocks, {})};
    expect(failureOf({status, headers: {}, text: '{"error": "Never mind"}'}, asking)).toBeUndefined();
  });

  test.each([
    [300, 'bad_answer'],
    [301, 'bad_answer'],
    [304, 'bad_answer'],
    [400, 'refused'],
    [401, 'auth'],
    [402, 'refused'],
    [404, 'not_found'],
    [405, 'refused'],
    [408, 'unavailable'],
    [409, 'refused'],
    [410, 'not_found'],
    [413, 'refused'],
    [418, 'refused'],
    [419, 'refused'],
    [422, 'refused'],
    [429, 'rate_limited'],
    [451, 'refused'],
    [499, 'unavailable'],
    [500, 'unavailable'],
    [501, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'unavailable'],
    [520, 'unavailable'],
    [599, 'unavailable'],
  ])('%i is %s, whatever the body', (status, code) => {
    for (const body of [undefined, null, [], 'text', 7, {}, {error: ''}, {error: 'Something else'}, {error: {deep: true}}]) {
      expect(codeOf(status, body)).toBe(code);
    }
  });
});

describe('403', () => {
  test.each([
    ['no text', {error: ''}],
    ['no body', undefined],
    ['a text about a scope', {error: 'Missing required scope: write'}],
    ['a text about scopes', {error: 'Invalid scope(s) provided.'}],
    ['a text about permission to use the token', {error: 'You do not have permission to use this token'}],
    ['a text about permissions', {error: 'Invalid permissions for this action'}],
  ])('403 with %s is about the token', (_, body) => {
    expect(codeOf(403, body)).toBe('auth');
  });

  test.each([
    'You cannot message this account.',
    'Your message request has not been accepted yet.',
    'You have reached your storage quota.',
    'This account is suspended.',
  ])('403 with another reason is a refusal: %s', (error) => {
    expect(codeOf(403, {error})).toBe('refused');
  });
});

describe('a 500 of a server before 2026', () => {
  test.each([
    ['auth', {error: 'Unauthenticated.'}],
    ['auth', {message: 'Unauthenticated.'}],
    ['not_found', {error: 'No query results for model [App\\Models\\CustomFilter] 1'}],
    ['refused', {message: 'The title field is required.', errors: {title: ['The title field is required.']}}],
    ['unavailable', {error: 'Server Error'}],
    ['unavailable', {error: 'Attempt to read property "id" on null'}],
    ['unavailable', {error: 'The word Unauthenticated. inside of something else'}],
    ['unavailable', {error: 'Invalid domain'}],
    ['unavailable', '<html>'],
    ['unavailable', undefined],
  ])('a 500 of a server before 2026 is %s: %j', (code, body) => {
    expect(codeOf(500, body)).toBe(code);
  });

  test.each(['Invalid domain.', 'That domain is banned from this server.'])(
    'a 500 of a server before 2026 of a domain that is not taken is a refusal: %s',
    (error) => {
      expect(codeOf(500, {error}, addDomainBlock.errors)).toBe('refused');
    },
  );

  test('a 500 of a server before 2026 of a domain block with another text is not a refusal', () => {
    expect(codeOf(500, {error: 'Server Error'}, addDomainBlock.errors)).toBe('unavailable');
    expect(codeOf(500, {error: 'Invalid domain'}, removeDomainBlock.errors)).toBe('unavailable');
  });

  test('a 500 of a server before 2026 is the only status whose body changes the code', () => {
    expect(codeOf(503, {error: 'Unauthenticated.'})).toBe('unavailable');
    expect(codeOf(502, {errors: {title: ['x']}})).toBe('unavailable');
  });
});

test.each([400, 401, 403, 404, 409, 422, 500, 503])('%i about an action that is not authorized is about the object', (status) => {
  for (const error of ['This action is unauthorized.', 'This action is unauthorized']) {
    expect(judge({status, body: {error}})).toMatchObject({code: 'refused', isRefusal: true});
    expect(judge({status, body: {message: error}})).toMatchObject({code: 'refused', isRefusal: true});
  }
});

describe('an empty 403 of thread endpoints', () => {
  const thread = sendThreadMessage.errors;

  test.each([{error: ''}, {}, undefined, '<html>'])('means that the account cannot be messaged: %j', (body) => {
    expect(judge({status: 403, body}, thread)).toMatchObject({code: 'refused', reason: 'no_messages', isRefusal: true});
  });

  test('an empty 403 of thread endpoints is about the token when the thread is read', () => {
    expect(codeOf(403, {error: ''}, getThread.errors)).toBe('auth');
  });

  test('an empty 403 of thread endpoints is about the token when it names a scope', () => {
    expect(codeOf(403, {error: 'Missing required scope: write'}, thread)).toBe('auth');
  });
});

describe('an endpoint for admins', () => {
  const own: OwnErrors = {onlyAdmins: true};

  test.each([
    [403, {error: 'You must be an administrator to do that'}],
    [403, {error: 'This action is not allowed'}],
    [404, {error: ''}],
  ])('an endpoint for admins that answers %i %j wants an admin', (status, body) => {
    expect(judge({status, body}, own)).toMatchObject({code: 'auth', reason: 'admin', isRefusal: true});
  });

  test.each([
    [403, {error: 'This action is outside the authorized scopes'}],
    [500, {error: 'Invalid scope(s) provided.'}],
  ])('an endpoint for admins that answers %i %j wants another scope', (status, body) => {
    expect(judge({status, body}, own)).toMatchObject({code: 'auth', reason: 'admin_scope', isRefusal: true});
  });

  test.each([
    [404, {error: 'Record not found'}, 'not_found'],
    [404, {error: 'The route api/admin/instances/list could not be found.'}, 'not_found'],
    [404, undefined, 'not_found'],
    [404, '<html>', 'not_found'],
    [500, {error: 'Server Error'}, 'unavailable'],
    [500, {error: 'Attempt to read property "id" on null'}, 'unavailable'],
    [500, {error: 'No query results for model [App\\Instance] 9'}, 'not_found'],
    [403, {error: 'This action is unauthorized.'}, 'refused'],
    [422, {error: 'A domain block already exists for this domain'}, 'refused'],
  ])('an endpoint for admins that answers %i %j says nothing of the person', (status, body, code) => {
    expect(codeOf(status, body, own)).toBe(code);
  });

  test('the same answers of other endpoints say nothing of admins', () => {
    expect(codeOf(403, {error: 'You must be an administrator to do that'})).toBe('refused');
    expect(codeOf(500, {error: 'Invalid scope(s) provided.'})).toBe('unavailable');
    expect(codeOf(404, {error: ''})).toBe('not_found');
  });

  test.each([
    [403, {error: ''}, 'refused'],
    [500, {error: 'Attempt to read property "id" on null'}, 'refused'],
    [403, {error: 'You must be an administrator to do that'}, 'auth'],
    [500, {error: 'Invalid scope(s) provided.'}, 'auth'],
    [500, {error: 'Server Error'}, 'unavailable'],
  ])('an action that may be refused for its object and is answered %i %j is %s', (status, body, code) => {
    expect(codeOf(status, body, {...own, refusesActions: true})).toBe(code);
  });
});

test.each([
  [302, undefined, false],
  [408, undefined, false],
  [499, {error: 'No'}, false],
  [500, {error: 'Server Error'}, false],
  [503, {error: 'Unauthenticated.'}, false],
  [507, undefined, false],
  [524, undefined, false],
  [400, undefined, true],
  [401, undefined, true],
  [403, undefined, true],
  [404, undefined, true],
  [419, undefined, true],
  [429, undefined, true],
  [500, {error: 'Unauthenticated.'}, true],
  [500, {errors: {}}, true],
  [500, {error: 'No query results for model [x] 1'}, true],
])('%i with %j means that nothing was done: %s', (status, body, isRefusal) => {
  expect(judge({status, body})).toMatchObject({isRefusal});
});

describe('a redirect', () => {
  test.each(['/login', '/login/', '/login?to=/', 'https://pix.example/login', 'HTTPS://pix.example/login#x'])(
    'a redirect to %s is about the token',
    (location) => {
      expect(judge({status: 302, location, body: undefined})).toMatchObject({code: 'auth', reason: 'login_page'});
    },
  );

  test.each(['/', '/i/web', '/api/login', '/loginx', 'https://pix.example/', 'https://pix.example?to=/login', undefined])(
    'a redirect to %s is a bad answer',
    (location) => {
      expect(judge({status: 302, location, body: undefined})).toMatchObject({code: 'bad_answer'});
    },
  );
});

test('distinguishes an unknown route from a missing object', () => {
  const route = judge({status: 404, body: {error: 'The route api/v2.1/config could not be found.'}});
  expect(route).toMatchObject({code: 'not_found', reason: 'unknown_route'});
  expect(judge({status: 404, body: {error: ''}})).toMatchObject({code: 'not_found', what: 'not found'});
  expect(judge({status: 404, body: {error: ''}})).not.toHaveProperty('reason');
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
    [{errors: {title: [7, null, {}]}}, ''],
    [{error: ['a']}, ''],
    ['Not found', ''],
    [['Not found'], ''],
    [null, ''],
    [undefined, ''],
  ])('the error text of the server of %j is %j', (body, words) => {
    expect(serverWords(body)).toBe(words);
  });

  test.each([
    [
      'keywords_attributes.1.keyword',
      'The keywords_attributes.1.keyword may not be greater than 40 characters.',
      'The keyword "b$1" may not be greater than 40 characters.',
    ],
    [
      'keywords_attributes.1.keyword',
      'The keyword contains excessive character repetition.',
      '"b$1": The keyword contains excessive character repetition.',
    ],
    ['keywords_attributes.0.id', 'The selected keywords_attributes.0.id is invalid.', 'The selected id "12" is invalid.'],
    ['context.0', 'The selected context.0 is invalid.', 'The selected context "nowhere" is invalid.'],
    [
      'keywords_attributes.2.keyword',
      'The keywords_attributes.2.keyword field is required.',
      'The keywords_attributes.2.keyword field is required.',
    ],
    ['title', 'The title has 5 letters.', 'The title has 5 letters.'],
  ])('names the item that was sent in place of %s', (path, message, words) => {
    const sent = {title: 'x', context: ['nowhere'], keywords_attributes: [{id: 12, keyword: 'a'}, {keyword: 'b$1'}, {}]};
    expect(serverWords({message, errors: {[path]: [message]}}, sent)).toBe(words);
    expect(serverWords({message, errors: {[path]: [message]}})).toBe(message);
  });

  test.each(['error', 'message', 'msg'])('keeps 20,000 characters of a long %s', (name) => {
    const words = serverWords({[name]: `a\u{1f600}${'b'.repeat(3_000_000)}`});
    expect(words).toMatch(/^a\u{1f600}b+…$/u);
    expect(words).toHaveLength(20_001);
  });

  test('cuts a long item', () => {
    expect(serverWords({errors: {'context.0': ['The context.0 is long.']}}, {context: ['a'.repeat(3_000_000)]})).toMatch(
      /^The context "a{60}…" is long\.$/,
    );
  });

  test('lists the refused fields', () => {
    expect(refusedFields({errors: {title: ['x'], 'keywords_attributes.0.keyword': ['y']}})).toEqual([
      'title',
      'keywords_attributes.0.keyword',
    ]);
    expect(refusedFields('x')).toEqual([]);
  });
});

test.each<readonly [Endpoint, string | undefined, boolean]>([
  [createFilter, undefined, true],
  [updateFilter, undefined, true],
  [deleteFilter, undefined, true],
  [listFilters, undefined, true],
  [createFilter, '1', false],
  [listLegacyFilters, undefined, false],
  [listBlocks, undefined, false],
])('429 of $name with Retry-After %s is an hourly quota: %s', ({errors = {}}, retryAfter, quota) => {
  expect(isHourlyQuota(errors, retryAfter)).toBe(quota);
  const {reason} = judge({status: 429, retryAfter, body: undefined}, errors) ?? {};
  expect(reason === 'hourly_quota').toBe(quota);
});

describe('a limit of the server', () => {
  const words = ['You have reached the limit of domain blocks', 'You cannot block more than 200 accounts', 'Filter limit exceeded'];

  test.each([addDomainBlock, addBlock, addMute, createFilter])('a limit of the server is the reason where $name is refused', ({errors}) => {
    for (const error of words) {
      for (const status of [400, 422, 500])
        expect(judge({status, body: {error}}, errors)).toMatchObject({reason: 'server_limit', isRefusal: true});
    }
  });

  test.each([removeDomainBlock, removeBlock, updateFilter])('a limit of the server is not the reason where $name fails', ({errors}) => {
    for (const error of words) expect(judge({status: 422, body: {error}}, errors)).not.toHaveProperty('reason');
  });
});
