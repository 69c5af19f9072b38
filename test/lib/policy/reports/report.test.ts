import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {compare} from '../../../../src/lib/policy/sections/compare.js';
import {json} from '../../../../src/lib/policy/reports/formats/json.js';
import {auditReport} from '../../../../src/lib/policy/reports/report.js';
import {html} from '../../../../src/lib/policy/reports/formats/html.js';
import {accountsOf, circumstances, emptyModel, stateOf} from '../model-server.js';
import {wantedBy} from '../wanted.js';
import {about, clean, drifted, many, printed, reportOn, textOf} from './audits.js';

const outcomes = ({rules}: typeof clean) => rules.map(({rule, subject, outcome}) => [rule, subject, outcome].join(' '));

test('lists every rule with its outcome', () => {
  expect(new Set(clean.rules.map(({outcome}) => outcome))).toEqual(new Set(['held']));
  expect(outcomes(drifted)).toEqual([
    'domain_blocks.must bad.example held',
    'domain_blocks.must worse.example failed',
    'domain_blocks.must_not good.example failed',
    'domain_blocks.only  held',
    'filters.must Spoilers failed',
    'blocks.must troll@bad.example held',
    'blocks.must_not friend failed',
    'mutes.must loud unchecked',
    'mutes.must noisy unchecked',
  ]);
});

test.each([[[drifted]], [[clean, drifted, many]]])('is JSON as it is printed for people, however many findings there are', (reports) => {
  const [first, ...rest] = reports;
  const longest = many.findings.length;
  expect(longest).toBeGreaterThan(100);
  const text = textOf(json.render(reports));
  const audits = first !== undefined && rest.length === 0 ? printed([first]) : reports.map((one) => printed([one]));
  expect(text).toBe(`${JSON.stringify(audits, null, 2)}\n`);
});

test('lists rules about whole sections, lists and accounts in any form', () => {
  const state = stateOf({...emptyModel, domains: ['a.example', 'x.example']}, {mutes: accountsOf('Friend', 'other')});
  const report = reportOn(
    'version: 1\ndomain_blocks: {only: true, lists: [{file: a.csv}, {file: b.csv}]}\nmutes: {must_not: [friend@pix.example]}',
    state,
    {
      'a.csv': '#domain\na.example\n',
      'b.csv': '#domain\nb.example\n',
    },
  );
  expect(outcomes(report)).toEqual([
    'domain_blocks.only  failed',
    'domain_blocks.lists a.csv held',
    'domain_blocks.lists b.csv failed',
    'mutes.must_not friend@pix.example failed',
  ]);
});

test('a list that two sections name fails in the section where something is missing', () => {
  const blocks = new Map([['a.example', {id: '1', facts: {severity: 'silence'} as const}]]);
  const domains = stateOf({...emptyModel, domains: ['a.example']});
  const state = {
    ...domains,
    admin_domain_blocks: {value: blocks},
    blocking: {software: 'pixelfed' as const, hosts: [], unblocked: new Map()},
  };
  const policy =
    'version: 1\ndomain_blocks: {lists: [{file: a.csv}]}\nadmin_domain_blocks: {must_not: [b.example], lists: [{file: a.csv}]}';
  const report = reportOn(policy, state, {'a.csv': '#domain,#severity\na.example,suspend\n'});
  expect(outcomes(report)).toEqual([
    'domain_blocks.lists a.csv held',
    'admin_domain_blocks.must_not b.example held',
    'admin_domain_blocks.lists a.csv failed',
  ]);
  expect(report.origins.map(({kind, contributions}) => [kind, ...contributions.map(({missing}) => missing)])).toEqual([
    ['domain_block', 0],
    ['admin_domain_block', 1],
  ]);
  expect([...html.render([report])].join('')).toContain('<h4>Domains that the server blocks</h4>');
  expect(report.lists.map(({list}) => list)).toEqual(['a.csv']);
});

test('a rule that names an account by id fails where the account is on the list, and the rules beside it hold', () => {
  const state = stateOf(emptyModel, {
    blocks: {value: new Map([['friend@pix.example', {id: '1029', acct: 'friend'}]])},
    mutes: {value: new Map([['pal@pix.example', {id: '7', acct: 'pal'}]])},
  });
  const report = reportOn('version: 1\nblocks: {must_not: ["1029", "1030"], must: ["5"]}\nmutes: {must: ["7"]}\n', state);
  expect(outcomes(report)).toEqual([
    'blocks.must 5 failed',
    'blocks.must_not 1029 failed',
    'blocks.must_not 1030 held',
    'mutes.must 7 held',
  ]);
});

test('a rule about the own account is unchecked, however it names it', () => {
  const names = ['ana', '@Ana', 'ana@pix.example', '7'];
  for (const name of names) {
    const wanted = wantedBy(`version: 1\nblocks: {must: ["${name}"]}\n`);
    const state = stateOf(emptyModel, {own: {id: '7', acct: 'ana'}});
    const report = auditReport(about, wanted, compare(wanted, state, circumstances), circumstances);
    expect(
      outcomes(report).map((one) => one.split(' ').at(-1)),
      name,
    ).toEqual(['unchecked']);
  }
});

test('marks a rule that does not apply here as unchecked', () => {
  const report = reportOn('version: 1\ndomain_blocks: {must: [pix.example]}', stateOf(emptyModel));
  expect(outcomes(report)).toEqual(['domain_blocks.must pix.example unchecked']);
  expect(report.ok).toBe(true);
});

test('an audit is not ok when a part could not be read', () => {
  const report = reportOn('version: 1\ndomain_blocks: {must: [a.example]}', {
    ...stateOf(emptyModel),
    domain_blocks: {failure: new Failure('bad_answer', 'no list')},
  });
  expect([report.ok, ...outcomes(report)]).toEqual([false, 'domain_blocks.must a.example unchecked']);
});

test('groups domains by the files that name them', () => {
  expect(many.origins[0]?.contributions.map(({files, domains, missing}) => [files.join(' + '), domains.length, missing])).toEqual([
    ['lists/another-list-with-a-long-name.csv + lists/tier0.csv', 170, 80],
    ['lists/another-list-with-a-long-name.csv', 120, 120],
    ['lists/third.csv + lists/tier0.csv', 60, 60],
    ['lists/another-list-with-a-long-name.csv + lists/third.csv + lists/tier0.csv', 30, 0],
    ['lists/another-list-with-a-long-name.csv + p.yml', 20, 20],
    ['p.yml', 20, 20],
  ]);
});

test('prints one audit as an object, several as a list', () => {
  expect(printed([clean])).toMatchObject({server: 'https://pix.example', ok: true});
  expect(printed([clean, drifted])).toMatchObject([{ok: true}, {ok: false}]);
});

test('an audit without differences is ok, unless a part could not be read', () => {
  const about = {server: 'https://pix.example', account: 'ana', policy: 'p.yml'};
  const text = 'version: 1\ndomain_blocks: {must: [a.example]}\nblocks: {must: [bo]}\nmutes: {must: [zoe]}';
  const agrees = stateOf({...emptyModel, domains: ['a.example']}, {blocks: accountsOf('bo'), mutes: accountsOf('zoe')});
  expect(printed([reportOn(text, agrees)])).toEqual({...about, ok: true, findings: [], skipped: []});
  const unclear = {...agrees, mutes: {failure: new Failure('bad_answer', 'Not a list')}};
  expect(printed([reportOn(text, unclear)])).toEqual({
    ...about,
    ok: false,
    findings: [],
    skipped: [{kind: 'mute', why: 'Not a list', code: 'bad_answer'}],
    error: {code: 'bad_answer', message: 'Cannot read the mutes of pix.example: Not a list'},
  });
});
