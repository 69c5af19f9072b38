/** What is printed of an audit with very many differences. */
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {audit} from '../../../../src/lib/policy/reports/audits.js';
import {compared, numbered, shown} from '../compared.js';
import {now} from '../wanted.js';

const csv = ['domain', ...numbered(10_003)].join('\n');

test.each([
  [false, 10_000, ['and 3 more: --json and --output csv have all']],
  [true, 10_003, []],
])('a table has 10,000 rows, unless fields were chosen: %s', async (hasFields, count, notes) => {
  const comparison = await compared('domain_blocks: {lists: [{file: l.csv}]}', {}, {lists: {'l.csv': csv}});
  const run = {noun: undefined, advice: shown.advice, hintOf: () => undefined, write: async () => {}};
  const printed = await audit([comparison], {...run, hasFields});
  expect([...(printed.tableRows ?? printed.rows)]).toHaveLength(count);
  expect(printed.notes).toEqual(notes);
  expect(printed.failure?.message).toBe('10,003 differences: 10,003 domain blocks');
});

test('accounts share the rows of a table, and one that could not be read has its own', async () => {
  const comparison = await compared('domain_blocks: {lists: [{file: l.csv}]}', {}, {lists: {'l.csv': csv}});
  const unread = {
    known: {...comparison.about, shown, when: now},
    given: comparison.given,
    failure: new Failure('unavailable', 'no answer'),
  };
  const run = {
    noun: ['account', 'accounts'] as const,
    advice: shown.advice,
    hintOf: () => undefined,
    write: async () => {},
    hasFields: false,
  };
  const {tableRows, notes} = await audit([comparison, unread], run);
  const rows = [...(tableRows ?? [])];
  expect([rows.length, rows.at(-1), notes]).toEqual([
    5001,
    expect.objectContaining({actual: 'error: no answer'}),
    ['and 5,003 more: --json and --output csv have all'],
  ]);
});
