/** Protected domains: which blocks are held back, by which rule, and what is not known. */
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {
  followedRuleOf,
  Protection,
  refuseFollowed,
  uncheckedProtection,
  type Exceptions,
} from '../../../../src/lib/policy/lists/protection.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';

const of = {key: 'domain_blocks', kind: 'domain_block'} as const;
const at = (line: number) => ({file: 'p.yml', line});
const protecting = (...domains: readonly string[]) => domains.map((value, index) => ({value, location: at(index + 1)}));
const protectFollowed = (value: number) => ({value, location: at(9)});
const way = 'to block it anyway, pass --block-protected DOMAIN';

const followed = (counts: Readonly<Record<string, number>>): Exceptions => ({
  followed: {value: {counts: new Map(Object.entries(counts)), readAt: new Date(0)}},
});
const unread: Exceptions = {followed: {failure: new Failure('unavailable', 'The server is down')}};

describe('named domains', () => {
  const protection = new Protection({of, protect: protecting('good.example', 'a.deep.example')});

  test.each([
    ['good.example', `it is protected; ${way}`, 1],
    ['sub.good.example', `it is below good.example, which is protected; ${way}`, 1],
    ['a.b.good.example', `it is below good.example, which is protected; ${way}`, 1],
    ['deep.example', `a.deep.example is below it, and is protected; ${way}`, 2],
    ['example', /is below it, and is protected/, undefined],
    ['notgood.example', undefined, undefined],
  ])('hold back the block of %s: %s', (domain, why, line) => {
    const held = protection.heldBack(domain, {});
    if (why === undefined) expect(held).toBeUndefined();
    else expect(held?.why).toMatch(why);
    if (line !== undefined) expect(held?.heldBy).toEqual({rule: 'domain_blocks.protect', source: at(line)});
  });

  test('do not hold back what is allowed all the same', () => {
    expect(protection.heldBack('good.example', {allowed: new Set(['good.example'])})).toBeUndefined();
    expect(protection.heldBack('sub.good.example', {allowed: new Set(['good.example'])})).toBeDefined();
  });

  test('are those of lists, too, and the policy’s own line counts first', () => {
    const list = readList('one.example\ngood.example\n', 'l.txt');
    if (list.kind !== 'domains') throw new Error('Not a list of domains');
    const reference = {
      location: at(5),
      from: {file: 'l.txt'},
      minSeverity: 'silence' as const,
      maxMistakes: 0,
      takesWildcards: false,
      mayBeEmpty: false,
    };
    const both = new Protection({of, protect: protecting('good.example')}, [{reference, list}]);
    expect(both.heldBack('one.example', {})?.heldBy.source).toMatchObject({file: 'l.txt', line: 1});
    expect(both.heldBack('good.example', {})?.heldBy.source).toEqual(at(1));
  });

  test('are none where a policy names none', () => {
    expect(new Protection({of}).heldBack('good.example', {})).toBeUndefined();
    expect(new Protection({of}).unknown({})).toBeUndefined();
  });
});

describe('servers of those who are followed', () => {
  const protection = new Protection({of, protectFollowed: protectFollowed(2)});

  test.each([
    [0, undefined],
    [1, undefined],
    [2, `2 accounts there follow this one or are followed by it; ${way}`],
    [3, `3 accounts there follow this one or are followed by it; ${way}`],
  ])('are protected with %i accounts or not', (count, why) => {
    const held = protection.heldBack('good.example', followed({'good.example': count}));
    expect(held?.why).toBe(why);
    if (why !== undefined) expect(held?.heldBy).toEqual({rule: 'domain_blocks.protect_followed', source: at(9)});
    expect(protection.unknown(followed({}))).toBeUndefined();
  });

  test('are protected from one account on, which is told as one', () => {
    const one = new Protection({of, protectFollowed: protectFollowed(1)});
    expect(one.heldBack('good.example', followed({'good.example': 1}))?.why).toBe(
      `1 account there follows this one or is followed by it; ${way}`,
    );
  });

  test.each<[string, Exceptions, string]>([
    ['were not read', {}, 'it was not read who is followed'],
    ['cannot be read', unread, 'The server is down'],
  ])('hold back everything where they %s', (_, exceptions, why) => {
    expect(protection.unknown(exceptions)).toBe(`protect_followed (p.yml:9) cannot be checked: ${why}`);
    expect(protection.heldBack('any.example', exceptions)).toEqual({
      why: `protect_followed (p.yml:9) cannot be checked: ${why}; ${way}`,
      heldBy: {rule: 'domain_blocks.protect_followed', source: at(9), how: 'unknown'},
    });
    expect(protection.heldBack('any.example', {...exceptions, allowed: new Set(['any.example'])})).toBeUndefined();
  });

  const skipped = (...domains: readonly string[]) =>
    domains.map((subject) => ({
      rule: 'domain_blocks.must',
      kind: 'domain_block' as const,
      subject,
      why: 'x',
      source: at(1),
      heldBy: {rule: 'domain_blocks.protect_followed', source: at(9), how: 'unknown' as const},
    }));

  test.each([
    [1, '2, checked for 1 domain'],
    [2, '2, checked for 2 domains'],
  ])('that are not known leave one difference for %i domains', (count, text) => {
    const found = uncheckedProtection(protection, unread, skipped(...['a.example', 'b.example'].slice(0, count)));
    expect(found).toEqual([
      {
        rule: 'domain_blocks.protect_followed',
        kind: 'unchecked',
        subject: 'protect_followed',
        wanted: text,
        actual: 'protect_followed (p.yml:9) cannot be checked: The server is down',
        source: at(9),
        fix: `run it again when the server answers; ${way}`,
      },
    ]);
  });

  test('that are known leave no difference', () => {
    expect(uncheckedProtection(protection, followed({}), skipped('a.example'))).toEqual([]);
    expect(uncheckedProtection(protection, unread, [])).toEqual([]);
    expect(uncheckedProtection(new Protection({of}), unread, skipped('a.example'))).toEqual([]);
    const other = skipped('a.example').map((one) => ({...one, heldBy: {...one.heldBy, rule: 'domain_blocks.protect'}}));
    expect(uncheckedProtection(protection, unread, other)).toEqual([]);
  });

  test('are checked again when a plan file is applied', () => {
    const rule = followedRuleOf(protection, {allowed: new Set(['free.example'])});
    expect(rule).toEqual({fewest: 2, file: 'p.yml', line: 9, except: ['free.example']});
    expect(followedRuleOf(protection, {})?.except).toEqual([]);
    expect(followedRuleOf(new Protection({of}), {})).toBeUndefined();
    if (rule === undefined) return;
    const now = (counts: Readonly<Record<string, number>>, ...domains: readonly string[]) =>
      refuseFollowed(rule, domains, {...followed(counts), followed: followed(counts).followed, hint: 'plan again'});
    expect(now({'a.example': 1, 'free.example': 5}, 'a.example', 'free.example')).toBeUndefined();
    expect(refuseFollowed(rule, ['a.example'], {...unread, followed: unread.followed, hint: 'plan again'})).toMatch(/The server is down$/);
    expect(() => now({'a.example': 2}, 'x.example', 'a.example')).toThrow(
      expect.objectContaining({
        code: 'refused',
        message: 'a.example is protected by now (p.yml:9): 2 accounts there follow this one or are followed by it: nothing was sent',
        details: {hint: 'plan again'},
      }),
    );
    expect(() => now({'a.example': 2, 'b.example': 2}, 'a.example', 'b.example')).toThrow(/followed by it, and 1 more: nothing was sent$/);
  });
});
