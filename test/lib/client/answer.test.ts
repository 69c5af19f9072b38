/** Answers and failures of every kind of response, for reads and for writes. */
import {describe, expect, test} from 'vitest';
import * as z from 'zod/mini';
import type {OwnErrors} from '../../../src/lib/api/endpoint.js';
import {
  answerFrom,
  failureOf,
  failureOfCrash,
  failureOfLater,
  failureOfNetwork,
  failureOfNoTurn,
  hasShapeOf,
  readAnswer,
  type Asking,
} from '../../../src/lib/client/answer.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {NetworkError, type NetworkErrorKind} from '../../../src/lib/client/network-error.js';
import {NoTurn} from '../../../src/lib/client/gate.js';
import type {Request} from '../../../src/lib/client/request.js';

const read: Request = {
  method: 'GET',
  path: '/a',
  query: [],
  headers: {},
  token: 'required',
  repeat: 'harmless',
  isWrite: false,
  scope: 'read',
  secrets: [],
};
const lookWith = {command: 'blocks list'};
const write: Request = {...read, method: 'POST', isWrite: true, repeat: 'never', scope: 'write', lookWith};
const unknown = {fate: 'unknown', lookWith};
const asking = (request: Request): Asking => ({host: 'pix.example', request});
const own = (errors: OwnErrors, request = read): Asking => asking({...request, errors: {own: errors, path: {id: '7', name: 'bob'}}});
const received = (status: number, text = '', headers: Readonly<Record<string, string>> = {}) => ({status, text, headers});

describe('a response', () => {
  test('that fails says who, what and why', () => {
    expect(failureOf(received(404, '{"error":"No such thing"}'), asking(read))?.message).toBe(
      'pix.example: not found (404): No such thing',
    );
    expect(failureOf(received(404, '<html>'), asking(read))?.message).toBe(
      'pix.example: not found, and this is no answer of Pixelfed (404)',
    );
    expect(failureOf(received(302, '', {location: '/login'}), asking(read))?.details.reason).toBe('login_page');
  });

  test('that fails tells what was asked, and what the server refused', () => {
    const {details} = failureOf(received(422, '{"errors":{"title":["Too long"],"b":["No"]}}'), asking(read)) ?? {};
    expect(details).toMatchObject({method: 'GET', path: '/a', scope: 'read', status: 422, fields: ['title', 'b']});
  });

  test('that finds nothing where nothing is named is about no object', () => {
    const missing = received(404, '{"error":"Not Found"}');
    expect(failureOf(missing, asking({...read, namesNothing: true}))?.details.reason).toBe('no_object');
    expect(failureOf(missing, asking(read))?.details.reason).toBeUndefined();
    expect(failureOf(received(422), asking({...read, namesNothing: true}))?.details.reason).toBeUndefined();
    expect(failureOf(received(404, '{"error":"The route x"}'), asking({...read, namesNothing: true}))?.details.reason).toBe(
      'unknown_route',
    );
  });

  test.each([
    [404, '{"error":"7 is gone"}', true],
    [404, '{"error":"8 is gone"}', undefined],
    [404, '{"msg":"7 is gone"}', undefined],
    [422, '{"error":"7 is gone"}', undefined],
  ])('of %i and %s proves that what was asked for is gone: %s', (status, text, gone) => {
    const isGone = (words: string) => words === '7 is gone';
    expect(failureOf(received(status, text), asking({...write, isGone}))?.details.gone).toBe(gone);
    expect(failureOf(received(status, text), asking(write))?.details.gone).toBeUndefined();
  });

  test.each([
    ['Attempt to read property "id" on null', 'server error (500)'],
    ['No query results for model [App\\\\Status] 7', 'not found (500): there is no 7'],
    ['No query results for model [App\\\\Status].', 'not found (500)'],
    ['Not so: No query results for model', 'server error (500): Not so: No query results for model'],
  ])('that says %s tells people: %s', (words, message) => {
    expect(failureOf(received(500, `{"error":${JSON.stringify(words)}}`), asking(read))?.message).toBe(`pix.example: ${message}`);
  });

  test('shows what is there already where its record names the member', () => {
    const text = '{"error":"x","domain_block":{"id":12345678901234567890}}';
    expect(failureOf(received(422, text), own({shows: 'domain_block'}))?.details.found).toEqual({id: JSON.rawJSON('12345678901234567890')});
    for (const other of ['{"domain_block":"x"}', '{"domain_block":null}', '{}', '[]', '<html>'])
      expect(failureOf(received(422, other), own({shows: 'domain_block'}))?.details.found).toBeUndefined();
    expect(failureOf(received(422, text), own({}))?.details.found).toBeUndefined();
  });

  const onRefused = {on: 'refused', hint: 'first'} as const;

  test.each<[OwnErrors['hints'], string, string | undefined, status?: number]>([
    [[{on: 'refused', hint: 'on code'}], 'x', 'on code'],
    [[{on: 'not_found', hint: 'other code'}], 'x', undefined],
    [[{on: 'unknown_route', hint: 'on reason'}], 'The route x', 'on reason', 404],
    [[{on: 'unknown_route', hint: 'on reason'}], 'x', undefined, 404],
    [[{on: 'refused', said: /dogs/, hint: 'about dogs'}], 'no dogs', 'about dogs'],
    [[{on: 'refused', said: /dogs/, hint: 'about dogs'}], 'no cats', undefined],
    [
      [
        {...onRefused, said: /dogs/},
        {...onRefused, hint: 'second'},
      ],
      'x',
      'second',
    ],
    [[onRefused, {...onRefused, hint: 'second'}], 'x', 'first'],
  ])('has the hint of its record: %j on %j', (hints, error, hint, status = 422) => {
    const failure = failureOf(received(status, JSON.stringify({error})), own(hints ? {hints} : {}));
    expect(failure?.details.hint).toBe(hint);
  });

  test('has a hint with a command', () => {
    const use = () => ({command: 'dm hide', args: ['7']});
    const failure = failureOf(received(422), own({hints: [{on: 'refused', hint: 'hide it:', use}]}));
    expect(failure?.details.hint).toBe('hide it: `pixelctl dm hide 7`');
  });
});

describe('the fate of a request', () => {
  test('that is unknown once stays unknown, whatever a later attempt says', () => {
    const hint = 'of the last attempt';
    const refused = new Failure('refused', 'pix.example: No.', {hint, status: 403, path: '/a'});
    expect(failureOfLater(refused, asking(write))).toMatchObject({
      code: 'refused',
      message: 'pix.example: No; an earlier attempt may have been carried out',
      details: {...unknown, status: 403, path: '/a', hint: undefined},
    });
    const open = new Failure('unavailable', 'x', {fate: 'unknown'});
    expect(failureOfLater(open, asking(write))).toBe(open);
  });

  test('of a write that is safe to repeat is known to be so, and a read has none', () => {
    const fateAt = (request: Request) => failureOf(received(500), asking(request))?.details;
    expect(fateAt(write)).toMatchObject({...unknown, canRepeat: undefined});
    expect(fateAt({...write, repeat: 'harmless'})).toMatchObject({...unknown, canRepeat: true});
    expect(fateAt(read)).not.toHaveProperty('fate');
  });

  test('of what fails in pixelctl itself after sending is unknown', () => {
    expect(failureOfCrash(new TypeError('x'), asking(write))).toMatchObject({
      code: 'internal',
      message: 'pixelctl failed unexpectedly (TypeError)',
      details: {...unknown, method: 'POST', path: '/a', scope: 'write'},
    });
    expect(failureOfCrash(new Failure('local', 'No', {path: '/b'}), asking(read)).details).toEqual({
      method: 'GET',
      path: '/b',
      scope: 'read',
      cause: undefined,
    });
  });
});

describe('an exchange that broke off', () => {
  const broken = (kind: NetworkErrorKind, isSent: boolean, status?: number) => new NetworkError(kind, 'trouble', {isSent, status});

  test.each<[NetworkErrorKind, boolean, number | undefined, string, string, string | undefined]>([
    ['connect', false, undefined, 'unavailable', 'Cannot connect to pix.example: trouble', 'connection'],
    ['lost', true, undefined, 'unavailable', 'No response from pix.example: trouble', 'connection'],
    ['plain_http', false, undefined, 'unavailable', 'Cannot connect to pix.example: trouble', 'plain_http'],
    ['proxy', false, undefined, 'unavailable', 'Cannot connect to pix.example: trouble', 'proxy'],
    ['tls', false, undefined, 'unavailable', 'Cannot connect to pix.example: trouble', 'connection'],
    ['timeout', true, 200, 'unavailable', 'No response from pix.example: trouble', 'connection'],
    ['lost', true, 200, 'bad_answer', 'pix.example: cannot read the response (200): the connection was lost before its end', undefined],
    ['too_large', true, 200, 'bad_answer', 'pix.example: cannot read the response (200): trouble', undefined],
    ['lost', true, 299, 'bad_answer', 'pix.example: cannot read the response (299): the connection was lost before its end', undefined],
    ['lost', true, 300, 'bad_answer', 'pix.example: redirect not followed (300)', 'another_origin'],
    ['lost', true, 404, 'not_found', 'pix.example: not found (404)', undefined],
    ['timeout', true, 503, 'unavailable', 'pix.example: server error (503)', undefined],
  ])('by %s, sent: %s, with status %s', (kind, isSent, status, code, message, reason) => {
    const failure = failureOfNetwork(broken(kind, isSent, status), asking(write));
    expect({code: failure.code, message: failure.message, reason: failure.details.reason}).toEqual({code, message, reason});
    expect(failure.details).toMatchObject({method: 'POST', path: '/a', status});
    expect(failure.details.fate).toBe(isSent && status !== 404 ? 'unknown' : undefined);
  });
});

describe('a request that did not get its turn', () => {
  const last = new Failure('rate_limited', 'pix.example: Too many.', {status: 429, path: '/a'});

  test('for too long a wait says how long', () => {
    expect(failureOfNoTurn(new NoTurn(1001), asking(read))).toMatchObject({
      code: 'rate_limited',
      message: 'pix.example: rate limit reached; it asks to wait 2 s',
      details: {method: 'GET', path: '/a', reason: 'wait_too_long'},
    });
    expect(failureOfNoTurn(new NoTurn(1000), asking(read), last, new Failure('unavailable', 'x'))).toMatchObject({
      code: 'rate_limited',
      message: 'pix.example: Too many; it asks to wait 1 s',
      details: {status: 429, path: '/a', reason: 'wait_too_long'},
    });
  });

  test('after an interruption was not sent, unless it may have been carried out', () => {
    const unsent = {code: 'interrupted', message: 'Interrupted before it was sent', details: {method: 'GET', path: '/a', reason: 'unsent'}};
    expect(failureOfNoTurn(new NoTurn(undefined), asking(read))).toMatchObject(unsent);
    expect(failureOfNoTurn(new NoTurn(undefined), asking(read), last)).toMatchObject(unsent);
    expect(failureOfNoTurn(new NoTurn(undefined), {host: 'pix.example'})).toMatchObject({...unsent, details: {reason: 'unsent'}});
    const [other, open] = [new Failure('unavailable', 'x', {status: 503}), new Failure('unavailable', 'y')];
    expect(failureOfNoTurn(new NoTurn(undefined), asking(read), other)).toBe(other);
    expect(failureOfNoTurn(new NoTurn(undefined), asking(read), last, open)).toBe(open);
    expect(failureOfNoTurn(new NoTurn(undefined), asking(read), other, open)).toBe(open);
  });
});

describe('an answer', () => {
  const schema = z.looseObject({id: z.string(), size: z.number()});
  const answered = (text: string, strict = false, request = read) =>
    readAnswer(received(200, text, {a: 'b'}), schema, asking(request), strict);

  test('that is nested deeper than 500 levels is no answer', () => {
    const nested = (depth: number) => `{"id":"1","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(answered(nested(499), false).status).toBe(200);
    expect(() => answered(nested(500), false)).toThrow('the response is nested deeper than 500 levels');
  });

  test('as documented is read', () => {
    const text = '{"id":"1","size":2.50}';
    expect(answered(text, true)).toEqual({
      status: 200,
      headers: {a: 'b'},
      text,
      value: {id: '1', size: 2.5},
      exact: {id: '1', size: JSON.rawJSON('2.50')},
      mismatches: [],
    });
  });

  test.each([
    ['', 'an empty response'],
    [' \n', 'an empty response'],
    ['<!DOCTYPE html>', 'HTML'],
    ['\n <html>', 'HTML'],
    ['<?xml version="1.0"?>', 'HTML'],
    ['x <html>', 'something else, or only a part of it'],
    ['<b>', 'something else, or only a part of it'],
    ['{"id":', 'something else, or only a part of it'],
  ])('%j that is not JSON says what it is', (text, what) => {
    expect(() => answered(text)).toThrow(
      expect.objectContaining({
        code: 'bad_answer',
        message: `pix.example: expected JSON, got ${what} (200)`,
        details: expect.objectContaining({method: 'GET', path: '/a', scope: 'read', status: 200, reason: 'shape'}),
      }),
    );
  });

  test('may be empty only where that is a success', () => {
    const empty = {...read, mayBeEmpty: true} as const;
    expect(readAnswer(received(200, ' '), z.unknown(), asking(empty), true)).toMatchObject({value: undefined, text: ' '});
    expect(() => answered('<html>', false, empty)).toThrow('got HTML');
  });

  test('of another shape is refused, and of other fields when strict', () => {
    const what = 'pix.example: the response does not match the documented schema (200)';
    expect(() => answered('[]')).toThrow(`${what}: expected object, got array`);
    expect(answered('{"id":1}').mismatches.map(({path, kind}) => [path, kind])).toEqual([
      ['id', 'type'],
      ['size', 'missing'],
    ]);
    expect(() => answered('{"id":1}', true)).toThrow(`${what}: id: expected string, got number; size: missing`);
    expect(hasShapeOf(answered('{"id":1}'))).toBe(true);
    expect(hasShapeOf({...answered('{}'), mismatches: [{kind: 'shape', path: '', message: 'x'}]})).toBe(false);
  });

  test('names five mismatches, and counts the others', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const readStrictly = (text: string, schema: z.ZodMiniType) => () => readAnswer(received(200, text), schema, asking(write), true);
    const lacking = (count: number) =>
      readStrictly('{}', z.looseObject(Object.fromEntries(names.slice(0, count).map((name) => [name, z.string()]))));
    expect(lacking(5)).toThrow(/\(200\): a: missing; b: missing; c: missing; d: missing; e: missing$/);
    expect(lacking(6)).toThrow(/; e: missing and 1 more$/);
    expect(lacking(7)).toThrow(/; e: missing and 2 more$/);
    const many = (count: number) => readStrictly(JSON.stringify(Array.from({length: count}, () => 7)), z.array(z.string()));
    expect(many(9999)).toThrow(/ and 9994 more$/);
    expect(many(10_001)).toThrow(/ and at least 9995 more$/);
  });

  const about = {at: ['of', 'id'], is: '7'};
  test.each<[text: string, asked: Partial<Request>, refusal?: string]>([
    ['{"of":{"id":7}}', {about: [about]}],
    ['{"of":{"id":"8"}}', {about: [about]}, 'the response is about 8, not about 7 (of.id)'],
    ['{}', {about: [about]}, 'the response does not say that it is about 7 (of.id)'],
    ['{}', {about: [{...about, mayBeMissing: true}]}],
    ['{"of":{"id":8}}', {about: [{...about, mayBeMissing: true}]}, 'the response is about 8, not about 7 (of.id)'],
    ['{"of":{"id":"A"}}', {about: [{...about, is: 'a', form: (said) => said.toLowerCase()}]}],
    ['{"of":{"id":7},"by":1}', {about: [about, {at: ['by'], is: '2'}]}, 'the response is about 1, not about 2 (by)'],
    ['{"done":1}', {proof: (value) => JSON.stringify(value) === '{"done":1}'}],
    ['{"done":0}', {proof: () => false}, 'the response does not show that it was done (200)'],
    ['[]', {hintWithoutList: 'try another'}],
    ['{}', {hintWithoutList: 'try another'}, 'the response is no list (200)'],
    ['{"error":"No"}', {}, 'the response is an error (200): No'],
    ['{"error":{}}', {}],
  ])('%s is an answer to a request with %j, or else: %s', (text, asked, refusal) => {
    const {hintWithoutList: hint} = asked;
    const documented = hint === undefined ? z.looseObject({}) : z.unknown();
    const answer = () => readAnswer(received(200, text), documented, asking({...write, ...asked}), false);
    if (refusal === undefined) return expect(answer().text).toBe(text);
    const details = {...unknown, reason: refusal.includes(' about ') ? 'another_target' : 'shape', ...(hint !== undefined && {hint})};
    expect(answer).toThrow(expect.objectContaining({message: `pix.example: ${refusal}`, details: expect.objectContaining(details)}));
  });

  test('that another one gives instead is like it, and an undocumented one may have any member', () => {
    const more = {status: 404, stood: true};
    expect(answerFrom(undefined)).toEqual({status: 200, headers: {}, text: '', value: undefined, exact: undefined, mismatches: []});
    expect(answerFrom({a: 1}, more)).toMatchObject({...more, text: '{"a":1}', value: {a: 1}, exact: {a: 1}});
    expect(readAnswer(received(200, '{"error":"No"}'), z.unknown(), asking(read), true).value).toEqual({error: 'No'});
  });
});
