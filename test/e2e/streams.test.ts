import {existsSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {runShell, type Ended} from './program.js';
import {serverThat} from './server.js';
import {expectDiscreet} from './told.js';

/** More than any pipe holds: whoever writes it sees that its reader has gone. */
const large = JSON.stringify(
  Array.from({length: 4000}, (_, index) => ({id: String(index), title: 'A title that is quite long '.repeat(4)})),
);

const statusOf = ({stderr}: Ended): string =>
  stderr
    .split('\n')
    .filter((line) => line.startsWith('status '))
    .join();

describe('a reader that leaves', () => {
  test.concurrent.each(['--json', ''])('a reader that leaves is not a failure: filters list %s', async (form) => {
    await using server = await serverThat(() => ({text: large}));
    const ended = await runShell(`{ pixelctl filters list ${form}; echo "status $?" >&2; } | head -c 1`, {env: server.env});
    expect(ended).toMatchObject({stderr: 'status 0\n', stdout: expect.stringMatching(/^[[i]$/)});
  });

  test.concurrent('a reader that leaves is not a failure for help', async () => {
    const {stderr} = await runShell('{ pixelctl filters update --help; echo "status $?" >&2; } | true');
    expect(stderr).toBe('status 0\n');
  });

  test.concurrent('a reader that leaves of standard error does not change the exit status', async () => {
    await using server = await serverThat(() => ({status: 404, text: '{"error": ""}'}));
    const {stdout} = await runShell('exec 3>&1; { pixelctl filters get 1 2>&1; echo "status $?" >&3; } | true', {env: server.env});
    expect(stdout).toBe('status 4\n');
  });
});

describe.runIf(existsSync('/dev/full'))('a full disk', () => {
  test.concurrent.each([
    ['table', 'filters list', /^Error: Cannot write to standard output: the disk is full\nHint: .+\nstatus 9\n$/],
    ['help', 'filters list --help', /status 9\n$/],
    ['front page', '--help', /status 9\n$/],
  ])('%s', async (_, args, told) => {
    await using server = await serverThat(() => ({text: '[{"id": "1"}]'}));
    const ended = await runShell(`pixelctl ${args} > /dev/full; echo "status $?" >&2`, {env: server.env});
    expect(ended.stderr).toMatch(told);
    expectDiscreet(ended);
  });

  test.concurrent('a full disk for standard error changes nothing', async () => {
    await using server = await serverThat(() => ({text: '{}'}));
    const ended = await runShell('pixelctl filters delete 1 --yes 2> /dev/full; echo "status $?" >&2', {env: server.env});
    expect(statusOf(ended)).toBe('status 0');
  });
});

test.concurrent('a closed standard output is treated like a reader that left', async () => {
  await using server = await serverThat(() => ({text: '[]'}));
  expect(statusOf(await runShell('pixelctl filters list --json >&-; echo "status $?" >&2', {env: server.env}))).toBe('status 0');
});
