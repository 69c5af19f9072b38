/** What systems of CI would take for commands in the texts of a server. */
import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {serverThat} from './server.js';

const commands = ['::error::pwned', '  ::set-output name=a::b', 'x ##[error]pwned', '##vso[task.complete]', '##teamcity[buildStop]'];
const row = (username: string, index: number) => ({
  id: String(index),
  username,
  acct: username,
  display_name: username,
  url: 'https://pix.example/x',
});

/** What each system carries out. */
const found = /^\s*::|##\[|##vso\[|##teamcity\[/m;

describe.each(['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION', 'GITLAB_CI'])('where %s is set', (name) => {
  test.concurrent.each([[], ['--fields', 'username,id'], ['--all']])('tables have no commands: %j', async (...flags: string[]) => {
    await using server = await serverThat(() => ({text: JSON.stringify(commands.map(row))}));
    const {stdout, stderr, status} = await run(['blocks', 'list', ...flags], {env: {...server.env, [name]: 'true'}});
    expect(status).toBe(0);
    expect(stdout).toContain('pwned');
    expect(`${stdout}\n${stderr}`).not.toMatch(found);
  });

  test.concurrent('messages on standard error have none', async () => {
    await using server = await serverThat(() => ({status: 422, text: JSON.stringify({error: 'no\n::error::pwned ##[error]x'})}));
    const {stderr} = await run(['filters', 'delete', '1', '2', '--yes'], {env: {...server.env, [name]: 'true'}});
    expect(stderr).not.toMatch(found);
  });
});

test.concurrent.each(['csv', 'tsv', 'json', 'ndjson', 'yaml'])('%s stays exact where a table does not', async (format) => {
  await using server = await serverThat(() => ({text: JSON.stringify(commands.map(row))}));
  const args = ['blocks', 'list', '-o', format, '--fields', 'username'];
  const inside = await run(args, {env: {...server.env, GITHUB_ACTIONS: 'true'}});
  const outside = await run(args, {env: server.env});
  expect(inside.stdout).toBe(outside.stdout);
  expect(inside.stdout).toContain('##[error]');
});

test('elsewhere a table is printed as it is', async () => {
  await using server = await serverThat(() => ({text: JSON.stringify(commands.map(row))}));
  const {stdout} = await run(['blocks', 'list', '--fields', 'username'], {env: {...server.env, GITHUB_ACTIONS: ''}});
  expect(stdout).toMatch(/^::error::pwned$/m);
});
