/** Many accounts by name, beyond what a server answers in a minute. */
import {expect, test} from 'vitest';
import {run} from './in-process.js';
import {recordedSandbox, type RecordedSandbox} from './server.js';

const people = Array.from({length: 45}, (_, index) => ({acct: `person${index + 10}`}));
const handles = people.map(({acct}) => `@${acct}`);
const counted = (server: RecordedSandbox) => {
  const counts: Record<string, number> = {};
  for (const {
    received: {method, target},
    answered: {status},
  } of server.exchanges) {
    const name = `${status} ${method} ${target.replace(/(username\/)[^/]+|(accounts\/)\d+/, '$1$2…')}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

test('45 handles in one run, like 0.12.6 are found without waiting', async () => {
  // Real servers allow thirty in two minutes.
  let asked = 0;
  const tooMany = {status: 429, headers: {'x-rate-limit-limit': '30', 'x-rate-limit-reset': '100'}, text: '{"error":"Too Many Attempts."}'};
  const seed = {accounts: [{acct: 'ana'}, ...people]};
  await using server = await recordedSandbox({like: '0.12.6', seed}, (moment, {target}) => {
    if (moment === 'before' && target.startsWith('/api/v1.1/accounts/username/') && (asked += 1) > 30) return tooMany;
  });
  const args = ['mutes', 'add', ...handles, '--concurrency', '1', '--max-wait', '0', '--yes', '--json'];
  expect(await run(args, {env: server.env})).toMatchObject({status: 0});
  expect(counted(server)).toEqual({
    '200 GET /api/v1.1/accounts/username/…': 30,
    '429 GET /api/v1.1/accounts/username/…': 1,
    '200 POST /api/v1.1/direct/lookup': 15,
    '200 POST /api/v1/accounts/…/mute': 45,
  });
});
