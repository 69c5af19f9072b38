/** Which blocks are held back, by which rule, and in which words. */
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {followedRuleOf, Protection, refuseFollowed, uncheckedProtection} from '../../../../src/lib/policy/lists/protection.js';
import type {Skipped} from '../../../../src/lib/policy/model/difference.js';

const of = {key: 'domain_blocks', kind: 'domain_block'} as const;
const at = (line: number, file = 'p.yml') => ({file, line});
const way = '; to block it anyway, run `pixelctl domain-blocks add DOMAIN`';

const followedBy = (counts: Readonly<Record<string, number>>) => ({value: {counts: new Map(Object.entries(counts)), readAt: new Date(0)}});
const unread = {failure: new Failure('unavailable', 'no answer')};

describe('a domain of must_not', () => {
  const protection = new Protection({of}, new Map([['b.deep.example', {location: at(3, 'b.csv')}]]));

  test.each(['deep.example', 'example'])('is covered by a block of %s', (domain) => {
    const heldBy = {rule: 'domain_blocks.must_not', source: at(3, 'b.csv')};
    expect(protection.covering(domain)).toEqual({why: 'b.deep.example is below it, which must_not names', heldBy});
  });

  test.each(['b.deep.example', 'c.deep.example', 'other'])('is not covered by a block of %s', (domain) => {
    expect(protection.covering(domain)).toBeUndefined();
  });

  test('is no server where accounts are followed', () => {
    expect(protection.heldBack('b.deep.example', {followed: followedBy({'b.deep.example': 9})})).toBeUndefined();
    expect(protection.unknown({})).toBeUndefined();
  });
});

describe('a server where accounts are followed', () => {
  const protection = new Protection(
    {of: {key: 'admin_domain_blocks', kind: 'admin_domain_block'}, protectFollowed: {value: 2, location: at(7)}},
    new Map(),
  );
  const heldBy = {rule: 'admin_domain_blocks.protect_followed', source: at(7)};

  test('is protected from as many as the policy says', () => {
    const followed = followedBy({'one.example': 1, 'two.example': 2});
    expect(protection.heldBack('two.example', {followed})).toEqual({
      why: `2 accounts there follow this account or are followed by it${way}`,
      heldBy,
    });
    for (const domain of ['one.example', 'none.example']) expect(protection.heldBack(domain, {followed})).toBeUndefined();
    const one = new Protection({of, protectFollowed: {value: 1, location: at(7)}}, new Map());
    expect(one.heldBack('one.example', {followed})?.why).toBe(`1 account there follows this account or is followed by it${way}`);
    expect(protection.unknown({followed})).toBeUndefined();
  });

  test.each([
    [undefined, 'followed accounts were not read'],
    [unread, 'no answer'],
  ])('holds back every block where nobody knows who is followed: %j', (followed, why) => {
    const said = `protect_followed (p.yml:7) cannot be checked: ${why}`;
    expect(protection.heldBack('a.example', {followed})).toEqual({why: said, heldBy: {...heldBy, how: 'unknown'}});
    expect(protection.unknown({followed})).toBe(said);
  });

  const skipped = (domain: string, rule: string, how?: 'kept' | 'unknown'): Skipped => ({
    kind: 'admin_domain_block',
    subject: domain,
    why: '',
    heldBy: {rule, source: at(7), how},
  });

  test.each([
    [1, '1 domain'],
    [2, '2 domains'],
  ])('leaves a difference where %i of the domains could not be compared', (count, domains) => {
    const all = [
      ...Array.from({length: count}, (_, index) => skipped(`${index}.example`, heldBy.rule, 'unknown')),
      skipped('kept.example', heldBy.rule, 'kept'),
      skipped('other.example', 'domain_blocks.protect_followed', 'unknown'),
    ];
    expect(uncheckedProtection(protection, {}, all)).toEqual([
      {
        rule: heldBy.rule,
        kind: 'unchecked',
        subject: 'protect_followed',
        wanted: `2, checked for ${domains}`,
        actual: 'protect_followed (p.yml:7) cannot be checked: followed accounts were not read',
        source: at(7),
        fix: 'run it again when the server responds',
      },
    ]);
  });

  test('leaves no difference where it is known, where no rule asks, or where nothing was left out', () => {
    const all = [skipped('a.example', heldBy.rule, 'unknown')];
    expect(uncheckedProtection(protection, {followed: followedBy({})}, all)).toEqual([]);
    expect(uncheckedProtection(protection, {}, [])).toEqual([]);
    expect(uncheckedProtection(new Protection({of}, new Map()), {}, all)).toEqual([]);
  });

  test('is kept in a plan file', () => {
    expect(followedRuleOf(protection)).toEqual({fewest: 2, file: 'p.yml', line: 7});
    expect(followedRuleOf(new Protection({of}, new Map()))).toBeUndefined();
  });

  const rule = {fewest: 2, file: 'p.yml', line: 7};
  const refused = (domains: readonly string[], counts: Readonly<Record<string, number>>) =>
    refuseFollowed(rule, domains, {followed: followedBy(counts), hint: 'make a new plan'});

  test('refuses a plan that blocks it by now', () => {
    const failure = (more: string) =>
      expect.objectContaining({
        code: 'refused',
        message: `a.example is protected by now (p.yml:7): 3 accounts there follow this account or are followed by it${more}: nothing was sent`,
        details: expect.objectContaining({hint: 'make a new plan'}),
      });
    expect(() => refused(['b.example', 'a.example'], {'a.example': 3})).toThrow(failure(''));
    expect(() => refused(['a.example', 'b.example', 'c.example'], {'a.example': 3, 'b.example': 2, 'c.example': 2})).toThrow(
      failure(', and 2 more'),
    );
    expect(refused(['a.example'], {'a.example': 1})).toBeUndefined();
  });

  test('lets a plan be carried out where nobody knows, and says why', () => {
    const said = refuseFollowed(rule, ['a.example'], {followed: unread, hint: ''});
    expect(said).toBe('protect_followed (p.yml:7) cannot be checked: no answer');
  });
});
