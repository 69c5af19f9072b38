/** What an apply records of each change in a state file. */
import {describe, expect, test} from 'vitest';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import type {FilterState} from '../../../../src/lib/policy/model/server-state.js';
import {afterUndo, finishApply, reopened, withNewIds, withPlan, withUnrecorded} from '../../../../src/lib/policy/state-file/ownership.js';
import {recordDone, recordRefused} from '../recorded.js';
import type {OwnershipRecord, SavedApply} from '../../../../src/lib/policy/state-file/record.js';
import {aFilter, emptyModel, now, stateOf} from '../model-server.js';

const owner = 'ana@pix.example';
const at = '2026-01-01T00:00:00.000Z';
const record = (given: Partial<OwnershipRecord> = {}): OwnershipRecord => ({
  server: 'https://pix.example',
  account: '@ana',
  policy: 'p.yml',
  owned: [],
  applies: [],
  ...given,
});
const domain = {owner, kind: 'domain_block', subject: 'a.example'} as const;
const filter = {owner, kind: 'filter', subject: 'A', id: '4'} as const;

describe('what an apply records', () => {
  const why = {reason: 'must', because: ''} as const;
  const addition = (kind: 'domain_block' | 'filter', subject: string): Change =>
    kind === 'filter'
      ? {action: 'add', kind, subject, details: {context: [], keywords: []}, ...why}
      : {action: 'add', kind, subject, details: {}, ...why};
  const begun = (items: SavedApply['items'], owned: OwnershipRecord['owned'] = []) =>
    record({owned, applies: [{at, isFinished: false, owned, items}]});
  const itemsOf = (one: OwnershipRecord) => one.applies.at(-1)?.items;

  test('an addition is owned, and a removal is not any more', () => {
    const added = recordDone(begun([{...domain, was: null}]), addition('domain_block', 'A.example'));
    expect(added.owned).toEqual([{...domain, made: true, at}]);
    const removal: Change = {action: 'remove', kind: 'domain_block', subject: 'a.example', details: {}, ...why};
    expect(recordDone(added, removal).owned).toEqual([]);
  });

  test('a filter is owned with its id, which the apply has from then on', () => {
    const item = {owner, kind: 'filter', subject: 'A', was: null} as const;
    const made = recordDone(begun([item]), addition('filter', 'A'), '4');
    expect([made.owned, itemsOf(made)]).toEqual([[{...filter, made: {title: 'A', context: [], keywords: []}, at}], [{...item, id: '4'}]]);
    expect(recordDone(begun([item]), addition('filter', 'A')).owned).toEqual([]);
    const twin = recordDone(made, addition('filter', 'A'), '5');
    expect(itemsOf(twin)).toEqual([
      {...item, id: '4'},
      {...item, id: '5'},
    ]);
  });

  test('an addition that the server refused is not part of it, and what was there is', () => {
    const items = [
      {...domain, was: null},
      {...domain, subject: 'b.example', was: null},
    ];
    expect(itemsOf(recordRefused(begun(items), [addition('domain_block', 'b.example')]))).toEqual([items[0]]);
    const removal: Change = {action: 'remove', kind: 'domain_block', subject: 'b.example', details: {}, ...why};
    expect(itemsOf(recordRefused(begun(items), [removal]))).toEqual(items);
    expect(recordRefused(record(), [removal])).toEqual(record());
  });

  test('a filter that was made and not recorded is owned where only one can be it', () => {
    const item = {owner, kind: 'filter', subject: 'A', was: null} as const;
    const ownedWith = (...filters: FilterState[]) => withUnrecorded(begun([item]), stateOf({...emptyModel, filters}), now).owned;
    expect(ownedWith(aFilter('A', {id: '4'}), aFilter('B', {id: '5'}))).toMatchObject([{...filter, made: {title: 'A'}, at}]);
    expect(ownedWith(aFilter('A', {id: '4'}), aFilter('A', {id: '5'}))).toEqual([]);
    expect(ownedWith(aFilter('B', {id: '5'}))).toEqual([]);
  });

  test('it is finished without what was not sent, dropped where nothing is left, and opened again', () => {
    const open = begun([
      {...domain, was: null},
      {...domain, subject: 'b.example', was: null, unsent: true},
    ]);
    const done = finishApply(open);
    expect([done.applies[0]?.isFinished, itemsOf(done)]).toEqual([true, [{...domain, was: null}]]);
    expect(finishApply(begun([{...domain, was: null, unsent: true}])).applies).toEqual([]);
    expect(reopened(done).applies[0]?.isFinished).toBe(false);
    expect(withPlan(done, 'abc').applies[0]?.plan).toBe('abc');
    expect(withPlan(record(), 'abc')).toEqual(record());
  });

  test('with its last apply reverted it is as before, and without one it stays', () => {
    expect(afterUndo(begun([{...domain, was: null}], [filter]))).toEqual(record({owned: [filter]}));
    expect(afterUndo(record({owned: [filter]}))).toEqual(record({owned: [filter]}));
  });

  test('what was made again has another id in all that is recorded, and nothing else has', () => {
    const mute = {owner, kind: 'mute', subject: 'eve@b.example', id: '4'} as const;
    const all = withNewIds(
      begun(
        [
          {...filter, was: null},
          {...mute, was: null},
        ],
        [filter, mute],
      ),
      [
        {kind: 'filter', hadId: '4', id: '7'},
        {kind: 'filter', hadId: '7', id: '9'},
      ],
    );
    expect(all.owned.map(({kind, id}) => [kind, id]).sort()).toEqual([
      ['filter', '9'],
      ['mute', '4'],
    ]);
    expect(itemsOf(all)?.map(({id}) => id)).toEqual(['9', '4']);
    expect(all.applies[0]?.owned.find(({kind}) => kind === 'filter')?.id).toBe('9');
  });
});
