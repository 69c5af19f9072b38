import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {AccountDirectory} from '../../../src/lib/operations/accounts.js';
import {expiresIn, filterUpdate, keywordEntries, namesKeyword, secondsIn} from '../../../src/lib/operations/filters.js';
import {perform} from '../../../src/lib/operations/operation.js';
import type {Client} from '../../../src/lib/client/client.js';
import {answeringServer, json} from './answering-server.js';

const now = new Date('2026-09-01T12:00:00Z');

describe('the end of a filter', () => {
  test.each([
    ['new filter', undefined, {}],
    ['new filter', 'never', {}],
    ['existing filter', undefined, {}],
    ['existing filter', 'never', {expires_in: 0}],
    ['new filter', 604_800, {expires_in: 604_800}],
    ['existing filter', 0, {expires_in: 0}],
    ['existing filter', new Date('2026-09-01T12:00:00.001Z'), {expires_in: 1}],
    ['existing filter', new Date('2026-09-02T12:00:00Z'), {expires_in: 86_400}],
    ['existing filter', new Date('2020-01-01T00:00:00Z'), {expires_in: 1}],
  ] as const)('the end of a filter of a %s that ends %s is sent as %j', (of, end, sent) => {
    expect(expiresIn(end, of, now)).toEqual(sent);
  });
});

describe('keywords of a filter', () => {
  test('keywords of a filter are sent in the order that a full filter needs: removals first, additions last', () => {
    const changes = {
      add: [{keyword: 'finale'}],
      entries: [{keyword: 'from the input'}],
      remove: [7, 8],
      change: [{id: 5, keyword: 'a=b'}],
    };
    expect(keywordEntries(changes).keywords_attributes).toEqual([
      {id: 7, _destroy: true},
      {id: 8, _destroy: true},
      {id: 5, keyword: 'a=b'},
      {keyword: 'from the input', whole_word: true},
      {keyword: 'finale', whole_word: true},
    ]);
  });

  test.each([true, false])('get whole_word %s where they are new and do not say it', (wholeWord) => {
    const entries = [{keyword: 'a'}, {keyword: 'b', whole_word: false}, {id: 5, keyword: 'c'}, {id: 6}, 'nonsense', null];
    expect(keywordEntries({entries}, wholeWord).keywords_attributes).toEqual([
      {keyword: 'a', whole_word: wholeWord},
      {keyword: 'b', whole_word: false},
      {id: 5, keyword: 'c'},
      {id: 6},
      'nonsense',
      null,
    ]);
  });

  test('name an unchanged keyword only where nothing else is named', () => {
    expect(keywordEntries({unchanged: 3})).toEqual({keywords_attributes: [{id: 3}]});
    expect(keywordEntries({unchanged: 3, remove: [4]})).toEqual({keywords_attributes: [{id: 4, _destroy: true}]});
    expect(keywordEntries({})).toEqual({});
  });

  test('name a keyword exactly when there is one to name', () => {
    const ids = fc.array(fc.nat(), {maxLength: 2});
    fc.assert(
      fc.property(ids, ids, ids, fc.option(fc.nat(), {nil: undefined}), (remove, change, add, unchanged) => {
        const changes = {remove, change: change.map((id) => ({id})), add: add.map((id) => ({keyword: String(id)})), unchanged};
        expect(namesKeyword(changes)).toBe(remove.length + change.length + add.length > 0 || unchanged !== undefined);
      }),
      {numRuns: 30},
    );
  });
});

describe('the update of a filter', () => {
  const filter = (...keywords: readonly unknown[]) => ({
    id: '9',
    title: 'A',
    context: ['home'],
    expires_at: null,
    filter_action: 'warn',
    keywords: keywords.map((id) => ({id, keyword: 'a', whole_word: true})),
    statuses: [],
  });
  const wantsKeyword = json({error: 'The keywords attributes field is required.', errors: {keywords_attributes: ['Required.']}}, 422);
  const put = 'PUT /api/v2/filters/9';

  const update = (client: Client, body: object) =>
    perform(filterUpdate, {path: {id: '9'}, body: {...body}}, {client, accounts: async () => new AccountDirectory()});

  test('an update that the server takes is one request', async () => {
    const {client, asked} = await answeringServer(() => filter('1'));
    await update(client, {title: 'A'});
    expect(asked).toEqual([`${put} {"title":"A"}`]);
  });

  test.each([
    ['the first keyword', ['3', '4'], 3],
    ['the first that has an id of digits', ['x', 5], 5],
  ])('an update that has to name a keyword is sent again with %s', async (_, keywords, id) => {
    const replies = [wantsKeyword, filter(...keywords), filter(...keywords)];
    const {client, asked} = await answeringServer((_asked, before) => replies[before]);
    await update(client, {title: 'A'});
    expect(asked).toEqual([`${put} {"title":"A"}`, 'GET /api/v2/filters/9', `${put} {"title":"A","keywords_attributes":[{"id":${id}}]}`]);
  });

  test('a filter without keywords cannot be updated there without one', async () => {
    const {client, asked} = await answeringServer((_, before) => [wantsKeyword, filter()][before]);
    await expect(update(client, {title: 'A'})).rejects.toMatchObject({
      code: 'refused',
      message: 'This server requires a keyword in every filter update, and the filter has none',
      details: {hint: 'add one with --keyword'},
    });
    expect(asked).toHaveLength(2);
  });

  test('a filter whose keywords have no usable id cannot be updated there', async () => {
    const {client, asked} = await answeringServer((_, before) => [wantsKeyword, filter('x')][before]);
    await expect(update(client, {title: 'A'})).rejects.toMatchObject({code: 'refused', details: {fields: ['keywords_attributes']}});
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['is about another field', {title: 'A'}, json({error: 'No', errors: {title: ['Too long.']}}, 422), 'refused'],
    ['comes although a keyword is named', {keywords_attributes: [{id: 3}]}, wantsKeyword, 'refused'],
    ['is no refusal', {title: 'A'}, json({}, 500), 'unavailable'],
    ['names no field', {title: 'A'}, json({error: 'No'}, 422), 'refused'],
  ])('an update is not sent again where the answer %s', async (_, body, reply, code) => {
    const {client, asked} = await answeringServer(() => reply);
    await expect(update(client, body)).rejects.toMatchObject({code});
    expect(asked).toHaveLength(1);
  });
});

test.each([
  ['s', 1],
  ['m', 60],
  ['h', 60 * 60],
  ['d', 24 * 60 * 60],
  ['w', 7 * 24 * 60 * 60],
])('a unit of time %s has %i seconds', (unit, seconds) => {
  expect(secondsIn[unit]).toBe(seconds);
});
