/** Differences between any two of a server, a policy and a list. */
import {expect, test} from 'vitest';
import {asFailure} from '../../../../src/lib/client/failure.js';
import {diff} from '../../../../src/lib/policy/rows/diff.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';
import {serverWith} from '../../operations/answering-server.js';
import {ana} from '../compared.js';
import {wantedBy} from '../wanted.js';

type DiffSide = Parameters<typeof diff>[0];

const filter = (title: string, keyword: string, more: object = {}) => ({
  id: String(title.charCodeAt(0)),
  title,
  context: ['home'],
  filter_action: 'warn',
  expires_at: null,
  keywords: [{id: '1', keyword, whole_word: true}],
  ...more,
});

/** The account of a server that has these. */
async function serverSide(answers: Readonly<Record<string, unknown>>): Promise<DiffSide> {
  const {client} = await serverWith(answers);
  const account = {
    ...ana,
    client,
    server: new URL('https://pix.example'),
    account: async () => '@ana',
    failureOf: asFailure,
    isAdmin: false,
  };
  return {name: 'ana@pix.example', account};
}

const policySide = (text: string): DiffSide => ({name: 'p.yml', given: wantedBy(`version: 1\n${text}`)});
const listSide = (text: string): DiffSide => ({name: 'l.csv', list: readList(text, 'l.csv')});
const differencesOf = async (left: DiffSide, right: DiffSide) => (await diff(left, right)).document.differences;

test('compares a policy and a list in the parts that both have', async () => {
  const policy = policySide('domain_blocks: {must: [a.example, b.example]}\nblocks: {must: [bo]}');
  const list = listSide('domain,severity\nb.example,silence\nc.example,suspend\nd.example,noop\n');
  expect(await diff(policy, list)).toMatchObject({
    document: {
      left: 'p.yml',
      right: 'l.csv',
      differences: [
        {kind: 'domain_block', subject: 'a.example', left: 'blocked', right: null},
        {kind: 'domain_block', subject: 'c.example', left: null, right: 'blocked'},
      ],
    },
    notes: ['Not compared, because only p.yml has it: blocks.'],
  });
  expect(await differencesOf(list, list)).toEqual([]);
});

test('compares two policies in every part', async () => {
  const filters = (...all: string[]) => `filters: {must: [${all.map((one) => `{${one}}`).join(', ')}]}`;
  const one = policySide(
    `admin_domain_blocks: {must: [a.example, {domain: b.example, severity: silence}]}\ndomain_blocks: {must: [b.example]}\n${filters('title: A, context: [home], keywords: [X]', 'title: B, context: [home], action: warn, keywords: [y]')}`,
  );
  const other = policySide(
    `admin_domain_blocks: {must: [a.example, b.example]}\ndomain_blocks: {must: [b.example, c.example]}\n${filters('title: A, context: [home], keywords: [x]', 'title: B, context: [home], action: hide, keywords: [y]', 'title: C, context: [home], keywords: [z]')}`,
  );
  expect(await differencesOf(one, other)).toEqual([
    {kind: 'domain_block', subject: 'c.example', left: null, right: 'blocked'},
    {kind: 'admin_domain_block', subject: 'b.example', left: 'silence', right: 'suspend'},
    {kind: 'filter', subject: 'B', left: 'warn; in home; keywords: y', right: 'hide; in home; keywords: y'},
    {kind: 'filter', subject: 'C', left: null, right: 'in home; keywords: z'},
  ]);
});

test('what a server has is read, and compared', async () => {
  const server = await serverSide({
    'GET /api/v1/domain_blocks?limit=200': ['a.example', 'b.example'],
    'GET /api/v1/domain_blocks': ['a.example', 'b.example'],
  });
  expect(await differencesOf(server, policySide('domain_blocks: {must: [b.example, c.example]}'))).toEqual([
    {kind: 'domain_block', subject: 'a.example', left: 'blocked', right: null},
    {kind: 'domain_block', subject: 'c.example', left: null, right: 'blocked'},
  ]);
});

test('sides without a part in common are not compared', async () => {
  await expect(diff(policySide('mutes: {must: [bo]}'), listSide('domain\na.example\n'))).rejects.toMatchObject({
    code: 'usage',
    message: 'p.yml and l.csv have no part in common',
  });
});

test('differences are counted by their kinds', async () => {
  expect((await diff(listSide('domain\na.example\n'), listSide('domain\na.example\n'))).failure).toBeUndefined();
  const {failure} = await diff(
    policySide('domain_blocks: {must: [a.example, b.example]}\nmutes: {must: [bo]}'),
    policySide('domain_blocks: {must: []}\nmutes: {must: []}'),
  );
  const message = '3 differences between p.yml and p.yml: 2 domain blocks, 1 account mute';
  expect(failure).toMatchObject({code: 'drift', message, details: {closing: [`${message}.`]}});
});

const asked = (text: string) => policySide(`filters: {must: [{title: A, ${text}}]}`);

test.each([
  ['keywords in another order', 'context: [home], keywords: [x, y]', 'context: [home], keywords: [Y, x]', true],
  ['another keyword', 'context: [home], keywords: [x]', 'context: [home], keywords: [y]', false],
  ['contexts in another order', 'context: [home, tags], keywords: [x]', 'context: [tags, home], keywords: [x]', true],
  ['another context', 'context: [home, tags], keywords: [x]', 'context: [home], keywords: [x]', false],
  ['an action and none', 'context: [home], keywords: [x], action: hide', 'context: [home], keywords: [x]', true],
  ['another action', 'context: [home], keywords: [x], action: hide', 'context: [home], keywords: [x], action: warn', false],
  ['an end and none', 'context: [home], keywords: [x], expires: never', 'context: [home], keywords: [x]', true],
  [
    'no end and one',
    'context: [home], keywords: [x], expires: never',
    'context: [home], keywords: [x], expires: 2027-01-01T00:00:00Z',
    false,
  ],
  [
    'ends a day apart',
    'context: [home], keywords: [x], expires: 2027-01-01T00:00:00Z',
    'context: [home], keywords: [x], expires: 2027-01-02T00:00:00Z',
    false,
  ],
  ['ends that depend on the day', 'context: [home], keywords: [x], expires: 90d', 'context: [home], keywords: [x], expires: 30d', true],
])('filters of two policies with %s', async (_, one, other, areSame) => {
  for (const [left, right] of [
    [one, other],
    [other, one],
  ] as const)
    expect(await differencesOf(asked(left), asked(right))).toHaveLength(areSame ? 0 : 1);
});

test('what a policy leaves open of a filter is no difference from a server', async () => {
  const values = [filter('A', 'x')];
  const server = await serverSide({'GET /api/v2/filters': values});
  expect(await differencesOf(server, asked('context: [home], keywords: [x]'))).toEqual([]);
});
