import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Item} from '../../../../src/lib/policy/model/items.js';
import {
  movedTo,
  notIn,
  ownedItems,
  ownedOnOther,
  wantedAndThere,
  withAdopted,
  withForgotten,
} from '../../../../src/lib/policy/state-file/owned.js';
import {emptyOwnership, type OwnershipRecord, recordOf} from '../../../../src/lib/policy/state-file/state-file.js';
import {aFilter, circumstances, emptyModel, now, stateOf} from '../model-server.js';
import {owned} from '../owned-items.js';
import {wantedBy} from '../wanted.js';

const owner = {server: 'https://pix.example', account: '@ana', policy: 'p.yml'};
const empty = recordOf(emptyOwnership, owner);

const name = fc.stringMatching(/^[a-z]{1,8}\.example$/);
const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({kind: fc.constantFrom('domain_block' as const), subject: name}),
  fc.record({kind: fc.constantFrom('block' as const, 'mute' as const), subject: name.map((host) => `bo@${host}`)}),
  name.map((subject) => ({kind: 'filter' as const, subject, id: String(subject.length)})).map((one) => ({...one, subject: `of ${one.id}`})),
);
const keys = (items: readonly Item[]) => new Set(items.map(({kind, subject, id}) => `${kind} ${kind === 'filter' ? id : subject}`));
const apply = {at: '2026-01-01T00:00:00.000Z', isFinished: true, items: []};
const withApply = (record: OwnershipRecord): OwnershipRecord => ({...record, applies: [{...apply, owned: record.owned}]});

test('adopts each item once, and forgets what is named, now and for reverts', () => {
  fc.assert(
    fc.property(fc.array(item), fc.array(item), (first, second) => {
      const both = withAdopted(withApply(withAdopted(empty, first)), second);
      expect(keys(ownedItems(both))).toEqual(keys([...first, ...second]));
      expect(both.applies[0]?.owned).toEqual(both.owned);
      expect(withAdopted(both, first)).toEqual(both);
      const left = withForgotten(both, second);
      expect(keys(ownedItems(left))).toEqual(keys(notIn(first, second)));
      expect(left.applies[0]?.owned).toEqual(left.owned);
    }),
  );
});

test('says when an apply made something, where that is known', () => {
  const record = withAdopted(
    {
      ...empty,
      applies: [{...apply, owned: [], items: [{owner: 'ana@pix.example', kind: 'domain_block', subject: 'made.example', was: null}]}],
    },
    [
      {kind: 'domain_block', subject: 'made.example'},
      {kind: 'domain_block', subject: 'adopted.example'},
    ],
  );
  expect(ownedItems(record).map(({subject, since}) => [subject, since])).toEqual([
    ['adopted.example', undefined],
    ['made.example', apply.at],
  ]);
});

test('keeps reverts with the account, and drops them for another one', () => {
  const record = withApply(withAdopted(empty, [{kind: 'domain_block', subject: 'bad.example'}]));
  expect(movedTo(record, {...owner, policy: 'q.yml'})).toEqual({...record, policy: 'q.yml'});
  expect(movedTo(record, {...owner, account: '@ben'})).toEqual({
    ...record,
    account: '@ben',
    owned: owned({domains: ['bad.example']}, 'ben@pix.example'),
    applies: [],
  });
});

test('adopts what the policy wants and the account has, filters by their titles', () => {
  const filters = [aFilter('Spoilers', {keywords: ['a']}), aFilter('Other')];
  const wanted = wantedBy(
    'version: 1\ndomain_blocks: {must: [bad.example, gone.example]}\nfilters: {must: [{title: Spoilers, context: [home], keywords: [b]}, {title: New, context: [home], keywords: [c]}]}',
  );
  expect(wantedAndThere(wanted, stateOf({...emptyModel, domains: ['bad.example', 'x.example'], filters}), circumstances)).toEqual([
    {kind: 'domain_block', subject: 'bad.example', made: true},
    {kind: 'filter', subject: 'Spoilers', id: filters[0]?.id, made: expect.objectContaining({title: 'Spoilers', context: ['home']})},
  ]);
});

test('finds on another account what it has, filters by their titles', () => {
  const record = withAdopted(empty, [
    {kind: 'filter', subject: 'Spoilers', id: '901'},
    {kind: 'filter', subject: 'Gone', id: '902'},
    {kind: 'domain_block', subject: 'bad.example'},
    {kind: 'domain_block', subject: 'gone.example'},
  ]);
  const filter = aFilter(' Spoilers');
  const {record: moved, left} = ownedOnOther(record, stateOf({...emptyModel, domains: ['bad.example'], filters: [filter]}), now);
  expect(moved.owned).toEqual(owned({domains: ['bad.example'], filters: {[filter.id]: 'Spoilers'}}));
  expect(left.map(({subject}) => subject)).toEqual(['gone.example', 'Gone']);
});
