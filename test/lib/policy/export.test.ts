import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {compare} from '../../../src/lib/policy/sections/compare.js';
import {findingJson} from '../../../src/lib/policy/model/difference.js';
import {exportList, exportPolicy, publicDomains, publicState} from '../../../src/lib/policy/export.js';
import {readPolicy} from '../../../src/lib/policy/reading/policy-file.js';
import {storedKeyword} from '../../../src/lib/policy/model/policy.js';
import type {State} from '../../../src/lib/policy/model/server-state.js';
import {accountsOf, aFilter, circumstances, emptyModel, inDays, now, stateOf} from './model-server.js';
import {wantedBy} from './wanted.js';
import {codePoint} from '../../arbitraries.js';

function found(text: string, state: State): unknown[] {
  return compare(wantedBy(text), state, circumstances).differences.map((finding) => findingJson(finding));
}

test('exports a readable policy', () => {
  const filters = [
    aFilter('B', {keywords: ['y', {id: 1, keyword: 'x', wholeWord: false}]}),
    aFilter('A', {id: '2', expiresAt: inDays(3), context: ['home', 'tags']}),
    aFilter('A', {id: '1'}),
    aFilter('Gone', {expiresAt: inDays(-1)}),
  ];
  const state = stateOf(
    {...emptyModel, domains: ['b.example', 'a.example', 'localhost'], filters},
    {mutes: undefined, blocks: accountsOf('zoe', 'bo@b.example')},
  );
  const {text, leftOut} = exportPolicy(state, now);
  expect(text).toBe(`version: 1
domain_blocks:
  must:
    - a.example
    - b.example
filters:
  must:
    - title: A
      id: "1"
      context:
        - home
      action: warn
      keywords:
        - word of a
      expires: never
    - title: A
      id: "2"
      context:
        - home
        - tags
      action: warn
      keywords:
        - word of a
      expires: "${inDays(3)}"
    - title: B
      context:
        - home
      action: warn
      keywords:
        - keyword: x
          whole_word: false
        - "y"
      expires: never
blocks:
  must:
    - bo@b.example
    - zoe@pix.example
`);
  expect(leftOut).toEqual(['domain block localhost']);
});

test('filters have no private comments', () => {
  const state = stateOf({...emptyModel, filters: [aFilter('Spoilers', {keywords: ['plot']})]});
  expect(publicState(state)).toEqual({value: state, left: undefined});
});

test('exports any title and keyword so that it reads back unchanged', () => {
  const text = fc.string({unit: codePoint, minLength: 1}).filter((one) => one.trim() !== '' && one.isWellFormed());
  fc.assert(
    fc.property(text, fc.uniqueArray(text.map(storedKeyword), {minLength: 1, maxLength: 4}), (title, keywords) => {
      const state = stateOf({...emptyModel, filters: [aFilter(title, {keywords})]});
      expect(found(exportPolicy(state, now).text, state)).toEqual([]);
    }),
    {numRuns: 150},
  );
});

test('fails to export a part that could not be read', () => {
  const failure = new Failure('unavailable', 'Down');
  expect(() => exportPolicy(stateOf(emptyModel, {filters: {failure}}), now)).toThrow(failure);
});

test.each([
  ['no title', {}, ' '],
  ['no context', {context: []}, 'A'],
  ['a context that policies do not know', {context: ['home', 'elsewhere']}, 'A'],
  ['an action that policies do not know', {action: 'explode'}, 'A'],
  ['an empty keyword', {keywords: ['']}, 'A'],
])('a filter with %s is left out of a policy, and named', (_, more, title) => {
  const state = stateOf({...emptyModel, filters: [aFilter(title, {id: '7', ...more}), aFilter('B', {id: '8'})]});
  const {text, leftOut} = exportPolicy(state, now);
  expect(leftOut).toEqual([`filter 7 "${title.trim()}"`]);
  expect(readPolicy(text, 'p.yml').filters?.must.map((one) => one.title)).toEqual(['B']);
});

test('filters with one title are exported with their ids, in the order of titles and ids', () => {
  const filters = [aFilter('B', {id: '3'}), aFilter('A', {id: '9'}), aFilter(' B', {id: '2'})];
  const {text} = exportPolicy(stateOf({...emptyModel, filters}), now);
  expect(readPolicy(text, 'p.yml').filters?.must.map(({title, id}) => [title, id])).toEqual([
    ['A', undefined],
    ['B', '2'],
    ['B', '3'],
  ]);
  const listed = JSON.parse(exportList('mastodon-json', 'filters', stateOf({...emptyModel, filters}), now).text);
  expect(listed.custom_filters.map(({title}: {title: string}) => title)).toEqual([' B', 'A', 'B']);
});

test('exports to another tool only the parts that its format can hold', () => {
  const state = stateOf(
    {...emptyModel, domains: ['b.example', 'a.example'], filters: [aFilter('A')]},
    {blocks: accountsOf('zoe', 'bo@b.example'), mutes: accountsOf('zoe')},
  );
  expect(exportList('mastodon-csv', 'domain_blocks', state, now).text).toBe('a.example\nb.example\n');
  expect(exportList('mastodon-csv', 'blocks', state, now).text).toBe('bo@b.example\nzoe@pix.example\n');
  expect(exportList('mastodon-csv', 'mutes', state, now).text).toBe('Account address,Hide notifications\nzoe@pix.example,true\n');
  expect(exportList('fediblockhole', 'domain_blocks', state, now).text).toBe(
    'domain,severity,public_comment,private_comment,reject_media,reject_reports,obfuscate\na.example,suspend,,,false,false,false\nb.example,suspend,,,false,false,false\n',
  );
  expect(exportList('mastodon-admin', 'domain_blocks', state, now).text).toBe(
    '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate\na.example,suspend,false,false,,false\nb.example,suspend,false,false,,false\n',
  );
  expect(exportList('plain', 'domain_blocks', state, now).text).toBe('a.example\nb.example\n');
  expect(JSON.parse(exportList('mastodon-json', 'filters', state, now).text)).toMatchObject({
    custom_filters: [{title: 'A', action: 'warn'}],
  });
  expect(() => exportList('mastodon-csv', 'filters', state, now)).toThrow(
    expect.objectContaining({code: 'usage', message: 'mastodon-csv cannot hold filters'}),
  );
});

test('says of how many domains private comments are left out of a list', () => {
  const entry = (domain: string, private_comment?: string) =>
    ({domain, facts: {severity: 'suspend', public_comment: 'p', private_comment}}) as const;
  const {left, value} = publicDomains([entry('a.example', 'x'), entry('b.example', 'y'), entry('c.example')]);
  expect(left).toBe('private_comment of 2 domains');
  expect(JSON.stringify([...value])).not.toContain('private_comment');
  expect(publicDomains([entry('c.example')]).left).toBeUndefined();
});

test('exports a repeated keyword so that the policy has no differences', () => {
  const twice = aFilter('A', {
    keywords: [
      {id: 1, keyword: 'a', wholeWord: true},
      {id: 2, keyword: 'a', wholeWord: false},
    ],
  });
  const state = stateOf({...emptyModel, filters: [twice]});
  expect(exportPolicy(state, now).text).toContain('keywords_at_least:');
  expect(found(exportPolicy(state, now).text, state)).toEqual([]);
});
