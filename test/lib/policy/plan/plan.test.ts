import {countsText, summaryText} from '../../../../src/lib/policy/plan/plan-text.js';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import type {Item} from '../../../../src/lib/policy/model/items.js';
import {limitsHit} from '../../../../src/lib/policy/plan/limits.js';
import {refuseGuarded} from '../../../../src/lib/policy/plan/guard.js';
import {makePlan, neededParts, type Plan, planDocument} from '../../../../src/lib/policy/plan/plan.js';
import {documentLines} from '../../../../src/lib/print/print.js';
import {readPolicy} from '../../../../src/lib/policy/reading/policy-file.js';
import {accountsOf, aFilter, carriedOut, circumstances, emptyModel, host, inDays, type Model, stateOf} from '../model-server.js';
import {owned} from '../owned-items.js';
import {planFor, wantedBy} from '../wanted.js';

/** A change in a few words: `add domain_block a.example`. */
function inWords({action, kind, subject}: Change): string {
  return `${action} ${kind} ${subject}`;
}

function applied(model: Model, {changes}: Pick<Plan, 'changes'>): Model {
  return changes.reduce(carriedOut, model);
}

test('adds domain blocks, and removes them only where the policy says so', () => {
  const model = {...emptyModel, domains: ['old.example', 'good.example']};
  const policy = (only: boolean) => `version: 1\ndomain_blocks: {must: [bad.example], must_not: [good.example], only: ${only}}`;
  expect(planFor(policy(false), model).changes).toEqual([
    {action: 'add', kind: 'domain_block', subject: 'bad.example', details: {}, reason: 'must', because: 'domain_blocks.must: p.yml:2'},
    {
      action: 'remove',
      kind: 'domain_block',
      subject: 'good.example',
      details: {},
      reason: 'forbidden',
      because: 'domain_blocks.must_not: p.yml:2',
    },
  ]);
  expect(planFor(policy(true), model).changes.map(inWords)).toEqual([
    'add domain_block bad.example',
    'remove domain_block good.example',
    'remove domain_block old.example',
  ]);
});

test('adds blocks and mutes, and removes them only where the policy says so', () => {
  const model = {...emptyModel, blocks: ['old', 'good@b.example'], mutes: ['zoe']};
  const policy = 'version: 1\nblocks: {must: [bad@b.example], must_not: [good@b.example], only: true}\nmutes: {must: [bo]}';
  expect(planFor(policy, model).changes).toEqual([
    {action: 'add', kind: 'block', subject: 'bad@b.example', details: {}, reason: 'must', because: 'blocks.must: p.yml:2'},
    {
      action: 'remove',
      kind: 'block',
      subject: 'good@b.example',
      details: {id: 'id:good@b.example'},
      reason: 'forbidden',
      because: 'blocks.must_not: p.yml:2',
    },
    {action: 'remove', kind: 'block', subject: 'old', details: {id: 'id:old@pix.example'}, reason: 'only', because: 'blocks.only: p.yml:2'},
    {action: 'add', kind: 'mute', subject: 'bo', details: {}, reason: 'must', because: 'mutes.must: p.yml:3'},
  ]);
});

test('orders additions by must, then by the number of lists, then by severity', () => {
  const lists = {
    'a.csv': '#domain,#severity\na.example,silence\nb.example,suspend\nc.example,silence\nz.example,suspend\n',
    'b.csv': '#domain,#severity\nc.example,silence\nz.example,suspend\n',
    'c.csv': '#domain,#severity\nd.example,suspend\n',
  };
  const wanted = wantedBy('version: 1\ndomain_blocks: {must: [y.example, x.example]}', lists);
  const {changes} = makePlan(wanted, stateOf(emptyModel), [], circumstances);
  expect(changes.map(({subject}) => subject)).toEqual([
    'x.example',
    'y.example',
    'z.example',
    'c.example',
    'b.example',
    'd.example',
    'a.example',
  ]);
});

test('names the additions beyond the limits of servers, never those in must', () => {
  const listed = Array.from({length: 120}, (_, index) => `a${String(index).padStart(3, '0')}.example`);
  const wanted = wantedBy('version: 1\ndomain_blocks: {must: [z.example]}', {'l.txt': listed.join('\n')});
  const state = stateOf({...emptyModel, domains: ['there.example']});
  const {changes} = makePlan(wanted, state, [], circumstances);
  const {beyond, limits} = limitsHit(changes, state, circumstances.now);
  expect(beyond).toEqual([{kind: 'domain_block', limit: 100, subjects: listed.slice(98)}]);
  expect(limits).toEqual([
    `122 domains would be blocked; most servers take 100, those of release 0.12.6 take 50. What does not fit in 100: ${listed.slice(98, 108).join(', ')} and 12 more`,
  ]);
});

test('puts removals first where a limit may be reached', () => {
  const domains = Array.from({length: 50}, (_, index) => `old${index}.example`);
  const policy = 'version: 1\ndomain_blocks: {must: [bad.example], must_not: [old7.example]}';
  expect(planFor(policy, {...emptyModel, domains}).changes.map(inWords)).toEqual([
    'remove domain_block old7.example',
    'add domain_block bad.example',
  ]);
});

test('removes what an earlier apply made and the policy no longer names, and nothing else', () => {
  const [mine, theirs] = [aFilter('Mine'), aFilter('Theirs')];
  const model = {...emptyModel, domains: ['mine.example', 'theirs.example', 'kept.example'], filters: [mine, theirs]};
  const made = owned({domains: ['mine.example', 'kept.example', 'gone.example'], filters: {[mine.id]: 'Mine'}});
  expect(planFor('version: 1\ndomain_blocks: {must: [kept.example]}', model, made).changes.map(inWords)).toEqual([
    'remove domain_block mine.example',
    'remove filter Mine',
  ]);
  expect([...neededParts(readPolicy('version: 1', 'p.yml'), made)]).toEqual(['domain_blocks', 'filters']);
});

test('a plan never blocks the server itself', () => {
  const text = `version: 1\ndomain_blocks: {must: [${host}]}`;
  expect(planFor(text, emptyModel).changes).toEqual([]);
  expect(compare(wantedBy(text), stateOf(emptyModel), circumstances)).toMatchObject({
    differences: [],
    skipped: [{kind: 'domain_block', subject: host, why: 'a server does not block itself (p.yml:2)'}],
  });
});

test('updates only what differs in a filter', () => {
  const filter = aFilter('A', {
    context: ['home'],
    expiresAt: inDays(3),
    keywords: ['gone', 'kept', {id: 7, keyword: 'inside', wholeWord: true}],
  });
  const [gone] = filter.keywords;
  const text =
    'version: 1\nfilters: {must: [{title: A, context: [public], action: hide, keywords: [kept, new, {keyword: inside, whole_word: false}], expires: never}]}';
  const plan = planFor(text, {...emptyModel, filters: [filter]});
  expect(plan.changes).toEqual([
    {
      action: 'update',
      kind: 'filter',
      subject: 'A',
      details: {
        id: filter.id,
        context: ['public'],
        filter_action: 'hide',
        expires: 'never',
        add: [{keyword: 'new', whole_word: true}],
        remove: [{id: gone?.id, keyword: 'gone', whole_word: true}],
        change: [{id: 7, keyword: 'inside', whole_word: false}],
        unchanged: filter.keywords[1]?.id,
      },
      reason: 'must',
      because: 'filters.must: p.yml:2',
    },
  ]);
});

test('swaps keywords between two filters although a keyword may be in one filter only', () => {
  const filters = [aFilter('A', {keywords: ['x', 'both']}), aFilter('B', {keywords: ['y']})];
  const text =
    'version: 1\nfilters: {must: [{title: A, context: [home], keywords: [y, both]}, {title: B, context: [home], keywords: [x]}]}';
  const model = {...emptyModel, filters};
  const plan = planFor(text, model);
  expect(plan.changes.map(inWords)).toEqual(['update filter A', 'update filter B', 'update filter A', 'update filter B']);
  expect(planFor(text, applied(model, plan)).changes).toEqual([]);
});

test('reports a filter without keywords as one that cannot be updated', () => {
  const text = 'version: 1\nfilters: {must: [{title: A, context: [public], keywords: []}]}';
  const plan = planFor(text, {...emptyModel, filters: [aFilter('A', {keywords: []})]});
  expect(plan.changes).toEqual([]);
  // An apply would leave it as it is.
  const fix = 'give it a keyword, because servers change no filter without one';
  expect(plan.cannot.map(({subject, wanted, fix: how}) => [subject, wanted, how])).toEqual([['A', 'in public', fix]]);
});

test('refuses filters with the same title, and names their ids', () => {
  const filters = [aFilter('A', {id: '4'}), aFilter('A', {id: '5'})];
  const text = (more: string) => `version: 1\nfilters: {must: [{title: A, context: [home], keywords: [z]${more}}]}`;
  expect(() => planFor(text(''), {...emptyModel, filters})).toThrow(
    expect.objectContaining({code: 'usage', message: 'p.yml:2: 2 filters are titled "A" (4, 5); name one with `id:`'}),
  );
  expect(planFor(text(', id: 5'), {...emptyModel, filters}).changes).toMatchObject([{action: 'update', details: {id: '5'}}]);
});

test('matches filters with the same title by id, and reports an id that is gone', () => {
  const rule = (id: string) => `{title: A, id: ${id}, context: [home], keywords: [k${id}]}`;
  const text = `version: 1\nfilters: {must: [${rule('4')}, ${rule('5')}]}`;
  const four = aFilter('A', {id: '4', keywords: ['k4']});
  expect(planFor(text, {...emptyModel, filters: [four, aFilter('old name', {id: '5', keywords: ['k5']})]}).changes).toMatchObject([
    {action: 'update', details: {id: '5', title: 'A'}},
  ]);
  const model = {...emptyModel, filters: [four]};
  const plan = planFor(text, model);
  expect(plan.changes.map(inWords)).toEqual(['add filter A']);
  expect(planFor(text, applied(model, plan)).changes).toEqual([]);
  expect(() => planFor(text, emptyModel)).toThrow(/there is no filter 4, and several rules are about filters titled "A"/);
});

test('ignores an hour of difference in an expiry, and treats an expired filter as absent', () => {
  const text = (expires: string) => `version: 1\nfilters: {must: [{title: A, context: [home], keywords: [a], expires: ${expires}}]}`;
  const ending = (expiresAt: string | null) => ({...emptyModel, filters: [aFilter('A', {expiresAt, keywords: ['a']})]});
  const actions = (expires: string, expiresAt: string | null) =>
    planFor(text(expires), ending(expiresAt)).changes.map(({action}) => action);
  expect(actions(inDays(10), inDays(10.03))).toEqual([]);
  expect(actions(inDays(10), inDays(10.05))).toEqual(['update']);
  expect(actions('never', inDays(-1))).toEqual(['add']);
  expect(actions('90d', inDays(3))).toEqual([]);
  expect(actions('90d', inDays(91))).toEqual(['update']);
  expect(actions('90d', null)).toEqual(['update']);
  expect(actions('2020-01-01', inDays(5))).toEqual([]);
});

test('plans no changes for a part that could not be read', () => {
  const failure = new Failure('bad_answer', 'It is an HTML page');
  const text = 'version: 1\ndomain_blocks: {must: [a.example], only: true}\nfilters: {must: [], only: true}';
  const plan = makePlan(
    wantedBy(text),
    stateOf({...emptyModel, domains: ['b.example']}, {filters: {failure}}),
    owned({filters: {1: 'A'}}),
    circumstances,
  );
  expect(plan.changes.map(inWords)).toEqual(['add domain_block a.example', 'remove domain_block b.example']);
  expect(plan.skipped).toEqual([{kind: 'filter', why: 'It is an HTML page', failure}]);
});

test.each(['domain_blocks', 'blocks', 'mutes', 'filters'] as const)(
  'reports %s that an earlier apply made and that cannot be read now',
  (part) => {
    const failure = new Failure('bad_answer', 'It is an HTML page');
    const made = owned({domains: ['a.example'], blocks: ['a@b.example'], mutes: ['a@b.example'], filters: {1: 'A'}});
    const {changes, skipped} = makePlan(wantedBy('version: 1'), stateOf(emptyModel, {[part]: {failure}}), made, circumstances);
    expect([changes, skipped.map((one) => one.failure)]).toEqual([[], [failure]]);
  },
);

test('removes a repeated keyword of a filter', () => {
  const text = 'version: 1\nfilters: {must: [{title: A, context: [home], keywords: [a]}]}';
  const twice = aFilter('A', {
    keywords: [
      {id: 1, keyword: 'a', wholeWord: true},
      {id: 2, keyword: 'a', wholeWord: true},
    ],
  });
  expect(planFor(text, {...emptyModel, filters: [twice]}).changes).toMatchObject([{details: {add: [], remove: [{id: 2}], unchanged: 1}}]);
  expect(planFor(text.replace('keywords', 'keywords_at_least'), {...emptyModel, filters: [twice]}).changes).toEqual([]);
});

test.each([
  [0, 6, undefined],
  [4, 4, undefined],
  [4, 40, undefined],
  [5, 60, undefined],
  [5, 40, 'it removes 5 of 40 items, which no rule names (limit 10 %)'],
  [20, 300, undefined],
  [21, 300, 'it removes 21 items that no rule names (limit 20)'],
])('guards the removal of %i of %i blocks', (removals, count, why) => {
  const domains = Array.from({length: count}, (_, index) => `x${index}.example`);
  const made = owned({domains: domains.slice(0, removals)});
  const {guard} = planFor('version: 1\ndomain_blocks: {}', {...emptyModel, domains}, made);
  expect(guard).toEqual({removals, ...(why !== undefined && {why})});
  if (why === undefined) {
    refuseGuarded(guard, {});
    return;
  }
  const hint = expect.stringContaining(`--allow-removals ${removals}`);
  const refusal = expect.objectContaining({
    code: 'refused',
    message: expect.stringContaining(why),
    details: expect.objectContaining({hint}),
  });
  expect(() => refuseGuarded(guard, {})).toThrow(refusal);
  expect(() => refuseGuarded(guard, {removals: removals - 1})).toThrow(refusal);
  refuseGuarded(guard, {removals});
});

test('guards the removal of filters by their own count', () => {
  const filters = Array.from({length: 6}, (_, index) => aFilter(`F${index}`));
  const domains = Array.from({length: 100}, (_, index) => `x${index}.example`);
  expect(planFor('version: 1\nfilters: {only: true}', {...emptyModel, domains, filters}).guard).toEqual({
    removals: 6,
    why: 'it removes 6 items that no rule names, 6 of 6 filters among them (limit 10 %)',
  });
});

test.each(['blocks', 'mutes'])('guards the removal of %s of accounts', (part) => {
  const names = Array.from({length: 6}, (_, index) => `x${index}@b.example`);
  expect(planFor(`version: 1\n${part}: {only: true}`, {...emptyModel, [part]: names}).guard).toEqual({
    removals: 6,
    why: 'it removes 6 of 6 items, which no rule names (limit 10 %)',
  });
});

test('guards the removal of a few of every kind by their sum', () => {
  const names = Array.from({length: 4}, (_, index) => `x${index}@b.example`);
  const model = {...emptyModel, domains: names.map((name) => name.replace('@', '.')), blocks: names, mutes: names};
  const only = (parts: readonly string[]) => planFor(`version: 1\n${parts.map((part) => `${part}: {only: true}`).join('\n')}`, model).guard;
  expect(only(['domain_blocks', 'blocks', 'mutes'])).toEqual({
    removals: 12,
    why: 'it removes 12 of 12 items, which no rule names (limit 10 %)',
  });
  expect(only(['blocks'])).toEqual({removals: 4});
});

test('the guard leaves out removals that a rule asks for by name', () => {
  const domains = Array.from({length: 30}, (_, index) => `x${index}.example`);
  expect(planFor(`version: 1\ndomain_blocks: {must_not: [${domains.join(', ')}]}`, {...emptyModel, domains}).guard).toEqual({removals: 0});
});

test('prints the changes of a plan and what cannot be changed', () => {
  const about = {server: 'https://pix.example', account: 'ana', policy: 'p.yml'};
  const text = 'version: 1\ndomain_blocks: {must: [a.example, cf]}\nblocks: {must: [bo]}';
  const plan = makePlan(wantedBy(text), stateOf(emptyModel, {blocks: accountsOf('a', 'b', 'c')}), [], circumstances);
  expect(JSON.parse([...documentLines(planDocument(about, {...plan, limits: [], beyond: []}))].join(''))).toEqual({
    ...about,
    changes: [
      {action: 'add', kind: 'domain_block', subject: 'a.example', details: {}, because: 'domain_blocks.must: p.yml:2'},
      {action: 'add', kind: 'block', subject: 'bo', details: {}, because: 'blocks.must: p.yml:3'},
    ],
    cannot: [expect.objectContaining({kind: 'domain_block', subject: 'cf', wanted: 'blocked as a whole', source: 'p.yml:2'})],
    skipped: [],
    limits: [],
  });
});

test('totals of a plan are in the order add, change, remove, and an account without a plan failed', () => {
  const changes = (['remove', 'update', 'add'] as const).map((action) => ({action}));
  expect(countsText([{changes}])).toBe('1 to add, 1 to change, 1 to remove');
  expect(summaryText([{account: 'ana@pix.example', plan: undefined}])).toBe('1 account: nothing to do; 1 account failed');
});

describe('a policy that only adds', () => {
  const only = (text: string, model: Model, items: readonly Item[] = []) =>
    makePlan({...wantedBy(text), onlyAdds: true}, stateOf(model), items, circumstances);

  test('adds what is missing, and leaves what differs or what an earlier apply made', () => {
    const model = {...emptyModel, domains: ['made.example'], filters: [aFilter('Ads', {keywords: ['sale']})]};
    const policy = 'version: 1\ndomain_blocks: {must: [bad.example]}\nfilters: {must: [{title: Ads, context: [home], keywords: [buy]}]}';
    const plan = only(policy, model, owned({domains: ['made.example']}));
    expect(plan.changes.map(inWords)).toEqual(['add domain_block bad.example']);
    expect(plan.cannot.map(({kind, subject, change}) => [kind, subject, change])).toEqual([['filter', 'Ads', undefined]]);
  });

  test('finds filters by what is in them, whatever their ids are on this server', () => {
    const filter = (id: string, keyword: string) => `{title: Ads, id: '${id}', context: [home], keywords: [${keyword}]}`;
    const policy = `version: 1\nfilters: {must: [${filter('5', 'buy')}, ${filter('6', 'sale')}]}`;
    expect(only(policy, emptyModel).changes.map(inWords)).toEqual(['add filter Ads', 'add filter Ads']);
    const model = {...emptyModel, filters: [aFilter('Cats', {id: '5'}), aFilter('Ads', {id: '9', keywords: ['sale']})]};
    const plan = only(policy, model);
    expect(plan.cannot).toEqual([]);
    expect(plan.changes).toMatchObject([{action: 'add', subject: 'Ads', details: {keywords: [{keyword: 'buy'}]}}]);
  });
});
