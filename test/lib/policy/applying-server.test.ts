/** Sequences over the blocks of a server, which several admins change: what each may do, and what is left of it. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isChange} from '../../../src/lib/policy/rows/compare.js';
import {serverBlocks} from '../../../src/lib/policy/sections/server-blocks.js';
import {type Fate, World} from './world.js';

const kind = serverBlocks;
const domains = ['a.example', 'sub.a.example', 'b.example', 'c.example'];
const severity = fc.constantFrom('silence', 'suspend');

interface Rules {
  readonly must: Readonly<Record<string, string>>;
  readonly never: readonly string[];
  readonly only: boolean;
}

const rules: fc.Arbitrary<Rules> = fc.record({
  must: fc.dictionary(fc.constantFrom(...domains), severity),
  never: fc.subarray(domains),
  only: fc.boolean(),
});

const textOf = ({must, never, only}: Rules): string => `version: 1
admin_domain_blocks:
  must: [${Object.entries(must)
    .map(([domain, one]) => `{domain: ${domain}, severity: ${one}, private_comment: ours}`)
    .join(', ')}]
  must_not: [${never.filter((one) => !(one in must)).join(', ')}]
  only: ${only}
`;

const fates = fc.array(fc.constantFrom<Fate>('cut', 'done', 'done', 'lost', 'refused', 'stopped', 'swallowed'), {maxLength: 5});
const kills = fc.array(fc.constantFrom<Fate>('cut', 'done', 'done', 'stopped'), {maxLength: 5});
const block = fc.record({severity: fc.constantFrom('silence' as const, 'suspend' as const), private_comment: fc.constant('theirs')});
/** What another admin does. */
const hand = fc.record({name: fc.constantFrom(...domains), value: fc.option(block, {nil: null})});
const runs = {numRuns: 300};

test('whatever was killed, lost or done by others before, an apply leaves nothing to change, and a second one sends nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(rules, fates, fc.array(hand, {maxLength: 2})), {maxLength: 4}), rules, async (before, last) => {
      const world = new World('server');
      for (const [one, how, hands] of before) {
        await world.apply(textOf(one), how);
        for (const {name, value} of hands) world.set(kind, name, value);
      }
      await world.apply(textOf(last));
      await world.apply(textOf(last));
      expect((await world.rows(textOf(last))).filter(isChange)).toEqual([]);
      const sent = world.writes.length;
      await world.apply(textOf(last));
      expect(world.writes).toHaveLength(sent);
    }),
    runs,
  );
});

test('a run that goes on after kills and lost answers carries out each write once', async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.array(hand, {maxLength: 3}), fc.array(fates, {minLength: 1, maxLength: 5}), async (one, hands, all) => {
      const world = new World('server');
      for (const {name, value} of hands) world.set(kind, name, value);
      for (const how of all) await world.apply(textOf(one), how);
      await world.apply(textOf(one));
      expect(new Set(world.writes).size).toBe(world.writes.length);
    }),
    runs,
  );
});

test('an undo sets back all that the last apply changed, with what was broken off before it', async () => {
  await fc.assert(
    fc.asyncProperty(
      rules,
      rules,
      fc.array(hand, {maxLength: 3}),
      fc.array(kills, {maxLength: 3}),
      async (first, second, hands, killed) => {
        const world = new World('server');
        for (const {name, value} of hands) world.set(kind, name, value);
        await world.apply(textOf(first));
        const before = world.seen;
        const sent = world.writes.length;
        for (const how of killed) await world.apply(textOf(second), how);
        await world.apply(textOf(second));
        const isSame = world.writes.length === sent;
        await world.undo();
        if (!isSame) expect(world.seen).toEqual(before);
      },
    ),
    runs,
  );
});

test('what another admin lifted and made again stays, and so does what they blocked', async () => {
  const another = fc.record({name: fc.constantFrom(...domains), value: block});
  await fc.assert(
    fc.asyncProperty(
      rules,
      fc.array(another, {minLength: 1, maxLength: 3}),
      fc.array(fc.tuple(rules, fates), {maxLength: 4}),
      async (first, others, all) => {
        const world = new World('server');
        await world.apply(textOf(first));
        for (const {name, value} of others) {
          world.set(kind, name, null);
          world.set(kind, name, value);
        }
        const forbidden = new Set<string>();
        for (const [one, how] of all) {
          await world.apply(textOf(one), how);
          for (const {name} of others) if (!(name in one.must) && (one.only || one.never.includes(name))) forbidden.add(name);
        }
        for (const {name} of others) if (!forbidden.has(name)) expect([name, world.itemsOf(kind).has(name)]).toEqual([name, true]);
      },
    ),
    runs,
  );
});
