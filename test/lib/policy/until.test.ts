/** Entries of `must` that count until a day. */
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {exportDomains} from '../../../src/lib/policy/export.js';
import {explain} from '../../../src/lib/policy/explain.js';
import {entriesOf} from '../../../src/lib/policy/lists/merge.js';
import {writeDomainList} from '../../../src/lib/policy/lists/write-list.js';
import {refuseUnfit} from '../../../src/lib/policy/plan/plan-fit.js';
import {makePlan} from '../../../src/lib/policy/plan/plan.js';
import {readPolicy} from '../../../src/lib/policy/reading/policy-file.js';
import {sections} from '../../../src/lib/policy/sections/index.js';
import {aFilter, circumstances, emptyModel, type Model, now, stateOf} from './model-server.js';
import {owned} from './owned-items.js';
import {server, stateOf as stateOfServer} from './sections/server-blocks.js';
import {planFor, wantedBy} from './wanted.js';

const [yesterday, today] = ['2026-11-19', '2026-11-20'];

const filter = aFilter('Own', {id: '7', keywords: ['own']});

/** An entry of each section, without the end of its braces, and a server that has it. */
const rows: readonly (readonly [key: string, entry: string, there: Partial<Model>, own: Parameters<typeof owned>[0], name: string])[] = [
  ['domain_blocks', '{domain: bad.example', {domains: ['bad.example']}, {domains: ['bad.example']}, 'domain_block bad.example'],
  ['blocks', "{account: '@bob@b.example'", {blocks: ['bob@b.example']}, {blocks: ['bob@b.example']}, 'block bob@b.example'],
  ['mutes', "{account: '@bob@b.example'", {mutes: ['bob@b.example']}, {mutes: ['bob@b.example']}, 'mute bob@b.example'],
  ['filters', '{title: Own, context: [home], keywords: [own]', {filters: [filter]}, {filters: {7: 'Own'}}, 'filter Own'],
];

const policy = (key: string, entry: string, until: string, more = '') =>
  `version: 1\n${key}:\n  must: [${entry}, until: ${until}}]\n${more}`;

const inWords = ({action, kind, subject, because}: {action: string; kind: string; subject: string; because: string}) =>
  `${action} ${kind} ${subject}: ${because}`;

describe.each(rows)('an entry of %s', (key, entry, there, own, name) => {
  const [full, whole] = [{...emptyModel, ...there}, owned(own)];

  test('counts on its last day, and the plan names that day', () => {
    const {changes} = planFor(policy(key, entry, today), emptyModel);
    expect(changes.map(inWords)).toEqual([`add ${name}: ${key}.must: p.yml:3 (until ${today})`]);
    expect(changes.map(({until}) => until)).toEqual([today]);
    expect(planFor(policy(key, entry, today), full, whole).changes).toEqual([]);
  });

  test('counts as gone afterwards: what an apply made is removed, and what somebody else made stays', () => {
    expect(planFor(policy(key, entry, yesterday), emptyModel).changes).toEqual([]);
    expect(planFor(policy(key, entry, yesterday), full).changes).toEqual([]);
    const {changes} = planFor(policy(key, entry, yesterday), full, whole);
    expect(changes.map(inWords)).toEqual([`remove ${name}: ${key}.must: p.yml:3 (until ${yesterday})`]);
    expect(changes.map(({reason, until}) => ({reason, until}))).toEqual([{reason: 'until', until: undefined}]);
  });

  test('goes where nothing else may be there', () => {
    const {changes} = planFor(policy(key, entry, yesterday, '  only: true\n'), full);
    expect(changes.map(inWords)).toEqual([`remove ${name}: ${key}.only: p.yml:4, ${key}.must: p.yml:3 (until ${yesterday})`]);
    expect(changes.map(({reason}) => reason)).toEqual(['until']);
  });

  test('is explained with its last day', () => {
    const subject = name.replace(/^\w+ /, '').replace(/^(?=bob)/, '@');
    const explained = (until: string) =>
      explain(subject, wantedBy(policy(key, entry, until)), stateOf(full), now).find(({kind}) => name.startsWith(`${kind} `));
    expect(explained(today)).toMatchObject({isWanted: true, reasons: [{says: expect.stringContaining(` until ${today}`)}]});
    expect(explained(yesterday)).toMatchObject({
      reasons: [{rule: `${key}.must`, says: expect.stringContaining(` until ${yesterday}, which has passed: the entry has no effect`)}],
    });
    expect(explained(yesterday)?.isWanted).toBe(undefined);
  });

  test('must be a day that there is', () => {
    for (const until of ['2026-02-30', '2026-13-01', 'soon', '2026-11-20T10:00', '20261120', '"2026-11-20 "', '2026'])
      expect(() => readPolicy(policy(key, entry, until), 'p.yml'), until).toThrow(Failure);
  });

  test('is in a contradiction with must_not until it is over', () => {
    const forbidden = key === 'filters' ? 'Own' : (entry.split(': ')[1] ?? '');
    const text = (until: string) => policy(key, entry, until, `  must_not: [${forbidden}]\n`);
    expect(() => readPolicy(text(today), 'p.yml', {now})).toThrow(Failure);
    expect(planFor(text(yesterday), full).changes.map(inWords)).toEqual([`remove ${name}: ${key}.must_not: p.yml:4`]);
  });

  test('is in no saved plan that is applied after its last day', () => {
    const [change] = planFor(policy(key, entry, today), emptyModel).changes;
    if (change === undefined) throw new Error('There is a change');
    const about = {account: '@ana', policy: 'p.yml'};
    const fit = (at: string) => refuseUnfit([change], stateOf(emptyModel), {...about, now: new Date(at)});
    expect(() => fit(`${today}T23:59:59.999Z`)).not.toThrow();
    expect(() => fit('2026-11-21T00:00Z')).toThrow(`the policy asks for it only until ${today}, which has passed`);
  });
});

test.each(rows.filter(([key]) => key !== 'filters'))(
  'an entry of %s that is named twice counts until the later day',
  (key, entry, there, own, name) => {
    const both = (...untils: readonly string[]) =>
      `version: 1\n${key}:\n  must:\n${untils.map((until) => `    - ${entry}${until}}\n`).join('')}`;
    const [soon, later] = [`, until: ${today}`, ', until: 2026-11-25'];
    const because = (...untils: readonly string[]) => planFor(both(...untils), emptyModel).changes.map(inWords);
    const planned = (line: number, last = '') => [`add ${name}: ${key}.must: p.yml:${line}${last}`];
    expect(because(soon, later)).toEqual(planned(5, ' (until 2026-11-25)'));
    expect(because(later, soon)).toEqual(planned(4, ' (until 2026-11-25)'));
    expect(because(soon, '')).toEqual(planned(5));
    expect(because('', later)).toEqual(planned(4));
    const over = both(', until: 2026-11-01', `, until: ${yesterday}`);
    expect(planFor(over, {...emptyModel, ...there}, owned(own)).changes.map(inWords)).toEqual([
      `remove ${name}: ${key}.must: p.yml:5 (until ${yesterday})`,
    ]);
  },
);

test('an account that is named in two ways counts until the later day', () => {
  const named = (...untils: readonly string[]) => {
    const [one, other] = untils;
    const text = `version: 1\nblocks:\n  must:\n    - {account: '@bob', until: ${one}}\n    - {account: '@BOB', until: ${other}}\n`;
    return planFor(text, emptyModel).changes.map(({until}) => until);
  };
  expect(named(today, '2026-11-25')).toEqual(['2026-11-25']);
  expect(named('2026-11-25', today)).toEqual(['2026-11-25']);
});

test('a filter that has ended is the one with its id, whatever it is called by now', () => {
  const text = `version: 1\nfilters: {only: true, must: [{title: Old, id: 7, context: [home], keywords: [own], until: ${yesterday}}]}\n`;
  const {changes} = planFor(text, {...emptyModel, filters: [filter, aFilter('Old', {id: '8'})]});
  expect(changes.map(({subject, reason}) => [subject, reason])).toEqual([
    ['Old', 'only'],
    ['Own', 'until'],
  ]);
});

test('a filter that has ended does not hide one with its title', () => {
  const [, entry] = rows.find(([key]) => key === 'filters') ?? [];
  const both = `version: 1\nfilters: {must: [${entry}, until: ${yesterday}}, ${entry}}]}\n`;
  expect(planFor(both, {...emptyModel, filters: [filter]}, owned({filters: {7: 'Own'}})).changes).toEqual([]);
});

test.each(rows.filter(([key]) => key !== 'filters'))(
  'an entry of %s that has ended does not hide one that has not',
  (key, entry, there, own) => {
    const both = `version: 1\n${key}: {must: [${entry}, until: ${yesterday}}, ${entry}}]}\n`;
    expect(planFor(both, {...emptyModel, ...there}, owned(own)).changes).toEqual([]);
  },
);

test('every section with entries in must takes a last day', () => {
  const withMust = sections.filter(({holding}) => holding !== undefined).map(({key}) => key);
  expect(withMust.toSorted()).toEqual(['admin_domain_blocks', ...rows.map(([key]) => key)].toSorted());
});

test('a block of the server ends with its last day, and goes back to what it was', () => {
  const text = policy('admin_domain_blocks', '{domain: bad.example', yesterday);
  const state = stateOfServer(server('mastodon', {'bad.example': {severity: 'suspend'}}));
  const item = {kind: 'admin_domain_block', subject: 'bad.example'} as const;
  const changesOf = (was?: unknown) => makePlan(wantedBy(text), state, [{...item, ...(was !== undefined && {was})}], circumstances);
  expect(changesOf().changes).toMatchObject([{action: 'remove', reason: 'until'}]);
  expect(changesOf({severity: 'silence'}).changes).toMatchObject([
    {action: 'update', reason: 'until', details: {after: {severity: 'silence'}}},
  ]);
  const wanted = makePlan(wantedBy(policy('admin_domain_blocks', '{domain: other.example', today)), state, [], circumstances);
  expect(wanted.changes).toMatchObject([
    {action: 'add', because: `admin_domain_blocks.must: p.yml:3 (until ${today})`, until: today, details: {severity: 'suspend'}},
  ]);
});

test('many entries that end together need no permission, and those that are no longer named do', () => {
  const domains = Array.from({length: 30}, (_, index) => `d${index}.example`);
  const entries = domains.map((domain) => `{domain: ${domain}, until: ${yesterday}}`).join(', ');
  const guardOf = (must: string) =>
    planFor(`version: 1\ndomain_blocks: {must: [${must}]}\n`, {...emptyModel, domains}, owned({domains})).guard;
  expect(guardOf(entries)).toEqual({removals: 0});
  expect(guardOf('')).toMatchObject({removals: 30, why: expect.any(String)});
});

test('what a list names as well stays for the list', () => {
  const lists = {'l.txt': 'bad.example\n'};
  const planned = (until: string, there: readonly string[]) => {
    const wanted = wantedBy(policy('domain_blocks', '{domain: bad.example', until), lists);
    return makePlan(wanted, stateOf({...emptyModel, domains: there}), owned({domains: [...there]}), circumstances).changes;
  };
  expect(planned(yesterday, ['bad.example'])).toEqual([]);
  expect(planned(today, []).map(inWords)).toEqual(['add domain_block bad.example: domain_blocks.must: p.yml:3, l.txt:1']);
});

test('a policy that is written from a policy keeps last days, and lists of other tools say that they cannot', () => {
  const {domains} = wantedBy(policy('domain_blocks', '{domain: bad.example', today));
  const found = domains.get('domain_blocks');
  if (found === undefined) throw new Error('It has domains');
  expect(JSON.parse(exportDomains('domain_blocks', entriesOf(found)).json)).toEqual({
    version: 1,
    domain_blocks: {must: [{domain: 'bad.example', until: today}]},
  });
  expect(writeDomainList('plain', entriesOf(found))).toEqual({text: 'bad.example\n', leftOut: ['until of 1 domain']});
});
