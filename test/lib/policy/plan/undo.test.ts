import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {afterUndo, beginApply, finishApply, withNewIds, withUnrecorded} from '../../../../src/lib/policy/state-file/ownership.js';
import {recordDone, recordRefused, withSent} from '../recorded.js';
import {makePlan} from '../../../../src/lib/policy/plan/plan.js';
import {
  emptyOwnership,
  lastApply,
  type OwnershipRecord,
  ownershipText,
  readOwnership,
  recordOf,
  withRecord,
} from '../../../../src/lib/policy/state-file/state-file.js';
import {makeUndo, newIdsOf, undoneParts} from '../../../../src/lib/policy/plan/undo.js';
import {aFilter, carriedOut, circumstances, emptyModel, inDays, type Model, now, seen, stateOf} from '../model-server.js';
import {owned} from '../owned-items.js';
import {modelAndPolicy} from '../random-policy.js';
import {wantedBy} from '../wanted.js';

const owner = {server: 'https://pix.example', account: 'ana', policy: 'p.yml'};
const nobody = recordOf(emptyOwnership, owner);

interface Run {
  readonly model: Model;
  readonly record: OwnershipRecord;
}

/** The id of the filter that a change made. */
const createdIn = (before: Model, after: Model): string | undefined =>
  after.filters.find(({id}) => !before.filters.some((one) => one.id === id))?.id;

/** Carries changes out and writes each down, as a command does it. */
function carryOut({model, record}: Run, changes: readonly Change[]): Run {
  return changes.reduce(
    (run: Run, change) => {
      const after = carriedOut(run.model, change);
      return {model: after, record: recordDone(run.record, change, createdIn(run.model, after))};
    },
    {model, record},
  );
}

function planned(text: string, {model, record}: Run): readonly Change[] {
  return makePlan(wantedBy(text), stateOf(model), record.owned, circumstances).changes;
}

/** An apply, killed after some of its writes when `killedAfter` says so; the last of these is not written down any more. */
function apply(text: string, run: Run, killedAfter?: number): Run {
  const record = withUnrecorded(run.record, stateOf(run.model), now);
  const changes = planned(text, {model: run.model, record});
  const begun = {model: run.model, record: beginApply(record, changes, stateOf(run.model), now)};
  if (killedAfter === undefined || killedAfter >= changes.length) {
    const done = carryOut(begun, changes);
    return {...done, record: finishApply(done.record)};
  }
  const done = carryOut(begun, changes.slice(0, killedAfter));
  const next = changes[killedAfter];
  return next ? {model: carriedOut(done.model, next), record: withSent(done.record, next)} : done;
}

function undo(run: Run): Run {
  const last = lastApply(run.record);
  if (!last) throw new Error('There is nothing to take back');
  const {changes, again} = makeUndo(last, stateOf(run.model), now);
  const found = withNewIds(
    run.record,
    newIdsOf(again, (as) => (typeof as === 'string' ? as : undefined)),
  );
  const undone = changes.reduce(
    ({model, record}: Run, change) => {
      const after = carriedOut(model, change);
      const id = createdIn(model, after);
      return {
        model: after,
        record: withNewIds(
          record,
          newIdsOf(again, (as) => (as === change ? id : undefined)),
        ),
      };
    },
    {model: run.model, record: found},
  );
  return {...undone, record: afterUndo(undone.record)};
}

test('restores everything that can be restored', () => {
  fc.assert(
    fc.property(modelAndPolicy, ({model, policy}) => {
      const applied = apply(policy, {model, record: nobody});
      const undone = applied.record.applies.length === 0 ? applied : undo(applied);
      expect(seen(undone.model)).toEqual(seen(model));
      expect(undone.record).toEqual(nobody);
    }),
  );
});

const titles = ['One', 'Two', 'Three'];
const policyOfFilters = fc
  .record({named: fc.subarray(titles), context: fc.constantFrom('home', 'public'), only: fc.boolean()})
  .map(({named, context, only}) => {
    const must = named.map((title) => ({title, context: [context], keywords: [`word of ${title.toLowerCase()}`]}));
    return JSON.stringify({version: 1, filters: {must, only}});
  });

test('as many undos as applies restore the start, also when each is killed before it records what it made', () => {
  fc.assert(
    fc.property(fc.subarray(titles), fc.array(policyOfFilters, {maxLength: 5}), fc.boolean(), (there, policies, isKilled) => {
      const start = {...emptyModel, filters: there.map((title) => aFilter(title))};
      let run = policies.reduce<Run>((before, policy) => apply(policy, before), {model: start, record: nobody});
      while (run.record.applies.length > 0) run = undo(isKilled ? {...run, model: undo(run).model} : run);
      expect(seen(run.model)).toEqual(seen(start));
      expect(run.record).toEqual(nobody);
    }),
  );
});

test('an apply that is killed at any step and run again ends the same, and undo reverts both runs as one', () => {
  fc.assert(
    fc.property(modelAndPolicy, fc.nat({max: 8}), ({model, policy}, step) => {
      const whole = apply(policy, {model, record: nobody});
      const begun = apply(policy, {model, record: nobody}, step);
      const changes = planned(policy, {model, record: nobody});
      const again = planned(policy, begun);
      expect(again.length).toBe(Math.max(0, changes.length - step - 1));
      const resumed = apply(policy, begun);
      expect(seen(resumed.model)).toEqual(seen(whole.model));
      const madeBy = ({record: {owned: items}}: Run) => items.map(({kind, subject}) => `${kind} ${subject}`).sort();
      expect(madeBy(resumed)).toEqual(madeBy(whole));
      if (changes.length === 0) return;
      expect(seen(undo(resumed).model)).toEqual(seen(model));
    }),
  );
});

test('what is written to a state file is read as it was, also after a killed apply', () => {
  fc.assert(
    fc.property(modelAndPolicy, fc.nat({max: 8}), ({model, policy}, step) => {
      const killed = apply(policy, {model, record: nobody}, step);
      const resumed = apply(policy, killed);
      const emptied = apply('version: 1', resumed);
      for (const {record} of [killed, resumed, emptied, ...(emptied.record.applies.length > 0 ? [undo(emptied)] : [])]) {
        expect(readOwnership(ownershipText(withRecord(emptyOwnership, record)), 's.json').records).toEqual([record]);
      }
    }),
  );
});

test('removes what the policy no longer names, and restores it with undo', () => {
  const first = apply(
    'version: 1\ndomain_blocks: {must: [a.example, b.example]}\nfilters: {must: [{title: A, context: [home], keywords: [a]}]}',
    {
      model: {...emptyModel, domains: ['b.example', 'theirs.example']},
      record: nobody,
    },
  );
  expect(first.record.owned).toMatchObject(owned({domains: ['a.example'], filters: {[first.model.filters[0]?.id ?? '']: 'A'}}));
  const second = apply('version: 1\ndomain_blocks: {must: [b.example]}', first);
  expect(seen(second.model)).toMatchObject({domains: ['b.example', 'theirs.example'], filters: []});
  expect(second.record.owned).toEqual([]);
  const undone = undo(second);
  expect(seen(undone.model)).toEqual(seen(first.model));
  expect(undone.record.owned).toMatchObject(owned({domains: ['a.example'], filters: {[undone.model.filters[0]?.id ?? '']: 'A'}}));
});

test('keeps what others changed since the apply', () => {
  const text = 'version: 1\ndomain_blocks: {must: [a.example, b.example]}';
  const {model, record} = apply(text, {model: emptyModel, record: nobody});
  const changed = {...model, domains: ['b.example', 'other.example']};
  expect(makeUndo(lastApply(record) ?? fail(), stateOf(changed), now)).toEqual({
    changes: [
      {
        action: 'remove',
        kind: 'domain_block',
        subject: 'b.example',
        details: {},
        reason: 'undo',
        because: 'as it was before the last apply',
      },
    ],
    lost: [{kind: 'domain_block', subject: 'b.example', why: 'follows ended in both directions, and are not restored'}],
    again: [],
  });
});

function fail(): never {
  throw new Error('There is no apply');
}

test('reports what cannot be restored', () => {
  const model: Model = {
    ...emptyModel,
    domains: ['a.example'],
    filters: [aFilter('Old', {id: '4'}), aFilter('Brief', {expiresAt: inDays(2)})],
  };
  const text = 'version: 1\ndomain_blocks: {must_not: [a.example]}\nfilters: {must: [], only: true}';
  const {model: after, record} = apply(text, {model, record: nobody});
  const later = new Date(inDays(3));
  expect(makeUndo(lastApply(record) ?? fail(), stateOf(after), later).lost).toEqual([
    {kind: 'filter', subject: 'Brief', why: 'not restored, because the time to expire has passed'},
    {kind: 'filter', subject: 'Old', why: 'restored with a new id'},
  ]);
});

test('continues an interrupted undo', () => {
  const model = {...emptyModel, filters: [aFilter('A'), aFilter('B')], domains: ['a.example']};
  const {model: after, record} = apply('version: 1\nfilters: {only: true}\ndomain_blocks: {only: true}', {model, record: nobody});
  const last = lastApply(record) ?? fail();
  const {changes} = makeUndo(last, stateOf(after), now);
  expect(changes.length).toBe(3);
  const broken = changes.slice(0, 2).reduce(carriedOut, after);
  const rest = makeUndo(last, stateOf(broken), now).changes;
  expect(rest.length).toBe(1);
  expect(seen(rest.reduce(carriedOut, broken))).toEqual(seen(model));
});

test('an apply without changes is not recorded', () => {
  const done = apply('version: 1\ndomain_blocks: {must: [a.example]}', {model: emptyModel, record: nobody});
  expect(apply('version: 1\ndomain_blocks: {must: [a.example]}', done).record).toEqual(done.record);
});

test('reverts up to ten applies, reading only the parts that they touched', () => {
  let run: Run = {model: emptyModel, record: nobody};
  for (let index = 0; index < 12; index++) run = apply(`version: 1\ndomain_blocks: {must: [x${index}.example], only: true}`, run);
  expect(run.record.applies.length).toBe(10);
  expect([...undoneParts(lastApply(run.record) ?? fail())]).toEqual(['domain_blocks']);
});

test('keeps one record for each server, account and policy in the state file', () => {
  const run = apply('version: 1\nfilters: {must: [{title: A, context: [home], keywords: [a]}]}', {
    model: {...emptyModel, filters: [aFilter('A')]},
    record: nobody,
  });
  const other = recordOf(emptyOwnership, {...owner, account: 'bo'});
  const file = withRecord(withRecord(withRecord(emptyOwnership, run.record), other), run.record);
  const text = ownershipText(file);
  expect(readOwnership(text, 's.json')).toEqual({version: 2, records: [run.record, other]});
  expect(recordOf(readOwnership(text, 's.json'), owner)).toEqual(run.record);
  expect(ownershipText(withRecord(withRecord(emptyOwnership, other), run.record))).toBe(text);
});

test.each(['', '{}', '{"version": 2, "records": [{"server": 1}]}', '{"version": 1, "records": [{"server": 1}]}'])(
  'rejects %j as a state file',
  (text) => {
    expect(() => readOwnership(text, 's.json')).toThrow(
      expect.objectContaining({
        code: 'local',
        message: expect.stringContaining('s.json is not a state file'),
        details: expect.objectContaining({hint: expect.stringContaining('may leave items in place')}),
      }),
    );
  },
);

test('the state file does not own what a killed apply had not removed yet', () => {
  const model = {...emptyModel, domains: ['a.example', 'b.example'], filters: [aFilter('A'), aFilter('B')]};
  const text = 'version: 1\ndomain_blocks: {must_not: [a.example, b.example]}\nfilters: {must_not: [A, B]}';
  const killed = apply(text, {model, record: nobody}, 0);
  expect(withUnrecorded(killed.record, stateOf(killed.model), now).owned).toEqual([]);
});

test('restores a renamed filter that is gone, and removes the new one with its title', () => {
  const filter = aFilter('A', {id: '4', keywords: ['a']});
  const text =
    'version: 1\nfilters: {must: [{title: B, id: 4, context: [home], keywords: [a]}, {title: A, context: [home], keywords: [b]}]}';
  const {model, record} = apply(text, {model: {...emptyModel, filters: [filter]}, record: nobody});
  const without = {...model, filters: model.filters.filter(({id}) => id !== '4')};
  const {changes} = makeUndo(lastApply(record) ?? fail(), stateOf(without), now);
  expect(changes.map(({action, subject}) => `${action} ${subject}`)).toEqual(['remove A', 'add A']);
  expect(seen(changes.reduce(carriedOut, without))).toEqual(seen({...emptyModel, filters: [filter]}));
});

test('removes blocked and muted accounts that the policy no longer names, and restores them with undo', () => {
  const before = {...emptyModel, blocks: ['zoe'], mutes: ['bo@b.example']};
  const first = apply('version: 1\nblocks: {must: [zoe, "@Troll@a.example"]}\nmutes: {must: [ana], must_not: [bo@b.example]}', {
    model: before,
    record: nobody,
  });
  expect(seen(first.model)).toMatchObject({blocks: ['troll@a.example', 'zoe@pix.example'], mutes: ['ana@pix.example']});
  expect(first.record.owned).toMatchObject(owned({blocks: ['troll@a.example'], mutes: ['ana@pix.example']}));
  const second = apply('version: 1', first);
  expect(seen(second.model)).toMatchObject({blocks: ['zoe@pix.example'], mutes: []});
  expect(second.record.owned).toEqual([]);
  const undone = undo(second);
  expect(seen(undone.model)).toEqual(seen(first.model));
  expect(seen(undo(undone).model)).toEqual(seen(before));
  const last = lastApply(first.record) ?? fail();
  expect(makeUndo(last, stateOf(first.model), now).lost).toEqual([
    {kind: 'block', subject: 'troll@a.example', why: 'follows ended in both directions, and are not restored'},
  ]);
  expect([...undoneParts(last)]).toEqual(['blocks', 'mutes']);
});

test.each([
  ['a domain', 'domain_blocks: {must: [a.example]}', {domains: ['a.example']}],
  ['an account', 'blocks: {must: [troll@a.example]}', {blocks: ['troll@a.example']}],
  ['a filter', 'filters: {must: [{title: A, context: [home], keywords: [a]}]}', {filters: [aFilter('A')]}],
])('the state file does not own %s that the server refused, when it appears later', (_, rules, later) => {
  const changes = planned(`version: 1\n${rules}`, {model: emptyModel, record: nobody});
  const begun = changes.reduce(withSent, beginApply(nobody, changes, stateOf(emptyModel), now));
  const found = stateOf({...emptyModel, ...later});
  expect(withUnrecorded(begun, found, now).owned).not.toEqual([]);
  const refused = recordRefused(begun, changes);
  expect(withUnrecorded(refused, found, now).owned).toEqual([]);
});

test.each([
  ['a domain', 'domain_blocks: {must: [a.example]}', 'domain_blocks: {must_not: [a.example]}'],
  ['an account', 'mutes: {must: [troll@a.example]}', 'mutes: {must_not: [troll@a.example]}'],
  ['a filter', 'filters: {must: [{title: A, context: [home], keywords: [a]}]}', 'filters: {must_not: [A]}'],
])('the state file does not own %s whose removal got no answer, once it is gone', (_, made, removed) => {
  const first = apply(`version: 1\n${made}`, {model: emptyModel, record: nobody});
  const killed = apply(`version: 1\n${removed}`, first, 0);
  expect(killed.record.owned).not.toEqual([]);
  expect(withUnrecorded(killed.record, stateOf(killed.model), now).owned).toEqual([]);
});
