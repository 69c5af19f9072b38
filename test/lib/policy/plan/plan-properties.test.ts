import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import {exportPolicy} from '../../../../src/lib/policy/export.js';
import {makePlan, type Plan} from '../../../../src/lib/policy/plan/plan.js';
import {accountsOf, carriedOut, circumstances, type Model, now, seen, stateOf} from '../model-server.js';
import {modelAndPolicy} from '../random-policy.js';
import {planFor, wantedBy} from '../wanted.js';

/** A change in a few words: `add domain_block a.example`. */
function inWords({action, kind, subject}: Change): string {
  return `${action} ${kind} ${subject}`;
}

function applied(model: Model, {changes}: Pick<Plan, 'changes'>): Model {
  return changes.reduce(carriedOut, model);
}

test('a policy has nothing to plan after an apply', () => {
  fc.assert(
    fc.property(modelAndPolicy, ({model, policy}) => {
      const plan = planFor(policy, model);
      const after = applied(model, plan);
      const again = planFor(policy, after);
      expect(again.changes.map(inWords)).toEqual([]);
      expect(seen(applied(after, again))).toEqual(seen(after));
      const left = compare(wantedBy(policy), stateOf(after), circumstances).differences;
      expect(left).toEqual(again.cannot);
    }),
    {numRuns: 300},
  );
});

test('removes nothing that the policy does not ask for', () => {
  fc.assert(
    fc.property(modelAndPolicy, ({model, policy}) => {
      const plan = planFor(
        policy
          .replaceAll('"only":true', '"only":false')
          .replaceAll('"must_not"', '"must_not_"')
          .replaceAll(/"must_not_":\[[^\]]*\],?/g, ''),
        model,
      );
      expect(plan.changes.filter(({action}) => action === 'remove')).toEqual([]);
    }),
  );
});

test('exports a policy without differences, the same every time', () => {
  fc.assert(
    fc.property(modelAndPolicy, ({model}) => {
      const state = stateOf(model, {blocks: accountsOf('troll@a.example', 'zoe'), mutes: accountsOf()});
      const {text, leftOut} = exportPolicy(state, now);
      expect(leftOut).toEqual([]);
      expect(compare(wantedBy(text), state, circumstances)).toMatchObject({differences: [], skipped: []});
      expect(makePlan(wantedBy(text), state, [], circumstances).changes).toEqual([]);
      const shuffled = {...model, domains: model.domains.toReversed(), filters: model.filters.toReversed()};
      expect(exportPolicy(stateOf(shuffled, {blocks: accountsOf('zoe', 'troll@a.example'), mutes: accountsOf()}), now).text).toBe(text);
    }),
  );
});

test('makes the same plan whatever the order of rules', () => {
  fc.assert(
    fc.property(modelAndPolicy, ({model, policy}) => {
      const reversed = JSON.stringify(JSON.parse(policy), (_, value: unknown) => (Array.isArray(value) ? value.toReversed() : value));
      const told = ({changes}: Plan) => changes.map(({because: _, ...rest}) => rest);
      expect(told(planFor(reversed, model))).toEqual(told(planFor(policy, model)));
    }),
  );
});
