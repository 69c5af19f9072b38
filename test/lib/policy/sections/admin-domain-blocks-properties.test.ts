import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {exportPolicy} from '../../../../src/lib/policy/export.js';
import {circumstances} from '../model-server.js';
import {apply, type Desk, nobody, planOf, seen, server, stateOf, undo} from './server-blocks.js';

const names = ['a.example', 'x.a.example', 'y.x.a.example', 'b.example', 'x.b.example', 'c.example'];
const comment = fc.option(fc.constantFrom('one', 'two, three', 'spam: "quoted"'), {nil: undefined});
const flag = fc.constantFrom(true, undefined);
const said = {public_comment: comment, private_comment: comment, reject_media: flag, reject_reports: flag, obfuscate: flag};
const row = fc.record({severity: fc.constantFrom('noop', 'silence', 'suspend'), ...said}).map(({severity, ...rest}) => {
  // Mastodon refuses a block below an entry that does nothing but has flags, which nobody makes.
  const {reject_media, reject_reports} = severity === 'noop' ? {reject_media: undefined, reject_reports: undefined} : rest;
  return {severity, ...rest, reject_media, reject_reports};
});
const rowsOf = (domains: readonly string[]) => fc.dictionary(fc.constantFrom(...domains), row, {noNullPrototype: true});
const own = fc.record({domain: fc.constantFrom(...names), severity: fc.constantFrom('silence', 'suspend'), ...said});
const software = fc.constantFrom('mastodon', 'pixelfed');
const section = {
  must: fc.uniqueArray(own, {selector: ({domain}) => domain}),
  send_comments: fc.constantFrom('private', 'both', 'none'),
};
const policyOf = (rules: object) => JSON.stringify({version: 1, admin_domain_blocks: rules});
const rules = fc.record(section).map(policyOf);
const exclusiveRules = fc.record({...section, only: fc.constant(true)}).map(policyOf);
const dropped = JSON.stringify({version: 1, admin_domain_blocks: {}});
const rank = {noop: 0, silence: 1, suspend: 2};

const desksWith = (domains: readonly string[]) =>
  fc.record({software, rows: rowsOf(domains)}).map(({software: which, rows: all}): Desk => ({server: server(which, all), record: nobody}));
const desks = desksWith(names);
/** Mastodon does not make a block again below one that covers it. */
const flatDesks = desksWith(names.filter((name) => !names.some((other) => name.endsWith(`.${other}`))));

describe('what a whole server blocks, with any policy on any server', () => {
  test('a policy that is exported has no changes', () => {
    fc.assert(
      fc.property(desks, ({server: at}) => {
        const {json, leftOut} = exportPolicy(stateOf(at), circumstances.now);
        expect(leftOut).toEqual([]);
        expect(planOf(json, {server: at, record: nobody})).toMatchObject({changes: [], cannot: []});
      }),
    );
  });

  test('what is applied is in effect, and comes back when it is reverted', () => {
    fc.assert(
      fc.property(desks, rules, (desk, policy) => {
        const applied = apply(policy, desk);
        expect(planOf(policy, applied)).toMatchObject({changes: [], cannot: []});
        const reverted = undo(applied);
        expect(seen(reverted.server)).toEqual(seen(desk.server));
        expect(reverted.record.owned).toEqual([]);
      }),
    );
  });

  test('where nothing else may be blocked, that is in effect, and comes back when it is reverted', () => {
    fc.assert(
      fc.property(flatDesks, exclusiveRules, (desk, policy) => {
        const applied = apply(policy, desk);
        expect(planOf(policy, applied)).toMatchObject({changes: [], cannot: []});
        expect(seen(undo(applied).server)).toEqual(seen(desk.server));
      }),
    );
  });

  test('applies one after the other never weaken a block that they did not make, and leave nothing when the policy is dropped', () => {
    fc.assert(
      fc.property(desks, fc.array(rules, {minLength: 1, maxLength: 4}), (desk, policies) => {
        let at = desk;
        for (const policy of policies) {
          at = apply(policy, at);
          for (const [domain, {severity}] of desk.server.rows)
            expect(rank[at.server.rows.get(domain)?.severity ?? 'noop']).toBeGreaterThanOrEqual(rank[severity]);
        }
        const left = apply(dropped, at);
        expect(seen(left.server)).toEqual(seen(desk.server));
        expect(left.record.owned).toEqual([]);
      }),
    );
  });

  test('an apply that is killed, with its last answer lost or not, is done by the next one, and reverted as one', () => {
    fc.assert(
      fc.property(desks, rules, rules, fc.nat({max: 5}), fc.boolean(), (desk, first, second, after, isLost) => {
        const before = apply(first, desk);
        const whole = apply(second, before);
        const again = apply(second, apply(second, before, {}, {after, isLost}));
        expect(seen(again.server)).toEqual(seen(whole.server));
        expect(again.record.owned).toEqual(whole.record.owned);
        if (planOf(second, before).changes.length > 0) expect(seen(undo(again).server)).toEqual(seen(before.server));
      }),
    );
  });

  test('what a person blocks while an apply is interrupted is not weakened, and is as they left it when the policy is dropped', () => {
    const byHand = fc.dictionary(
      fc.constantFrom(...names),
      fc.record({severity: fc.constantFrom('silence', 'suspend'), private_comment: comment}),
      {
        noNullPrototype: true,
      },
    );
    fc.assert(
      fc.property(desks, rules, byHand, fc.nat({max: 5}), (desk, policy, hand, after) => {
        const {server: at, record} = apply(policy, desk, {}, {after, isLost: false});
        // What the apply was about to send when it was killed cannot be told apart.
        const sent = planOf(policy, desk).changes.slice(0, after + 1);
        const isTheirs = ([domain]: readonly [string, unknown]) => !at.rows.has(domain) && !sent.some(({subject}) => subject === domain);
        const rows = server(at.software, Object.fromEntries(Object.entries(hand).filter(isTheirs))).rows;
        const theirs = [...rows].map(([domain, row]) => [domain, {...row, id: `hand-${domain}`}] as const);
        const left = apply(dropped, apply(policy, {server: {...at, rows: new Map([...at.rows, ...theirs])}, record}));
        const expected = {...desk.server, rows: new Map([...desk.server.rows, ...theirs])};
        expect(seen(left.server)).toEqual(seen(expected));
      }),
    );
  });
});
