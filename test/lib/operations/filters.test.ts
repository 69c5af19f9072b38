import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {expiresIn, keywordEntries, namesKeyword} from '../../../src/lib/operations/filters.js';

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
