/** What of a plan has to be allowed: how many removals, suspensions for everybody, and what is not known to be protected. */
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {Change, Reason} from '../../../../src/lib/policy/model/change.js';
import {flagsToAllow, guardJson, guardOf, guardTexts, isGuarded, refuseGuarded, type Guard} from '../../../../src/lib/policy/plan/guard.js';
import {makePlan} from '../../../../src/lib/policy/plan/plan.js';
import {circumstances, emptyModel, stateOf} from '../model-server.js';
import {wantedBy} from '../wanted.js';

const removals = (count: number, reason: Reason = 'only', kind: 'block' | 'domain_block' = 'domain_block'): Change[] =>
  Array.from({length: count}, (_, index) => ({action: 'remove', kind, subject: `d${index}.example`, details: {}, reason, because: ''}));

const weaker = (count: number): Change[] =>
  Array.from({length: count}, (_, index) => ({
    action: 'update',
    kind: 'admin_domain_block',
    subject: `w${index}.example`,
    details: {id: String(index), before: {severity: 'suspend'}, after: {severity: 'silence'}},
    reason: 'lists',
    because: '',
  }));

type Counts = Parameters<typeof guardOf>[1];
const present = (domains: number, blocks = 0): Counts =>
  new Map([
    ['domain_block', domains],
    ['block', blocks],
  ] as const);

describe('removals', () => {
  test.each<[string, Change[], Counts, boolean, string | undefined]>([
    ['20 of many', removals(20), present(1000), false, undefined],
    ['21 of many', removals(21), present(1000), false, 'it removes 21 items that no rule names (limit 20)'],
    ['21 of many from a file', removals(21, 'must'), present(1000), true, 'it removes 21 items from a plan file (limit 20)'],
    ['21 that rules name', removals(21, 'forbidden'), present(1000), false, undefined],
    ['4 of 4', removals(4), present(4), false, undefined],
    ['5 of 50', removals(5), present(50), false, undefined],
    ['5 of 49', removals(5), present(49), false, 'it removes 5 of 49 items, which no rule names (limit 10 %)'],
    ['5 of 49 from a file', removals(5, 'must'), present(49), true, 'it removes 5 of 49 items from a plan file (limit 10 %)'],
    [
      '5 of 10 among many of another kind',
      removals(5, 'lists', 'block'),
      present(1000, 10),
      false,
      'it removes 5 items that no rule names, 5 of 10 account blocks among them (limit 10 %)',
    ],
    ['5 of 50 among many of another kind', removals(5, 'no_longer_named', 'block'), present(1000, 50), false, undefined],
    ['none', [], present(0), false, undefined],
    [
      '10 and 12 that get weaker',
      [...removals(10), ...weaker(12)],
      present(1000),
      false,
      'it removes 10 items that no rule names, and makes 12 weaker (limit 20)',
    ],
    ['21 that get weaker', weaker(21), present(1000), false, 'it makes 21 items weaker (limit 20)'],
    [
      '3 and 4 that get weaker of 20',
      [...removals(3), ...weaker(4)],
      present(20),
      false,
      'it removes 3 items that no rule names, and makes 4 weaker, 7 of 20 in all (limit 10 %)',
    ],
  ])('of %s need to be allowed or not', (_, changes, counts, isFromFile, why) => {
    const guard = guardOf(changes, counts, isFromFile);
    expect(guard.why).toBe(why);
    expect(guard.removals).toBe(changes.filter(({reason}) => isFromFile || reason !== 'forbidden').length);
    expect(isGuarded(guard)).toBe(why !== undefined);
  });
});

const additions = {count: 30, why: 'it suspends 30 domains'};

test.each<[Guard, string[]]>([
  [{removals: 3}, []],
  [{removals: 3, why: 'it removes 3 items'}, ['it removes 3 items: apply needs --allow-removals 3']],
  [
    {removals: 3, why: 'it removes 3 items', additions, unprotected: 'it is not known'},
    [
      'it removes 3 items: apply needs --allow-removals 3',
      'it suspends 30 domains: apply needs --allow-additions 30',
      'it is not known: apply refuses this plan',
    ],
  ],
])('the guard %j is told as %j, and stands in JSON as it is', (guard, texts) => {
  expect(guardTexts(guard)).toEqual(texts);
  expect(guardJson({...guard, ...(guard.why === undefined && {why: undefined})})).toEqual(guard);
  expect(isGuarded(guard)).toBe(texts.length > 0);
});

test('flags that allow several plans allow the largest', () => {
  expect(flagsToAllow([])).toEqual({'allow-removals': undefined, 'allow-additions': undefined});
  expect(flagsToAllow([{removals: 90}, {removals: 3, why: 'x'}, {removals: 7, why: 'x', additions}])).toEqual({
    'allow-removals': 7,
    'allow-additions': 30,
  });
  expect(
    [
      {removals: 1, unprotected: 'x'},
      {removals: 1, additions},
    ].map(isGuarded),
  ).toEqual([true, true]);
});

describe('a guarded plan', () => {
  const guard: Guard = {removals: 7, why: 'it removes 7 items', additions};

  test.each<[Guard, Parameters<typeof refuseGuarded>[1], string | undefined, object]>([
    [
      guard,
      {},
      'The plan was not applied: it removes 7 items',
      {code: 'refused', details: {reason: 'guard', hint: 'if this is intended, pass --allow-removals 7'}},
    ],
    [guard, {removals: 6}, 'The plan was not applied: it removes 7 items', {code: 'refused'}],
    [
      guard,
      {removals: 7},
      'The plan was not applied: it suspends 30 domains',
      {code: 'refused', details: {reason: 'guard', hint: 'if this is intended, pass --allow-additions 30'}},
    ],
    [guard, {removals: 7, additions: 29}, 'The plan was not applied: it suspends 30 domains', {}],
    [guard, {removals: 7, additions: 30}, undefined, {}],
    [{removals: 0, why: 'x'}, {}, 'The plan was not applied: x', {}],
    [{removals: 90}, {}, undefined, {}],
    [
      {...guard, unprotected: 'it is not known'},
      {removals: 7, additions: 30},
      'The plan was not applied: it is not known',
      {code: 'refused'},
    ],
  ])('with %j and %j allowed is refused: %s', (given, allowed, message, more) => {
    if (message === undefined) refuseGuarded(given, allowed);
    else expect(() => refuseGuarded(given, allowed)).toThrow(expect.objectContaining({...more, message}));
  });

  test('names its account among several', () => {
    expect(() => refuseGuarded(guard, {}, '@ana')).toThrow('The plan was not applied: @ana: it removes 7 items');
  });
});

describe('suspensions for everybody', () => {
  const suspensions = (count: number, severity = 'suspend', whole: readonly string[] = []): Change[] =>
    Array.from({length: count}, (_, index): Change => {
      const details = {severity: severity === 'suspend' ? ('suspend' as const) : ('silence' as const)};
      return {
        action: 'add',
        kind: 'admin_domain_block',
        subject: whole[index] ?? `s${index}.example`,
        details,
        reason: 'must',
        because: '',
      };
    });
  const raised: Change = {
    action: 'update',
    kind: 'admin_domain_block',
    subject: 'raised.example',
    details: {id: '1', before: {severity: 'silence'}, after: {severity: 'suspend'}},
    reason: 'must',
    because: '',
  };

  test.each<[string, Change[], Guard['additions']]>([
    ['none', [...removals(3), ...suspensions(30, 'silence')], undefined],
    ['25', suspensions(25), undefined],
    ['26', suspensions(26), {count: 26, why: 'it suspends 26 domains (limit 25)'}],
    ['25 and one that is raised', [...suspensions(25), raised], {count: 26, why: 'it suspends 26 domains (limit 25)'}],
    ['a top-level domain', suspensions(1, 'suspend', ['cf']), {count: 1, why: 'it suspends 1 domain, with the whole of cf'}],
    [
      'two top-level domains and 3',
      suspensions(5, 'suspend', ['cf', 'tk']),
      {count: 5, why: 'it suspends 5 domains, with the whole of cf, tk'},
    ],
    ['a top-level domain that is silenced', suspensions(1, 'silence', ['cf']), undefined],
  ])('%s need to be allowed or not, also in a plan file', (_, changes, additions) => {
    for (const isFromFile of [false, true]) {
      const guard = guardOf(changes, present(1000), isFromFile);
      expect(guard.additions).toEqual(additions);
      expect(isGuarded(guard)).toBe(additions !== undefined);
    }
  });
});

test.each([
  ['[a.example]', 'domain_blocks.protect_followed'],
  ['[]', undefined],
])('a plan with %s to block is guarded where nobody knows who is followed: by %s', (domains, rule) => {
  const wanted = wantedBy(`version: 1\ndomain_blocks: {must: ${domains}, protect_followed: 1}`);
  const followed = {failure: new Failure('unavailable', 'no answer')};
  const {guard, skipped} = makePlan({...wanted, followed}, stateOf(emptyModel), [], circumstances);
  expect(skipped.map(({heldBy}) => heldBy?.rule)).toEqual(rule === undefined ? [] : [rule]);
  expect(isGuarded(guard)).toBe(rule !== undefined);
});
