/** What of a plan has to be allowed, and how that is told. */
import {expect, test} from 'vitest';
import {flagsToAllow, type Guard, guardsOf, guardText, refuseGuarded} from '../../../../src/lib/policy/rows/guards.js';
import type {Value} from '../../../../src/lib/policy/model/value.js';
import {compared, type Items, numbered} from '../compared.js';

/** Server blocks of one severity. */
const blocks = (count: number, severity: 'silence' | 'suspend'): Readonly<Record<string, Value>> =>
  Object.fromEntries(numbered(count).map((name) => [name, {severity}]));
const owned = (names: readonly string[], was: Value | null, set: Value) =>
  names.map((name) => ({own: {key: `admin_domain_block ${name}`, was, set, at: '2026-11-01T00:00:00.000Z'}}));

const only = 'domain_blocks: {must: [], only: true}';
const forbidden = (count: number) => `domain_blocks: {must_not: [${numbered(count).join(', ')}]}`;
const removal = (count: number, why: string): Guard => ({why, flag: 'allow-removals', count});

test.each<[string, string, Items, Guard?]>([
  ['nothing', only, {}],
  [
    '20 of 20, which is too large a part',
    only,
    {domain_blocks: numbered(20)},
    removal(20, 'it removes 20 items that no rule names, 20 of 20 domain blocks among them (limit 10 %)'),
  ],
  ['4 of 4', only, {domain_blocks: numbered(4)}],
  [
    '5 of 5',
    only,
    {domain_blocks: numbered(5)},
    removal(5, 'it removes 5 items that no rule names, 5 of 5 domain blocks among them (limit 10 %)'),
  ],
  ['5 of 50', `domain_blocks: {must: [${numbered(45).join(', ')}], only: true}`, {domain_blocks: numbered(50)}],
  [
    '5 of 49',
    `domain_blocks: {must: [${numbered(44).join(', ')}], only: true}`,
    {domain_blocks: numbered(49)},
    removal(5, 'it removes 5 items that no rule names, 5 of 49 domain blocks among them (limit 10 %)'),
  ],
  ['20 of many', `domain_blocks: {must: [${numbered(300).join(', ')}], only: true}`, {domain_blocks: numbered(320)}],
  [
    '21 of many',
    `domain_blocks: {must: [${numbered(300).join(', ')}], only: true}`,
    {domain_blocks: numbered(321)},
    removal(21, 'it removes 21 items that no rule names (limit 20)'),
  ],
  ['21 that rules name', forbidden(21), {domain_blocks: numbered(21)}],
  [
    '4 of each of two kinds',
    `${only}\nmutes: {must: [], only: true}`,
    {domain_blocks: numbered(4), mutes: ['a@a.example', 'b@a.example', 'c@a.example', 'd@a.example']},
  ],
])('the removal of %s needs to be allowed, or not', async (_, rules, items, guard) => {
  expect(guardsOf(await compared(rules, items))).toEqual(guard === undefined ? [] : [guard]);
});

const set = {severity: 'suspend'} as const;
const silences = (count: number) => ({'l.csv': ['domain,severity', ...numbered(count).map((name) => `${name},silence`)].join('\n')});
const listed = 'admin_domain_blocks: {lists: [{file: l.csv}]}';
const named = `admin_domain_blocks: {must: [${numbered(21)
  .map((domain) => `{domain: ${domain}, severity: silence}`)
  .join(', ')}]}`;

test.each<[string, string, number, Readonly<Record<string, string>>, Guard[]]>([
  [
    'count as removals where no rule names them',
    listed,
    21,
    silences(21),
    [removal(21, 'it removes or weakens 21 items that no rule names (limit 20)')],
  ],
  [
    'count together with what goes',
    listed,
    22,
    silences(12),
    [removal(22, 'it removes or weakens 22 items that no rule names (limit 20)')],
  ],
  ['do not count where the policy itself asks for it', named, 21, {}, []],
])('server blocks that become weaker %s', async (_, rules, count, lists, expected) => {
  const items = {admin_domain_blocks: blocks(count, 'suspend')};
  expect(guardsOf(await compared(rules, items, {lists, state: owned(numbered(count), null, set)}))).toEqual(expected);
});

const rules = (names: readonly string[], severity = 'suspend') =>
  `admin_domain_blocks: {must: [${names.map((domain) => `{domain: ${domain}, severity: ${severity}}`).join(', ')}]}`;
const addition = (count: number, why: string): Guard => ({why, flag: 'allow-additions', count});

test.each<[string, string, Items, Guard?]>([
  ['30 silences', rules(numbered(30), 'silence'), {}],
  ['25', rules(numbered(25)), {}],
  ['26', rules(numbered(26)), {}, addition(26, 'it suspends 26 domains (limit 25)')],
  [
    '25 and a silence that is raised',
    rules(numbered(26)),
    {admin_domain_blocks: blocks(1, 'silence')},
    addition(26, 'it suspends 26 domains (limit 25)'),
  ],
  ['26 of which one is there', rules(numbered(26)), {admin_domain_blocks: blocks(1, 'suspend')}],
  ['a top-level domain', rules(['cf']), {}, addition(1, 'it suspends 1 domain, with the whole of cf')],
  ['two top-level domains and 3', rules(['cf', 'tk', ...numbered(3)]), {}, addition(5, 'it suspends 5 domains, with the whole of cf, tk')],
  ['a top-level domain that is silenced', rules(['cf'], 'silence'), {}],
  ['the blocks of one account', `domain_blocks: {must: [${numbered(30).join(', ')}]}`, {}],
])('suspensions for everybody %s need to be allowed, or not', async (_, text, items, guard) => {
  expect(guardsOf(await compared(text, items))).toEqual(guard === undefined ? [] : [guard]);
});

const [seven, thirty] = [removal(7, 'it removes 7 items'), addition(30, 'it suspends 30 domains')];

test('what apply needs is told, and flags that allow several plans allow the largest', () => {
  expect(guardText(seven)).toBe('it removes 7 items: apply needs --allow-removals 7');
  expect(flagsToAllow([removal(3, ''), seven, removal(5, ''), thirty])).toEqual({'allow-removals': 7, 'allow-additions': 30});
});

test.each<[readonly Guard[], Parameters<typeof refuseGuarded>[1], string | undefined]>([
  [[seven, thirty], {}, 'it removes 7 items'],
  [[seven], {'allow-removals': 6}, 'it removes 7 items'],
  [[seven, thirty], {'allow-removals': 7}, 'it suspends 30 domains'],
  [[seven, thirty], {'allow-removals': 7, 'allow-additions': 30}, undefined],
  [[], {}, undefined],
])('a plan with the guards %j is refused with %j allowed: %s', (given, allowed, why) => {
  if (why === undefined) refuseGuarded(given, allowed);
  else expect(() => refuseGuarded(given, allowed)).toThrow(`The plan was not applied: ${why}`);
});
