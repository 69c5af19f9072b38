/** Last days of entries, whichever they are: an entry counts as written until then, and afterwards as if it were not there. */
import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Change} from '../../../src/lib/policy/model/change.js';
import {makePlan} from '../../../src/lib/policy/plan/plan.js';
import {readPolicy} from '../../../src/lib/policy/reading/policy-file.js';
import {mergeLists} from '../../../src/lib/policy/lists/merge.js';
import {domainRulesIn, sections} from '../../../src/lib/policy/sections/index.js';
import type {Wanted} from '../../../src/lib/policy/lists/wanted.js';
import type {State} from '../../../src/lib/policy/model/server-state.js';
import {aFilter, circumstances, emptyModel, stateOf} from './model-server.js';
import {owned as ownedItems} from './owned-items.js';
import {server, stateOf as stateOfServer} from './sections/server-blocks.js';

interface Row {
  /** Entries of `must`. */
  readonly entries: readonly Readonly<Record<string, unknown>>[];
  /** As `must_not` names them. */
  readonly names: readonly string[];
  /** A server that has those with these indexes. */
  readonly stateWith: (indexes: readonly number[]) => State;
  readonly ownedOf: (indexes: readonly number[]) => Parameters<typeof makePlan>[2];
}

const domains = ['a.example', 'b.example', 'sub.a.example'];
const accounts = ['bob', 'troll@a.example', 'zoe@b.example'];
const titles = ['One', 'Two', 'Three'];

const some = (names: readonly string[], indexes: readonly number[]) => indexes.flatMap((index) => names[index] ?? []);

const ofAccounts = (key: 'blocks' | 'mutes'): Row => ({
  entries: accounts.map((account) => ({account: `@${account}`})),
  names: accounts.map((account) => `@${account}`),
  stateWith: (indexes) => stateOf({...emptyModel, [key]: some(accounts, indexes)}),
  ownedOf: (indexes) => ownedItems({[key]: some(accounts, indexes)}),
});

const rows: Readonly<Record<string, Row>> = {
  domain_blocks: {
    entries: domains.map((domain) => ({domain, public_comment: 'Spam'})),
    names: domains,
    stateWith: (indexes) => stateOf({...emptyModel, domains: some(domains, indexes)}),
    ownedOf: (indexes) => ownedItems({domains: some(domains, indexes)}),
  },
  admin_domain_blocks: {
    entries: domains.map((domain) => ({domain, severity: 'silence'})),
    names: domains,
    stateWith: (indexes) =>
      stateOfServer(
        server(
          'mastodon',
          Object.fromEntries(some(domains, indexes).map((domain, at) => [domain, {severity: at === 0 ? 'suspend' : 'silence'}])),
        ),
      ),
    ownedOf: (indexes) => some(domains, indexes).map((subject) => ({kind: 'admin_domain_block', subject})),
  },
  blocks: ofAccounts('blocks'),
  mutes: ofAccounts('mutes'),
  filters: {
    entries: titles.map((title) => ({title, context: ['home'], keywords: [title]})),
    names: titles,
    stateWith: (indexes) =>
      stateOf({
        ...emptyModel,
        filters: indexes.map((index) => aFilter(titles[index] ?? '', {id: `${index}`, keywords: ['other', titles[index] ?? '']})),
      }),
    ownedOf: (indexes) => ownedItems({filters: Object.fromEntries(indexes.map((index) => [index, titles[index] ?? '']))}),
  },
};

test('every section whose entries have a last day has a row', () => {
  const lasting = sections.filter(({holding}) => holding !== undefined).map(({key}) => key);
  expect(Object.keys(rows).toSorted()).toEqual(lasting.toSorted());
});

function wantedOn(now: Date, text: string): Wanted {
  const policy = readPolicy(text, 'p.yml', {now});
  return {policy, domains: new Map(domainRulesIn(policy).map((rules) => [rules.of.key, mergeLists(rules, [])]))};
}

/** A day, some days after another one. */
const dayAfter = (days: number) => new Date(Date.UTC(2026, 10, 20 + days)).toISOString().slice(0, 10);

/** What changes, without why: that names the day. */
const inWords = ({because: _, reason: _reason, until: _until, ...change}: Change) => change;

const indexes = fc.subarray([0, 1, 2]);

const given = fc.record({
  there: indexes,
  made: indexes,
  /** Days from the first to the last one; null: the entry has none. */
  untils: fc.array(fc.option(fc.integer({min: -3, max: 3})), {minLength: 3, maxLength: 3}),
  forbidden: indexes,
  only: fc.boolean(),
  hour: fc.integer({min: 0, max: 23}),
});

test.each(Object.keys(rows))(
  'an entry of %s is planned as without its last day until then, and as if it were not there afterwards',
  (key) => {
    const row = rows[key];
    if (row === undefined) throw new Error('There is a row');
    fc.assert(
      fc.property(given, ({there, made, untils, forbidden, only, hour}) => {
        const now = new Date(Date.UTC(2026, 10, 20, hour, 59, 59));
        const isOver = (index: number) => (untils[index] ?? 0) < 0;
        // What counts and is forbidden is a contradiction.
        const mustNot = forbidden.filter(isOver).map((index) => row.names[index]);
        const [state, own] = [row.stateWith(there), row.ownedOf(made.filter((index) => there.includes(index)))];
        const planned = (must: readonly object[]) => {
          const text = JSON.stringify({version: 1, [key]: {must, must_not: mustNot, only}});
          return makePlan(wantedOn(now, text), state, own, {...circumstances, now});
        };
        const plan = planned(
          row.entries.map((entry, index) => ({...entry, ...(untils[index] !== null && {until: dayAfter(untils[index] ?? 0)})})),
        );
        const plain = planned(row.entries.filter((_, index) => !isOver(index)));
        expect(plan.changes.map(inWords)).toEqual(plain.changes.map(inWords));
        expect(plan.guard.removals).toBeLessThanOrEqual(plain.guard.removals);
        for (const change of plan.changes) {
          const {until, reason} = change;
          expect(until === undefined || (until >= dayAfter(0) && reason === 'must')).toBe(true);
        }
      }),
      {numRuns: 200},
    );
  },
);
