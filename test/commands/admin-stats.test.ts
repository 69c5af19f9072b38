/** The numbers of a server: shown as they come, and compared with thresholds at the least that a rounded one stands for. */
import {assert, nat, oneof, property} from 'fast-check';
import {expect, test} from 'vitest';
import {leastCount} from '../../src/commands/admin/stats.js';
import {recordingsIn} from '../lib/sandbox/recording.js';
import {pixelfed, runCommand} from '../run-command.js';

const path = '/api/admin/stats';
const recorded = recordingsIn('0.12.6', 'admin-people').find(({name}) => name === 'stats')?.response.text ?? '';

const over = (statistics: object | string, ...flags: readonly string[]) => {
  pixelfed().get(path).reply(200, statistics, {'content-type': 'application/json'});
  return runCommand(['admin', 'stats', ...flags]);
};

test('numbers and texts are printed as they come', async () => {
  const {status, stdout} = await over(recorded, '--json');
  expect({status, stdout}).toEqual({status: 0, stdout: `${recorded}\n`});
});

test.each([
  ['--reports-over', '34', 10],
  ['--reports-over', '35', 0],
  ['--autospam-over', '0', 0],
])('the recorded answer with %s %s is %d', async (flag, most, expected) => {
  const {status, stdout} = await over(recorded, flag, most, '--json');
  expect({status, stdout}).toEqual({status: expected, stdout: `${recorded}\n`});
});

test.each([
  ['1.1K', 1049, 10],
  ['1.1K', 1050, 0],
  ['1.0K', 999, 10],
  ['1.0K', 1000, 0],
])('%s reports are compared with %d at the least that they stand for', async (reports, most, expected) => {
  expect((await over({reports}, '--reports-over', String(most))).status).toBe(expected);
});

test('what is over its threshold is named, and what lists it, after the numbers', async () => {
  const {stdout, stderr} = await over({reports: '1.1K', autospam_count: 21}, '--reports-over', '10', '--autospam-over', '20');
  expect(stdout).toContain('held back as spam  21');
  expect(stderr).toMatch(
    /^pix\.example has 21 posts held back as spam \(more than 20\) and 1\.1K open reports \(more than 10\)\.\nHint: see `pixelctl autospam list` and `pixelctl reports list`\n$/,
  );
});

test.each([[{}], [{reports: null}], [{reports: 'many'}], [{reports: []}]])(
  'a number that cannot be read is a bad answer, and nothing is printed: %j',
  async (statistics) => {
    const {status, stdout, stderr} = await over(statistics, '--reports-over', '5', '--autospam-over', '5');
    expect({status, stdout}).toEqual({status: 8, stdout: ''});
    expect(stderr).toMatch(/(autospam_count|reports) is not a number/);
  },
);

test('a number that no threshold is given for need not be one', async () => {
  expect((await over({reports: 'many', autospam_count: 3}, '--autospam-over', '5')).status).toBe(0);
});

test('the days are a table below the totals, in one row for each', async () => {
  const days = (...counts: readonly number[]) => ({
    days: counts.map((count, index) => ({date: `Nov ${22 - index} 2026`, count})),
    total: 9,
  });
  pixelfed()
    .get('/api/admin/instance/stats')
    .query({refresh: '1'})
    .reply(200, {cached_at: '2026-11-23T05:46:26+00:00', users: days(3, 0), posts: days(4), instances: null});
  const {stdout} = await runCommand(['admin', 'stats', '--by-day']);
  expect(stdout).toBe(`counted        2026-11-23T05:46:26Z
people in all  9
posts in all   9

date         people  posts  servers
Nov 22 2026       3      4        –
Nov 21 2026       0      –        –
`);
});

test('thresholds are not for days', async () => {
  const {status, stderr} = await runCommand(['admin', 'stats', '--by-day', '--reports-over', '3']);
  expect({status, stderr}).toEqual({
    status: 2,
    stderr: 'Error: --by-day and --reports-over cannot be used together\nHint: see `pixelctl admin stats --help`\n',
  });
});

test.each([
  [0, 0],
  [35, 35],
  ['35', 35],
  ['0', 0],
  ['1.0K', 1000],
  ['1.1K', 1050],
  ['1,234', 1234],
])('%j stands for at least %d', (written, least) => {
  expect(leastCount(written)).toBe(least);
});

test.each([[null], [undefined], [''], ['many'], ['-3'], ['1.K'], ['K'], ['1,0K'], ['1e3'], [true], [[35]], [{count: 35}]])(
  '%j is no count',
  (written) => {
    expect(leastCount(written)).toBeUndefined();
  },
);

const scales = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** As servers write a count for people: `35`, `1.0K`, `120K`. */
function roundCount(count: number): string {
  const [scale, unit] = scales.find(([least]) => count >= least) ?? [1, ''];
  const digits = scale > 1 && Math.round(count / scale) < 100 ? 1 : 0;
  // In whole numbers: a half goes up.
  const steps = Math.floor((count * 10 ** digits + scale / 2) / scale);
  const [whole, tenths] = [Math.floor(steps / 10 ** digits), steps % 10 ** digits];
  return `${whole.toLocaleString('en-US')}${digits === 0 ? '' : `.${tenths}`}${unit}`;
}

test('a rounded count is the least number that a server writes like this', () => {
  const counts = oneof(nat(2000), nat(200_000), nat(2_000_000), nat(2_000_000_000));
  assert(
    property(counts, (count) => {
      const written = roundCount(count);
      const least = leastCount(written) ?? Number.NaN;
      expect(least).toBeLessThanOrEqual(count);
      expect(roundCount(least)).toBe(written);
      if (least > 0) expect(roundCount(least - 1)).not.toBe(written);
    }),
  );
});
