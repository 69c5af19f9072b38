/** Changes of filters: in words, whether they do what they show, whether they were made, and how they are reverted. */
import {describe, expect, test} from 'vitest';
import type {FilterChange, FilterUpdate} from '../../../../src/lib/policy/sections/filters/changes.js';
import {filtersBefore, isFilterChangeDone, undoneFilters} from '../../../../src/lib/policy/sections/filters/past.js';
import {filterChangeText, filterMisfit} from '../../../../src/lib/policy/sections/filters/requests.js';
import type {Touched} from '../../../../src/lib/policy/model/items.js';
import type {FilterState, State} from '../../../../src/lib/policy/model/server-state.js';
import {aFilter, emptyModel, inDays, now, stateOf} from '../model-server.js';

const why = {reason: 'must', because: 'p.yml:1'} as const;
const keyword = (id: number, text: string, wholeWord = true) => ({id, keyword: text, wholeWord});
const known = (id: number, text: string, wholeWord = true) => ({id, keyword: text, whole_word: wholeWord});
const named = (text: string, wholeWord = true) => ({keyword: text, whole_word: wholeWord});

const add = (subject: string, details: object = {}): FilterChange => ({
  action: 'add',
  kind: 'filter',
  subject,
  details: {context: ['home'], keywords: [], ...details},
  ...why,
});
const update = (subject: string, details: Partial<FilterUpdate['details']> = {}): FilterUpdate => ({
  action: 'update',
  kind: 'filter',
  subject,
  details: {id: '4', add: [], remove: [], change: [], ...details},
  ...why,
});
const remove = (subject: string, id = '4'): FilterChange => ({action: 'remove', kind: 'filter', subject, details: {id}, ...why});

const stateWith = (...filters: readonly FilterState[]): State => stateOf({...emptyModel, filters});
const filter = (more: Parameters<typeof aFilter>[1] = {}, title = 'A') =>
  aFilter(title, {id: '4', keywords: [keyword(1, 'a'), keyword(2, 'b', false)], ...more});

test.each<[FilterChange, string]>([
  [add('A'), 'in home; no keywords'],
  [
    add('A', {context: ['home', 'tags'], filter_action: 'hide', expires: 'never', keywords: [named('a'), named('b', false)]}),
    'hide; in home, tags; never ends; “a”, “b” (also inside words)',
  ],
  [add('A', {expires: '90d', keywords: [named('a')]}), 'in home; ends in 90d; “a”'],
  [add('A', {expires: '2027-01-01T00:00:00.000Z'}), 'in home; ends 2027-01-01T00:00:00.000Z; no keywords'],
  [update('A'), ''],
  [update('B', {title: 'B'}), 'called “B”'],
  [update('B', {title: 'B', stored: 'A'}), 'called “B”, was “A”'],
  [
    update('A', {
      filter_action: 'warn',
      context: ['home'],
      expires: 'never',
      add: [named('n', false)],
      remove: [known(1, 'a', false)],
      change: [known(2, 'b', false)],
    }),
    'warn; in home; never ends; + “n” (also inside words); - “a”; ~ “b” (also inside words)',
  ],
  [remove('A'), ''],
])('the change %j is “%s”', (change, text) => {
  expect(filterChangeText(change)).toBe(text);
});

describe('a change of a plan file', () => {
  test.each<[string, FilterChange, FilterState[], FilterChange[], string | undefined]>([
    ['an addition', add('A'), [], [], undefined],
    ['a removal', remove('A'), [filter()], [], undefined],
    ['a title with spaces around it', remove(' A '), [filter()], [], undefined],
    ['a filter that is not there', remove('A', '5'), [filter()], [], 'there is no filter 5'],
    ['a filter of another title', remove('B'), [filter()], [], 'the filter 4 is called “A”'],
    ['a new title', update('B', {title: 'B', stored: 'A'}), [filter()], [], undefined],
    ['a new title of another filter', update('B', {title: 'B', stored: 'C'}), [filter()], [], 'the filter 4 is called “A”'],
    ['a new title that it does not say', update('B', {title: 'C', stored: 'A'}), [filter()], [], 'the plan would call it “C”'],
    ['a new title without the one before', update('B', {title: 'B'}), [filter()], [], 'the filter 4 is called “A”'],
    ['a filter that was renamed before', update('B', {context: ['tags']}), [filter()], [update('B', {title: 'B', stored: 'A'})], undefined],
    ['a removal after it was renamed', remove('A'), [filter()], [update('B', {title: 'B'})], 'the filter 4 is called “B”'],
    ['the last of two new titles', remove('C'), [filter()], [update('B', {title: 'B'}), update('C', {title: 'C'})], undefined],
    ['another filter that was renamed', remove('A'), [filter()], [update('B', {id: '5', title: 'B'})], undefined],
    ['a keyword to remove', update('A', {remove: [known(1, 'a')]}), [filter()], [], undefined],
    ['a keyword to remove of another text', update('A', {remove: [known(1, 'x')]}), [filter()], [], 'the filter 4 has no keyword 1 “x”'],
    [
      'a keyword to remove that matches otherwise',
      update('A', {remove: [known(2, 'b')]}),
      [filter()],
      [],
      'the filter 4 has no keyword 2 “b”',
    ],
    ['a keyword to remove that is gone', update('A', {remove: [known(3, 'a')]}), [filter()], [], 'the filter 4 has no keyword 3 “a”'],
    ['a keyword to change', update('A', {change: [known(1, 'a', false)]}), [filter()], [], undefined],
    ['a keyword to change of another text', update('A', {change: [known(1, 'b')]}), [filter()], [], 'the filter 4 has no keyword 1 “b”'],
    ['an unchanged keyword', update('A', {unchanged: 2}), [filter()], [], undefined],
    ['an unchanged keyword that is gone', update('A', {unchanged: 9}), [filter()], [], 'the filter 4 has no keyword 9'],
  ])('with %s fits or does not', (_, change, filters, before, misfit) => {
    expect(filterMisfit(change, stateWith(...filters), before)).toBe(misfit);
  });

  test('does not fit where filters were not read', () => {
    expect(filterMisfit(remove('A'), stateOf(emptyModel, {filters: undefined}), [])).toBe('there is no filter 4');
  });
});

const touched = (more: Partial<Touched<FilterState>[number]> = {}): Touched<FilterState>[number] => ({
  owner: 'ana@pix.example',
  kind: 'filter',
  subject: 'A',
  id: '4',
  was: filter(),
  ...more,
});

describe('a change of an interrupted apply', () => {
  test.each<[string, FilterChange, Touched<FilterState>, FilterState[], boolean]>([
    ['an addition that was made', add('A'), [touched({was: null})], [], true],
    ['an addition of which no id is known', add('A'), [touched({was: null, id: undefined})], [], false],
    ['an addition of another title', add('B'), [touched({was: null})], [], false],
    ['a filter that was there before', add('A'), [touched()], [], false],
    ['a removal of what is gone', remove('A'), [touched()], [], true],
    ['a removal of what stands', remove('A'), [touched()], [filter()], false],
    ['an update of what is gone', update('A'), [touched()], [], false],
    ['a title', update('B', {title: 'B'}), [touched()], [filter({}, 'B')], true],
    ['a title that stands', update('B', {title: 'B'}), [touched()], [filter()], false],
    ['a context', update('A', {context: ['tags', 'home']}), [touched()], [filter({context: ['home', 'tags']})], true],
    ['a context with one more', update('A', {context: ['home']}), [touched()], [filter({context: ['home', 'tags']})], false],
    ['another context', update('A', {context: ['tags']}), [touched()], [filter()], false],
    ['an action', update('A', {filter_action: 'hide'}), [touched()], [filter({action: 'hide'})], true],
    ['an action that stands', update('A', {filter_action: 'hide'}), [touched()], [filter()], false],
    ['an end', update('A', {expires: '1d'}), [touched()], [filter({expiresAt: inDays(1)})], true],
    ['an end that stands', update('A', {expires: '1d'}), [touched()], [filter()], false],
    ['an end of what was not there', update('A', {expires: '1d'}), [], [filter()], true],
    ['a removed keyword', update('A', {remove: [known(3, 'c')]}), [touched()], [filter()], true],
    ['a keyword that stands', update('A', {remove: [known(1, 'a')]}), [touched()], [filter()], false],
    ['an added keyword', update('A', {add: [named('a')]}), [touched()], [filter()], true],
    ['a keyword that is missing', update('A', {add: [named('c')]}), [touched()], [filter()], false],
    ['a changed keyword', update('A', {change: [known(2, 'b', false)]}), [touched()], [filter()], true],
    ['a keyword that matches as before', update('A', {change: [known(1, 'a', false)]}), [touched()], [filter()], false],
    ['a changed keyword that is gone', update('A', {change: [known(3, 'c')]}), [touched()], [filter()], false],
  ])('is done or not: %s', (_, change, items, filters, isDone) => {
    expect(isFilterChangeDone(change, items, stateWith(...filters))).toBe(isDone);
  });
});

describe('filters before an interrupted apply', () => {
  const was = filter();
  const before = (items: Touched<FilterState>, done: readonly FilterChange[], ...filters: readonly FilterState[]) => {
    const {filters: found} = filtersBefore(items, done, stateWith(...filters));
    return found && 'value' in found ? found.value : undefined;
  };
  const other = filter({id: '9'}, 'Other');

  test.each<[string, Touched<FilterState>, FilterChange[], FilterState[], FilterState[]]>([
    ['one that it removed is there', [touched({was})], [], [other], [other, was]],
    [
      'one that it made is not there',
      [touched({was: null})],
      [add('A', {keywords: [named('a'), named('b', false)]})],
      [was, other],
      [other],
    ],
    [
      'one that it made with another action',
      [touched({was: null})],
      [add('A', {filter_action: 'hide', keywords: [named('a'), named('b', false)]})],
      [was],
      [was],
    ],
    ['one that somebody changed since stays', [touched({was: null})], [add('A', {keywords: [named('a')]})], [was], [was]],
    ['one that it did not make stays', [touched({was: null})], [], [was], [was]],
    ['one that it did not update yet stays', [touched({was})], [], [filter({expiresAt: inDays(5)})], [filter({expiresAt: inDays(5)})]],
    ['one that was made and is gone is not there', [touched({was: null})], [add('A')], [other], [other]],
    ['one of which no id is known is as it is', [touched({was: null, id: undefined})], [add('A')], [other], [other]],
    [
      'one that it updated is as before',
      [touched({was})],
      [update('B', {title: 'B', context: ['tags'], filter_action: 'hide'})],
      [{...was, title: 'B', context: ['tags'], action: 'hide'}],
      [was],
    ],
    [
      'one whose keywords it changed is as before',
      [touched({was})],
      [update('A', {add: [named('c')], remove: [known(1, 'a')], change: [known(2, 'b', true)]})],
      [{...was, keywords: [keyword(7, 'c'), keyword(2, 'b')]}],
      [was],
    ],
    [
      'one that was updated otherwise stays',
      [touched({was})],
      [update('A', {context: ['tags']})],
      [{...was, context: ['public']}],
      [{...was, context: ['public']}],
    ],
    [
      'one that it did not update stays',
      [touched({was})],
      [update('B', {id: '5', title: 'B'})],
      [{...was, title: 'B'}],
      [{...was, title: 'B'}],
    ],
    [
      'one that two requests updated is as before',
      [touched({was})],
      [update('A', {remove: [known(1, 'a')]}), update('A', {add: [named('c')]})],
      [{...was, keywords: [keyword(2, 'b', false), keyword(8, 'c')]}],
      [was],
    ],
  ])('of filters, %s', (_, items, done, filters, expected) => {
    expect(before(items, done, ...filters)).toEqual(expected);
  });

  test('filters that were not read stay so', () => {
    expect(filtersBefore([], [], stateOf(emptyModel, {filters: undefined}))).toEqual({filters: undefined});
  });
});

describe('filters are reverted', () => {
  const undo = (items: Touched<FilterState>, ...filters: readonly FilterState[]) => undoneFilters(items, stateWith(...filters), now);

  test('one that was made is removed, and one that is gone needs nothing', () => {
    expect(undo([touched({was: null})], filter()).changes).toMatchObject([
      {action: 'remove', subject: 'A', details: {id: '4'}, reason: 'undo'},
    ]);
    expect(undo([touched({was: null})])).toEqual({changes: [], again: [], lost: []});
    expect(undo([touched({was: null})], filter({expiresAt: inDays(-1)})).changes).toEqual([]);
  });

  test('one of which no id is known is kept, where its title stands', () => {
    const lost = [{subject: 'A', why: 'kept: several filters have this title, and it is unknown which one apply made'}];
    expect(undo([touched({was: null, id: undefined})], filter())).toEqual({changes: [], again: [], lost});
    expect(undo([touched({was: null, id: undefined})], filter({}, 'B')).lost).toEqual([]);
  });

  test('one that was removed is made again, unless its end has passed', () => {
    const made = undo([touched()]);
    expect(made.changes).toMatchObject([
      {action: 'add', subject: 'A', reason: 'undo', details: {context: ['home'], keywords: [{keyword: 'a'}, {keyword: 'b'}]}},
    ]);
    expect(made.again).toEqual([{kind: 'filter', hadId: '4', as: made.changes.at(0)}]);
    expect(made.lost).toEqual([{subject: 'A', why: 'restored with a new id'}]);
    for (const end of [now.toISOString(), inDays(-1)])
      expect(undo([touched({was: filter({expiresAt: end})})])).toEqual({
        changes: [],
        again: [],
        lost: [{subject: 'A', why: 'not restored, because the time to expire has passed'}],
      });
    expect(undo([touched({was: filter({expiresAt: inDays(1)})})]).changes).toHaveLength(1);
  });

  test('one that an earlier undo made is taken for it, once', () => {
    const again = filter({id: '77'});
    expect(undo([touched()], again)).toEqual({changes: [], again: [{kind: 'filter', hadId: '4', as: '77'}], lost: []});
    const second = touched({id: '5', was: filter({id: '5'})});
    expect(undo([touched(), second], again).again?.map(({hadId}) => hadId)).toEqual(['4', '5']);
    expect(undo([touched(), second], again).changes).toHaveLength(1);
    expect(undo([touched({id: '77', was: null}), touched()], again).changes.map(({action}) => action)).toEqual(['remove', 'add']);
  });

  test('one that was updated is updated back, and one that is as before needs nothing', () => {
    expect(undo([touched()], filter({context: ['tags']})).changes).toMatchObject([
      {action: 'update', details: {id: '4', context: ['home']}, reason: 'undo'},
    ]);
    expect(undo([touched()], filter()).changes).toEqual([]);
  });
});
