/** What sections are called, and what they read and write. */
import {expect, test} from 'vitest';
import type {Line} from '../../../../src/lib/policy/model/policy-state.js';
import type {FilterValue} from '../../../../src/lib/policy/model/filter-value.js';
import {endingFollows} from '../../../../src/lib/policy/rows/compare.js';
import type {Software} from '../../../../src/lib/operations/server-release.js';
import {shownItem, subjectOf} from '../../../../src/lib/policy/rows/row-text.js';
import {kindOfSection, pathsOf, writesOf} from '../../../../src/lib/policy/sections/index.js';
import {what} from '../../../../src/lib/policy/rows/views.js';
import {kindName, type Row} from '../../../../src/lib/policy/sections/policy-kind.js';
import {compared, type Items, row} from '../compared.js';
import {now} from '../wanted.js';

const host = 'pix.example';

test('sections are told by what they read and write', () => {
  expect(pathsOf()).toMatch(/^\/api\/v1\/domain_blocks, .+, \/api\/v1\/blocks and \/api\/v1\/mutes$/);
  expect(writesOf()).toContain('POST and DELETE /api/v1/domain_blocks');
});

test.each([
  ['blocks', 'ana@pix.example', 'account block @ana', 'ana', '@ana'],
  ['mutes', 'bo@b.example', 'account mute @bo@b.example', 'bo@b.example', '@bo@b.example'],
  ['domain_blocks', 'a.example', 'domain block a.example', 'a.example', 'a.example'],
  ['admin_domain_blocks', 'a.example', 'server block a.example', 'a.example', 'a.example'],
  ['filters', 'My, ads', 'filter My, ads', 'My, ads', 'My, ads'],
])('of %s, %s is shown as %s', (key, name, item, subject, shown) => {
  const kind = kindOfSection(key);
  expect([shownItem({kind, name}, host), subjectOf({kind, name}, host)]).toEqual([item, subject]);
  expect(what.text?.({kind: kindName(kind), subject})).toBe(shown);
});

test('what is no row is not shown', () => {
  for (const row of [null, 5, {}, {kind: 'block'}, {subject: 'x'}]) expect(what.text?.(row)).toBeUndefined();
  expect(what.text?.({kind: 'other', subject: 'x'})).toBe('x');
});

test('names are compared in one form', () => {
  expect(kindOfSection('blocks').section.nameIn('@Ana', host)).toBe('ana@pix.example');
  expect(kindOfSection('domain_blocks').section.nameIn('BÜCHER.example', host)).toBe('xn--bcher-kva.example');
  expect(kindOfSection('filters').section.nameIn(' X ', host)).toBe('X');
});

const [silence, suspend, noop] = [{severity: 'silence'}, {severity: 'suspend'}, {severity: 'noop'}] as const;
const theirs = {private_comment: 'theirs'};
const ours: Line = {own: {key: 'admin_domain_block a.example', was: null, set: suspend, at: '2026-11-01T00:00:00.000Z'}};
const stricter = 'it is suspended, which is stricter than wanted, and no apply of this policy made the block';
const unknown = 'it is unknown whether people of pix.example follow accounts there: silenced at most';
const must = (facts: string) => `must: [{domain: a.example, ${facts}}]`;

test.each<[rules: string, there: Items[string], told: readonly string[], state?: readonly Line[]]>([
  ['must: [a.example]', {'a.example': silence}, ['update a.example suspend']],
  [must('severity: silence'), {'a.example': suspend}, [`held a.example: ${stricter}`]],
  [`${must('severity: silence')}, only: true`, {'a.example': suspend}, ['update a.example silence']],
  [
    must('severity: silence, reject_media: true'),
    {'a.example': {...silence, reject_reports: true}},
    ['update a.example true true silence'],
  ],
  [must('reject_media: true'), {'a.example': suspend}, []],
  [must('severity: silence'), {'a.example': {...silence, reject_media: true}}, []],
  [must('public_comment: spam'), {'a.example': {...noop, ...theirs}}, ['add a.example spam suspend']],
  ['must: [a.example]', {'a.example': {...noop, ...theirs}}, ['add a.example theirs suspend']],
  [must('private_comment: mine'), {'a.example': {...silence, ...theirs}}, ['update a.example theirs suspend']],
  [must('private_comment: mine'), {'a.example': {...suspend, ...theirs}}, []],
  [must('private_comment: mine'), {'a.example': {...suspend, ...theirs}}, ['update a.example mine suspend'], [ours]],
  [must('severity: silence'), {'a.example': {...suspend, ...theirs}}, ['update a.example theirs silence'], [ours]],
  ['must: [a.example], must_not: [x.a.example]', {}, ['held a.example: x.a.example is below it, which must_not names']],
  ['must: [a.example, x.a.example]', {}, ['add a.example suspend', 'held x.a.example: the block of a.example covers it']],
  ['must: [y.x.a.example]', {'a.example': suspend}, ['held y.x.a.example: the block of a.example covers it']],
  ['must: [x.a.example]', {'a.example': noop, example: suspend}, ['add x.a.example suspend']],
  ['must: [x.a.example]', {'a.example': silence}, ['add x.a.example suspend']],
  ['must_not: [x.a.example]', {'a.example': suspend}, ['cannot x.a.example: not blocked']],
  ['must_not: [x.a.example]', {example: suspend}, ['cannot x.a.example: not blocked']],
  ['must_not: [x.a.example]', {'a.example': noop, example: suspend}, []],
  ['must_not: [x.a.example], only: true', {'a.example': suspend}, ['remove a.example']],
  [
    'must: [b.example, c.example], must_not: [x.a.example], limit: 2',
    {'a.example': suspend},
    ['cannot x.a.example: not blocked', 'add b.example suspend', 'held c.example: the policy allows 2 blocked domains (p.yml:2)'],
  ],
  ['must: [], only: true', {'a.example': suspend, 'b.example': noop}, ['remove a.example']],
  ['max_followed_severity: silence, must: [a.example]', {}, [`held a.example: ${unknown}`, 'add a.example silence']],
])('server blocks: {%s} beside %j comes to %j', async (rules, there, told, state = []) => {
  const {kinds} = await compared(`admin_domain_blocks: {${rules}}`, {admin_domain_blocks: there}, {state});
  const tell = (one: Row) => {
    const {domain: _, ...body} = one.kind.send(one, {now, host}).input.body ?? {};
    const says = one.says ?? one.texts?.wanted;
    const sent = [one.action, one.name, ...Object.values(body).filter(Boolean)];
    return says === undefined ? sent.join(' ') : `${one.action} ${one.name}: ${says}`;
  };
  expect(kinds.flatMap(({rows}) => rows.map(tell))).toEqual(told);
});

test('an account does not block itself, by its name or its id', async () => {
  const {kinds} = await compared('blocks: {must: [ana, bo, "1"]}');
  expect(kinds.flatMap(({rows}) => rows.map(({action, name}) => `${action} ${name}`))).toEqual([
    'held ana@pix.example',
    'add bo@pix.example',
  ]);
});

test('blocks and suspensions end follows, but for suspensions by Pixelfed', async () => {
  const people = 'blocks: {must: [bo]}\nmutes: {must: [cy]}\ndomain_blocks: {must: [c.example, top]}';
  const servers = 'admin_domain_blocks: {must: [a.example, b.example, {domain: d.example, severity: silence}]}';
  const {kinds} = await compared(`${people}\n${servers}`, {admin_domain_blocks: {'b.example': silence}});
  const namesOn = (software: Software) =>
    kinds.flatMap(({rows}) => endingFollows(rows, {items: new Map(), server: {software, hosts: []}}).map(({name}) => name));
  expect(namesOn('mastodon')).toEqual(['c.example', 'a.example', 'b.example', 'bo@pix.example']);
  expect(namesOn('pixelfed')).toEqual([]);
});

const word = (keyword: string, whole_word = true) => ({keyword, whole_word});
const stands = {context: ['home'], action: 'warn', expires: 'never', keywords: [word('a'), word('b'), word('c')]} as const;
const ids = [
  {...word('a'), id: 1},
  {...word('b'), id: 2},
  {...word('b'), id: 3},
  {...word('c'), id: 4},
];
const again = {id: 3, _destroy: true};

test.each<[what: string, more: Partial<FilterValue>, body: object]>([
  ['another context', {context: ['home', 'tags']}, {context: ['home', 'tags'], keywords_attributes: [again]}],
  ['another action', {action: 'hide'}, {filter_action: 'hide', keywords_attributes: [again]}],
  ['another end', {expires: '2026-11-20T13:00:00.000Z'}, {expires_in: 3600, keywords_attributes: [again]}],
  [
    'other keywords',
    {keywords: [word('a'), word('c', false), word('d')]},
    {keywords_attributes: [{id: 2, _destroy: true}, again, {id: 4, whole_word: false}, word('d')]},
  ],
])('an update of a filter sends %s, and takes out keywords that it has twice', (_, more, body) => {
  const update = row('filters.must', 'Ads', 'update', {has: stands, want: {...stands, ...more}, id: '7', keywords: ids});
  expect(update.kind.send(update, {now, host}).input).toEqual({path: {id: '7'}, body});
});
