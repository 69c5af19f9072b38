/** Sequences of applies, undos, kills, lost answers and hands, on an account and on a server: what is owned, what is sent, and what an undo sets back. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {isChange} from '../../../src/lib/policy/rows/compare.js';
import {checkExpected} from '../../../src/lib/policy/rows/digest.js';
import {domainBlocks} from '../../../src/lib/policy/sections/domain-blocks.js';
import {filters} from '../../../src/lib/policy/sections/filter-section.js';
import {serverBlocks} from '../../../src/lib/policy/sections/server-blocks.js';
import {mutes} from '../../../src/lib/policy/sections/names.js';
import {keyOf} from '../../../src/lib/policy/sections/policy-kind.js';
import {type Fate, World} from './world.js';

const domains = ['a.example', 'b.example', 'c.example'];
const people = ['ben@far.example', 'eve@far.example'];
const titles = ['Ads', 'Spoilers'];

/** A policy over few names, so that sequences meet. */
interface Rules {
  readonly domains: readonly string[];
  readonly never: readonly string[];
  readonly people: readonly string[];
  readonly titles: readonly string[];
  readonly action: string;
  readonly only: boolean;
}

const rules = fc.record({
  domains: fc.subarray(domains),
  never: fc.subarray(domains),
  people: fc.subarray(people),
  titles: fc.subarray(titles),
  action: fc.constantFrom('hide', 'warn'),
  only: fc.boolean(),
});

const textOf = ({domains: must, never, people: muted, titles: wanted, action, only}: Rules): string => `version: 1
domain_blocks: {must: [${must.join(', ')}], must_not: [${never.filter((one) => !must.includes(one)).join(', ')}]${only ? ', only: true' : ''}}
mutes: {must: [${muted.map((one) => `'@${one}'`).join(', ')}]}
filters: {must: [${wanted.map((title) => `{title: ${title}, context: [home], action: ${action}, keywords: [${title.toLowerCase()}]}`).join(', ')}]}
`;

const fate = fc.constantFrom<Fate>('cut', 'done', 'done', 'lost', 'refused', 'stopped', 'swallowed');
const fates = fc.array(fate, {maxLength: 6});
/** A run that is killed has not ended; one whose answers are lost has. */
const kills = fc.array(fc.constantFrom<Fate>('cut', 'done', 'done', 'stopped'), {maxLength: 6});

/** What somebody does between two runs. */
const hand = fc.oneof(
  fc.record({kind: fc.constant(domainBlocks), name: fc.constantFrom(...domains), value: fc.constantFrom(true as const, null)}),
  fc.record({kind: fc.constant(mutes), name: fc.constantFrom(...people), value: fc.constantFrom(true as const, null)}),
);

const runs = {numRuns: 300};

/** What a policy says is there in the end, and what it forbids is not. */
function expectDone(world: World, {domains: must, never, people: muted, titles: wanted, only}: Rules): void {
  const there = (kind: Parameters<World['itemsOf']>[0]) => [...world.itemsOf(kind).keys()];
  expect(there(domainBlocks)).toEqual(expect.arrayContaining([...must]));
  for (const name of never) if (!must.includes(name)) expect(there(domainBlocks)).not.toContain(name);
  if (only) expect(there(domainBlocks).toSorted()).toEqual([...must].toSorted());
  expect(there(mutes)).toEqual(expect.arrayContaining([...muted]));
  expect(there(filters)).toEqual(expect.arrayContaining([...wanted]));
}

const hosts = ['a.example', 'sub.a.example', 'b.example', 'c.example'];
const severity = fc.constantFrom('silence', 'suspend');

/** A policy on the blocks of a server, which several admins change. */
interface ServerRules {
  readonly must: Readonly<Record<string, string>>;
  readonly never: readonly string[];
  readonly only: boolean;
}

const serverRules: fc.Arbitrary<ServerRules> = fc.record({
  must: fc.dictionary(fc.constantFrom(...hosts), severity),
  never: fc.subarray(hosts),
  only: fc.boolean(),
});

const serverTextOf = ({must, never, only}: ServerRules): string => `version: 1
admin_domain_blocks:
  must: [${Object.entries(must)
    .toSorted()
    .map(([domain, one]) => `{domain: ${domain}, severity: ${one}, private_comment: ours}`)
    .join(', ')}]
  must_not: [${never.filter((one) => !(one in must)).join(', ')}]
  only: ${only}
`;

const block = fc.record({severity: fc.constantFrom('silence' as const, 'suspend' as const), private_comment: fc.constant('theirs')});

/** A policy, and what is there after it was applied. */
interface Asked {
  readonly text: string;
  readonly expectDone: (world: World) => Promise<void> | void;
}

const ofAccount = {
  owner: 'account' as const,
  asked: rules.map((one): Asked => ({text: textOf(one), expectDone: (world) => expectDone(world, one)})),
  hands: fc.array(hand, {maxLength: 2}),
};

const ofServer = {
  owner: 'server' as const,
  asked: serverRules.map((one): Asked => {
    const text = serverTextOf(one);
    return {text, expectDone: async (world) => expect((await world.rows(text)).filter(isChange)).toEqual([])};
  }),
  /** What another admin does. */
  hands: fc.array(fc.record({kind: fc.constant(serverBlocks), name: fc.constantFrom(...hosts), value: fc.option(block, {nil: null})}), {
    maxLength: 3,
  }),
};

describe.each([ofAccount, ofServer])('on $owner', ({owner, asked, hands: someHands}) => {
  function worldAfter(hands: readonly {kind: Parameters<World['set']>[0]; name: string; value: Parameters<World['set']>[2]}[]): World {
    const world = new World(owner);
    for (const {kind, name, value} of hands) world.set(kind, name, value);
    return world;
  }

  test('whatever was killed, lost or done by others before, an apply ends as the policy says, and a second one sends nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(asked, fates, someHands), {maxLength: 4}), asked, async (before, last) => {
        const world = new World(owner);
        for (const [one, how, hands] of before) {
          await world.apply(one.text, how);
          for (const {kind, name, value} of hands) world.set(kind, name, value);
        }
        await world.apply(last.text);
        // Doubts end with the run that looks: what it held, the next one knows.
        await world.apply(last.text);
        await last.expectDone(world);
        const sent = world.writes.length;
        await world.apply(last.text);
        expect(world.writes).toHaveLength(sent);
      }),
      runs,
    );
  });

  test('a run that goes on after kills and lost answers carries out each write once', async () => {
    await fc.assert(
      fc.asyncProperty(asked, someHands, fc.array(fates, {minLength: 1, maxLength: 5}), async (one, hands, all) => {
        const world = worldAfter(hands);
        for (const how of all) await world.apply(one.text, how);
        await world.apply(one.text);
        expect(new Set(world.writes).size).toBe(world.writes.length);
        await one.expectDone(world);
      }),
      runs,
    );
  });

  test('an undo sets back all that the last apply changed, with what was broken off before it, and another one changes nothing', async () => {
    const killed = fc.array(kills, {maxLength: 4});
    await fc.assert(
      fc.asyncProperty(asked, asked, someHands, killed, fc.array(fates, {maxLength: 2}), async (first, second, hands, all, undos) => {
        const world = worldAfter(hands);
        await world.apply(first.text);
        const before = world.seen;
        const sent = world.writes.length;
        for (const how of all) await world.apply(second.text, how);
        await world.apply(second.text);
        const isSame = world.writes.length === sent;
        for (const how of undos) await world.undo(how);
        await world.undo();
        // Where the second one changed nothing, the first one is the last.
        if (!isSame) expect(world.seen).toEqual(before);
        const after = world.writes.length;
        await world.undo();
        expect(world.writes).toHaveLength(after);
      }),
      runs,
    );
  });
});

test('what somebody blocked is never removed, unless the policy itself forbids it or allows nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(domains, {minLength: 1}), fc.array(fc.tuple(rules, fates), {maxLength: 5}), async (own, all) => {
      const world = new World();
      for (const name of own) world.set(domainBlocks, name, true);
      const forbidden = new Set<string>();
      for (const [one, how] of all) {
        await world.apply(textOf(one), how);
        for (const name of own) if (!one.domains.includes(name) && (one.only || one.never.includes(name))) forbidden.add(name);
      }
      for (const name of own) if (!forbidden.has(name)) expect(world.itemsOf(domainBlocks).has(name)).toBe(true);
    }),
    runs,
  );
});

test('an apply that expects a plan carries out that plan and no other, also after kills', async () => {
  await fc.assert(
    fc.asyncProperty(rules, fc.array(fates, {maxLength: 4}), fc.array(hand, {maxLength: 2}), async (one, broken, hands) => {
      const world = new World();
      const text = textOf(one);
      const approved = (await world.rows(text))
        .filter(({action}) => action !== 'held')
        .map(({action, kind, name}) => `${action} ${keyOf(kind, name)}`);
      const digest = await world.digest(text);
      for (const how of broken) {
        checkExpected(digest, [await world.compared(text)], '');
        await world.apply(text, how, digest);
      }
      for (const {kind, name, value} of hands) world.set(kind, name, value);
      let isRefused = false;
      try {
        checkExpected(digest, [await world.compared(text)], '');
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        isRefused = true;
      }
      if (!isRefused) await world.apply(text, [], digest);
      else expect(hands.length).toBeGreaterThan(0);
      for (const write of world.writes) expect(approved).toContain(write);
      // What somebody takes back is the same plan again.
      if (hands.length === 0) expect(new Set(world.writes).size).toBe(world.writes.length);
    }),
    runs,
  );
});

test('what another admin lifted and made again stays, and so does what they blocked', async () => {
  const another = fc.record({name: fc.constantFrom(...hosts), value: block});
  await fc.assert(
    fc.asyncProperty(
      serverRules,
      fc.array(another, {minLength: 1, maxLength: 3}),
      fc.array(fc.tuple(serverRules, fates), {maxLength: 4}),
      async (first, others, all) => {
        const world = new World('server');
        await world.apply(serverTextOf(first));
        for (const {name, value} of others) {
          world.set(serverBlocks, name, null);
          world.set(serverBlocks, name, value);
        }
        const forbidden = new Set<string>();
        for (const [one, how] of all) {
          await world.apply(serverTextOf(one), how);
          for (const {name} of others) if (!(name in one.must) && (one.only || one.never.includes(name))) forbidden.add(name);
        }
        for (const {name} of others) if (!forbidden.has(name)) expect([name, world.itemsOf(serverBlocks).has(name)]).toEqual([name, true]);
      },
    ),
    runs,
  );
});
