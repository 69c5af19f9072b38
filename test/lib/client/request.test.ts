import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import * as z from 'zod/mini';
import {getConversation, sendMessage, startConversation} from '../../../src/lib/api/direct.js';
import {createFilter} from '../../../src/lib/api/filters.js';
import {comparePushToken} from '../../../src/lib/api/push.js';
import {getThread, muteThread, sendThreadMedia} from '../../../src/lib/api/thread.js';
import {factsOf} from '../../../src/lib/api/schema.js';
import {isIdentifier, requestFor, queryPairs, target} from '../../../src/lib/client/request.js';
import {parseExact} from '../../../src/lib/json/exact.js';
import {table} from '../../endpoints/table.js';

const server = 'https://pix.example';

describe('an id', () => {
  test('an id is one path segment that a URL parser restores', () => {
    fc.assert(
      fc.property(fc.string({unit: 'grapheme'}).filter(isIdentifier), (id) => {
        const {origin, pathname, search, hash} = new URL(requestFor(getConversation, {path: {id}}).path, server);
        expect({origin, search, hash}).toEqual({origin: server, search: '', hash: ''});
        const [segment, ...before] = pathname.split('/').reverse();
        expect([decodeURIComponent(segment ?? ''), before]).toEqual([id, ['conversations', 'direct', 'v1.1', 'api', '']]);
      }),
    );
  });

  test.each(['', '.', '..', '\ud800', 'a b', 'a\tb', 'a\nb', 'a\u00a0b', '1,2', 'a\u001bb', 'a\u0000', 'a\u0085'])(
    '%j is refused',
    (id) => {
      const refused = expect.objectContaining({code: 'usage'});
      expect(() => requestFor(getConversation, {path: {id}})).toThrow(refused);
      expect(() => requestFor(muteThread, {body: {id}})).toThrow(refused);
      expect(() => requestFor(getThread, {query: {pid: id}})).toThrow(refused);
      expect(() => requestFor(startConversation, {body: {recipient_ids: ['5', id]}})).toThrow(refused);
    },
  );

  const fields = table.flatMap(({endpoint: record, requests}) =>
    Object.entries({path: record.pathFields, query: record.query, body: record.body}).flatMap(([part, declared]) =>
      Object.entries(declared).flatMap(([name, schema]) => {
        const facts = factsOf(schema);
        return facts === undefined ? [] : [{of: record.name, record, requests, part, name, schema, facts}];
      }),
    ),
  );
  const ids = fields.filter(({facts}) => facts.isId !== undefined);

  /** The request with another value in one of its fields. */
  function asking(
    {record, requests, part, name, schema}: (typeof fields)[number],
    value: string,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    const {path, query, body} = requests[0].input;
    const input = {path: {...path}, query: {...query}, body: {...body, ...more}};
    const isList = z.safeParse(schema, ['1']).success;
    Object.assign(Object.entries(input).find(([one]) => one === part)?.[1] ?? {}, {[name]: isList ? [value] : value});
    return () => requestFor(record, input);
  }

  test.each(ids)('$of: $name may be a name where an account is meant, and only there', (field) => {
    const {facts} = field;
    const meant = facts.names === undefined ? undefined : (facts.namesWhere ?? {});
    const other = Object.fromEntries(Object.keys(facts.namesWhere ?? {}).map((one) => [one, 'something else']));
    for (const id of ['@al', 'al@pix.example', 'https://pix.example/@al']) {
      if (meant !== undefined) expect(asking(field, id, meant)).not.toThrow();
      if (meant === undefined || facts.namesWhere !== undefined)
        expect(asking(field, id, other)).toThrow(expect.objectContaining({code: 'usage', message: `"${id}" is not an id`}));
    }
  });

  test.each(ids.filter(({facts}) => facts.isId === 'digits'))('$of: $name is digits', (field) => {
    expect(asking(field, '12345678901234567890')).not.toThrow();
    for (const id of ['9gag.com', '9x', '-9', '9.5', '1e3'])
      expect(asking(field, id)).toThrow(expect.objectContaining({code: 'usage', message: `"${id}" is not an id`}));
  });

  test.each(fields.filter(({facts}) => facts.known !== undefined))('$of: $name has known values, and is not empty', (field) => {
    expect(asking(field, 'other')).not.toThrow();
    for (const empty of ['', ' ']) expect(asking(field, empty)).toThrow(expect.objectContaining({code: 'usage'}));
  });

  test.each(fields.filter(({name}) => name === 'page'))('$of: pages are numbered from 1', (field) => {
    for (const page of ['1', '07', '12345678901234567890']) expect(asking(field, page)).not.toThrow();
    for (const page of ['0', '00'])
      expect(asking(field, page)).toThrow(
        expect.objectContaining({code: 'usage', message: expect.stringContaining('pages are numbered from 1')}),
      );
  });
});

describe('the query', () => {
  test('survives encoding and decoding', () => {
    const name = fc.string({unit: 'grapheme', minLength: 1});
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({unit: 'grapheme'}))), (query) => {
        const url = new URL(target({path: '/x', query}), server);
        expect([...url.searchParams]).toEqual(query);
        expect(url.pathname + url.hash).toBe('/x');
      }),
    );
  });

  test.each([
    [{limit: 5, all: true, none: false}, 'limit=5 all=1 none=0'],
    [{types: ['follow', 'mention']}, 'types[]=follow types[]=mention'],
    [{types: []}, ''],
    [{absent: undefined, empty: null, text: ''}, 'text='],
    [parseExact('{"id": 12345678901234567890, "ids": [2.50]}'), 'id=12345678901234567890 ids[]=2.50'],
    [{where: {deep: 1}}, 'where={"deep":1}'],
  ])('encodes %j as %s', (query, pairs) => {
    expect(
      queryPairs(Object(query))
        .map((pair) => pair.join('='))
        .join(' '),
    ).toBe(pairs);
  });

  test('rejects text that is not well-formed', () => {
    expect(() => queryPairs({q: '\udc00'})).toThrow(expect.objectContaining({code: 'usage'}));
  });
});

describe('requestFor', () => {
  test('fills in path, query, body and headers', () => {
    expect(requestFor(sendMessage, {path: {id: '5'}, body: {message: 'Hi', media_ids: ['1', '2'], sensitive: true}})).toEqual({
      about: [{at: ['conversation_id'], is: '5', mayBeMissing: true}],
      method: 'POST',
      path: '/api/v1.1/direct/conversations/5/messages',
      query: [],
      headers: {},
      body: {json: {message: 'Hi', media_ids: ['1', '2'], sensitive: true}},
      token: 'required',
      repeat: 'never',
      isWrite: true,
      errors: {own: sendMessage.errors, path: {id: '5'}},
      scope: 'write',
      kind: 'conversation',
      lookWith: {command: 'dm messages', args: ['5'], flags: {limit: '1'}},
      secrets: [],
    });
  });

  test('keeps body fields that the record does not have', () => {
    const body = {title: 'A', context: ['nowhere'], filter_action: 'tickle', keywords_attributes: [], new_field: {deep: [1]}};
    expect(requestFor(createFilter, {body}).body).toEqual({json: body});
  });

  test('sends a field under both of its names, unless it is given under both, and marks it as a secret', () => {
    const both = {provider_token: 'abc', expo_token: 'xyz'};
    expect(requestFor(comparePushToken, {body: both}).body).toEqual({json: both});
    const {body, secrets, headers} = requestFor(comparePushToken, {body: {provider_token: 'abc'}});
    expect({body, secrets, headers}).toEqual({
      body: {json: {provider_token: 'abc', expo_token: 'abc'}},
      secrets: ['abc'],
      headers: {'x-pixelfed-app': '1'},
    });
  });

  test('makes a multipart form where there are files', () => {
    const extra = Object(parseExact('{"big": 12345678901234567890, "yes": true, "none": null, "list": ["a"], "deep": {"a": 1}}'));
    const {body} = requestFor(sendThreadMedia, {body: {to_id: '5', file: 'a.jpg', ...extra}});
    expect(body).toEqual({
      multipart: [
        ['to_id', '5'],
        ['file', {file: 'a.jpg'}],
        ['big', '12345678901234567890'],
        ['yes', '1'],
        ['list[]', 'a'],
        ['deep', '{"a":1}'],
      ],
    });
  });

  test.each([
    ['a body', () => requestFor(sendMessage, {path: {id: '5'}, body: {message: 7}}), 'Invalid body: message: expected string, got number'],
    [
      'a list',
      () => requestFor(sendMessage, {path: {id: '5'}, body: {media_ids: '7'}}),
      'Invalid body: media_ids: expected array, got string',
    ],
    ['a missing field', () => requestFor(sendThreadMedia, {body: {to_id: '5'}}), 'Invalid body: file: missing'],
    ['a path', () => requestFor(getConversation, {}), 'Invalid path: id: missing'],
  ])('rejects %s of the wrong type without repeating values', (_, make, message) => {
    expect(make).toThrow(expect.objectContaining({code: 'usage', message}));
  });
});
