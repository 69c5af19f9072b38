/** Accounts by name, blocks and mutes, against the sandbox in both its generations. */
import {describe, expect, test} from 'vitest';
import {account} from './demo-world.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {recordedSandbox, type RecordedSandbox} from './server.js';

const lines = ({exchanges}: RecordedSandbox) => exchanges.map(({received: {method, target}}) => `${method} ${target}`);
const bob = account('bob');

describe.each(['2026', '0.12.6'] as const)('like %s', (like) => {
  test.concurrent('a handle is looked up once, for any number of targets', async () => {
    await using server = await recordedSandbox({like});
    const args = ['mutes', 'add', '@bob', 'bob@' + new URL(server.url).host, `${server.url}/@bob`, bob, '--concurrency', '1', '--json'];
    const {status, stdout} = await run(args, {env: server.env});
    expect({status, targets: JSON.parse(stdout).length}).toEqual({status: 0, targets: 3});
    expect(lines(server)).toEqual(['GET /api/v1.1/accounts/username/bob', ...Array(3).fill(`POST /api/v1/accounts/${bob}/mute`)]);
  });
});

describe('45 handles in one run, like 0.12.6', () => {
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

  test.concurrent('45 handles in one run, like 0.12.6 are found without waiting, and confirmed by the next run', async () => {
    await using server = await recordedSandbox({like: '0.12.6', seed: {accounts: [{acct: 'ana'}, ...people]}});
    const env = {...server.env, XDG_CACHE_HOME: newFolder()};
    const args = ['mutes', 'add', ...handles, '--concurrency', '1', '--max-wait', '0', '--yes', '--json'];
    expect(await run(args, {env})).toMatchObject({status: 0});
    expect(counted(server)).toEqual({
      '200 GET /api/v1.1/accounts/username/…': 30,
      '429 GET /api/v1.1/accounts/username/…': 1,
      '200 POST /api/v1.1/direct/lookup': 15,
      '200 POST /api/v1/accounts/…/mute': 45,
    });
    const before = server.exchanges.length;
    const again = await run(['mutes', 'remove', ...handles, '--concurrency', '1', '--yes', '-v'], {env});
    expect(again).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^\* @person10 is account \d+ \(from an earlier run, confirmed\)$/m),
    });
    expect(
      lines(server)
        .slice(before)
        .filter((line) => /username|lookup/.test(line)),
    ).toEqual([]);
  });
});
