import {expect, test} from 'vitest';
import {refuseRemovals} from '../../../src/lib/policy/guard.js';
import {aFilter, emptyModel} from './model-server.js';
import {nothingOwned} from '../../../src/lib/policy/owned.js';
import {planFor} from './wanted.js';

test.each([
  [0, 6, undefined],
  [4, 4, undefined],
  [4, 40, undefined],
  [5, 60, undefined],
  [5, 40, 'it removes 5 of 40 domain blocks that no rule names, which is more than 10 %'],
  [20, 300, undefined],
  [21, 300, 'it removes 21 that no rule names, which is more than 20'],
])('%i of %i blocks may go without leave, or not', (removals, count, why) => {
  const domains = Array.from({length: count}, (_, index) => `x${index}.example`);
  const owned = {...nothingOwned, domainBlocks: domains.slice(0, removals), filters: []};
  const {guard} = planFor('version: 1\ndomain_blocks: {}', {...emptyModel, domains}, owned);
  expect(guard).toEqual({removals, ...(why !== undefined && {why})});
  if (why === undefined) {
    refuseRemovals(guard, undefined);
    return;
  }
  const hint = expect.stringContaining(`--allow-removals ${removals}`);
  const refusal = expect.objectContaining({code: 'usage', message: expect.stringContaining(why), details: expect.objectContaining({hint})});
  expect(() => refuseRemovals(guard, undefined)).toThrow(refusal);
  expect(() => refuseRemovals(guard, removals - 1)).toThrow(refusal);
  refuseRemovals(guard, removals);
});

test('filters are guarded as well, and blocks do not make them fewer', () => {
  const filters = Array.from({length: 6}, (_, index) => aFilter(`F${index}`));
  const domains = Array.from({length: 100}, (_, index) => `x${index}.example`);
  expect(planFor('version: 1\nfilters: {only: true}', {...emptyModel, domains, filters}).guard).toEqual({
    removals: 6,
    why: 'it removes 6 of 6 filters that no rule names, which is more than 10 %',
  });
});

test.each([
  ['blocks', 'it removes 6 of 6 blocks that no rule names, which is more than 10 %'],
  ['mutes', 'it removes 6 of 6 mutes that no rule names, which is more than 10 %'],
])('%s of accounts are guarded as well', (part, why) => {
  const names = Array.from({length: 6}, (_, index) => `x${index}@b.example`);
  expect(planFor(`version: 1\n${part}: {only: true}`, {...emptyModel, [part]: names}).guard).toEqual({removals: 6, why});
});

test('what a rule forbids by name needs no leave, however much it is', () => {
  const domains = Array.from({length: 30}, (_, index) => `x${index}.example`);
  expect(planFor(`version: 1\ndomain_blocks: {must_not: [${domains.join(', ')}]}`, {...emptyModel, domains}).guard).toEqual({removals: 0});
});
