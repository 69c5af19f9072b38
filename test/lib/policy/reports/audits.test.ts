/** What is printed of an audit with very many differences. */
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {audit} from '../../../../src/lib/policy/reports/audits.js';
import type {Kind} from '../../../../src/lib/policy/sections/policy-kind.js';
import {accountsOf, ana, having, numbered} from '../compared.js';
import {wantedBy} from '../wanted.js';

const given = wantedBy('version: 1\ndomain_blocks: {lists: [{file: l.csv}]}', {'l.csv': ['domain', ...numbered(10_003)].join('\n')});

test.each([
  [false, 10_000, ['and 3 more: --json and --output csv have all']],
  [true, 10_003, []],
])('a table has 10,000 rows, unless fields were chosen: %s', async (hasFields, count, notes) => {
  const run = {isOpenAccepted: false, hintOf: () => undefined, write: async () => {}};
  const printed = await audit([given], accountsOf(having({})), {...run, hasFields});
  expect([...(printed.tableRows ?? printed.rows)]).toHaveLength(count);
  expect(printed.notes).toEqual(notes);
  expect(printed.failure?.message).toBe('10,003 differences: 10,003 domain blocks');
});

test('accounts share the rows of a table, and one that could not be read has its own', async () => {
  const run = {isOpenAccepted: false, hintOf: () => undefined, write: async () => {}, hasFields: false};
  const {tableRows, notes} = await audit([given], accountsOf(having({}), new Failure('unavailable', 'no answer')), run);
  const rows = [...(tableRows ?? [])];
  expect([rows.length, rows.at(-1), notes]).toEqual([
    5001,
    expect.objectContaining({actual: 'error: no answer'}),
    ['and 5,003 more: --json and --output csv have all'],
  ]);
});

test('a part that cannot be read ends the audit of one account, and is a row where there are several: a bad answer counts first', async () => {
  const policy = wantedBy('version: 1\nblocks: {must: []}\nmutes: {must: []}');
  const failing = {...ana, read: async ({key}: Kind) => Promise.reject(new Failure(key === 'mutes' ? 'bad_answer' : 'unavailable', key))};
  const run = {isOpenAccepted: false, hintOf: () => undefined, write: async () => {}, hasFields: false};
  await expect(audit([policy], accountsOf(failing), run)).rejects.toMatchObject({code: 'bad_answer'});
  const other = await audit([policy], accountsOf(failing, new Failure('unavailable', 'no answer')), run);
  expect(other.failure).toMatchObject({code: 'partial', message: 'ana@pix.example could not be checked'});
  const one = await audit([policy], accountsOf(having({}), new Failure('unavailable', 'no answer')), run);
  expect(one.failure?.message).toBe('ana@pix.example could not be checked; no differences in the others');
});

const own = wantedBy('version: 1\nmutes: {must: [bo@b.example]}');
const ofServer = wantedBy('version: 1\nadmin_domain_blocks: {must: [a.example]}');

test.each([
  ['server', [own], 1],
  ['server', [own, ofServer], 1],
  ['account', [own, ofServer], 2],
] as const)('of several policies, those that say nothing of a server are not compared with one: a %s', async (owner, policies, count) => {
  let text = '';
  const write: Parameters<typeof audit>[2]['write'] = async (textOf) => void (text = [...(await textOf('json'))].join(''));
  await audit(policies, accountsOf({...having({}), owner}), {isOpenAccepted: false, hintOf: () => undefined, write, hasFields: false});
  expect([JSON.parse(text)].flat()).toHaveLength(count);
});
