import {expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {copyDomainBlocks, copyFilters} from '../../../src/lib/policy/copy.js';
import type {FilterState, State} from '../../../src/lib/policy/model/server-state.js';

const now = new Date('2026-11-20T00:00:00Z');

const filter = (id: string, own: Partial<FilterState> = {}): FilterState => ({
  id,
  title: `Filter ${id}`,
  context: ['home'],
  action: 'warn',
  expiresAt: null,
  keywords: [{id: 1, keyword: `word ${id}`, wholeWord: true}],
  ...own,
});

const stateOf = (host: string, filters: readonly FilterState[], domains: readonly string[] = []): State => ({
  server: `https://${host}`,
  host,
  filters: {value: filters},
  domain_blocks: {value: new Map(domains.map((domain) => [domain, domain]))},
});

test('copies filters with each keyword once', () => {
  const twice = [1, 2].map((id) => ({id, keyword: 'plot', wholeWord: id === 1}));
  const from = stateOf('one.example', [filter('1', {title: ' Spoilers ', keywords: twice, expiresAt: '2027-01-01T00:00:00.000Z'})]);
  expect(copyFilters(from, stateOf('two.example', []), now)).toEqual({
    left: [],
    changes: [
      {
        action: 'add',
        kind: 'filter',
        subject: 'Spoilers',
        details: {
          context: ['home'],
          filter_action: 'warn',
          expires: '2027-01-01T00:00:00.000Z',
          keywords: [{keyword: 'plot', whole_word: true}],
        },
        reason: 'must',
        because: 'as on one.example',
      },
    ],
  });
});

test.each([
  ['another filter of its title is there', [filter('1')], [filter('9', {title: 'Filter 1', action: 'hide'})], ['Filter 1']],
  ['the same filter is there', [filter('1')], [filter('1')], []],
  ['there are two of its title', [filter('1', {title: 'a'}), filter('2', {title: 'a'})], [], ['a']],
  ['it has no keywords', [filter('1', {keywords: []})], [], ['Filter 1']],
  ['it has ended', [filter('1', {expiresAt: '2026-01-01T00:00:00Z'})], [], []],
])('a copy leaves out a filter when %s', (_, ours, theirs, left) => {
  const copy = copyFilters(stateOf('one.example', ours), stateOf('two.example', theirs), now);
  expect(copy.left.map(({subject}) => subject)).toEqual(left);
  expect(copy.changes).toHaveLength(ours.length === 2 ? 1 : 0);
});

test('copies a filter whose namesake on the other account has ended', () => {
  const ended = filter('1', {expiresAt: '2026-01-01T00:00:00Z'});
  expect(copyFilters(stateOf('one.example', [filter('1')]), stateOf('two.example', [ended]), now).changes).toHaveLength(1);
});

test('copies missing domains, except the server itself and invalid domains', () => {
  const from = stateOf('one.example', [], ['bad.example', 'there.example', 'two.example', 'b*d.example', '192.0.2.1']);
  const {changes, left} = copyDomainBlocks(from, stateOf('two.example', [], ['there.example']));
  expect(changes.map(({subject}) => subject)).toEqual(['bad.example']);
  expect(left.map(({subject}) => subject)).toEqual(['two.example', 'b*d.example', '192.0.2.1']);
});

test('fails when one side could not be read', () => {
  const unread: State = {server: 'https://two.example', host: 'two.example', filters: {failure: new Failure('bad_answer', 'No list')}};
  expect(() => copyFilters(stateOf('one.example', [filter('1')]), unread, now)).toThrow('No list');
});
