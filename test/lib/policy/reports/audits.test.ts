/** What is printed of an audit with very many differences. */
import {expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {audit} from '../../../../src/lib/policy/reports/audits.js';
import {accountsOf, having, numbered} from '../compared.js';
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
