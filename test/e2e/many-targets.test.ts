import {describe, expect, test} from 'vitest';
import {conversation} from './demo-world.js';
import {run} from './in-process.js';
import {runShell, start} from './program.js';
import {recordedSandbox} from './server.js';
import {serverThat} from '../server.js';

test.concurrent('25,000 targets fit into a heap of 31 MB', async () => {
  await using server = await serverThat(() => ({status: 422, text: '{"error": "No"}'}));
  const count = 25_000;
  const item = (index: number) =>
    `{"id":"${1029249430941045799n + BigInt(index)}","participants":[{"acct":"someone@remote.example"}],"state":"active"}\n`;
  const stdin = Array.from({length: count}, (_, index) => item(index)).join('');
  // The first failure ends the run: all targets are there by then.
  const args = ['dm', 'accept', '-', '-o', 'ndjson', '--fail-fast', '--concurrency', '1'];
  const ended = await start(args, {env: {...server.env, NODE_OPTIONS: '--max-old-space-size=31'}, stdin}).ended;
  expect(ended).toMatchObject({status: 11, stderr: expect.stringContaining('24,999 more were not sent')});
});

describe('the output of one command is input of another:', () => {
  test.concurrent('results, as CSV', async () => {
    await using server = await recordedSandbox();
    const remove = 'pixelctl domain-blocks remove -';
    const line = `pixelctl domain-blocks list -o csv | ${remove} -o csv | ${remove} --json`;
    expect(await runShell(line, {env: server.env})).toMatchObject({status: 0, stderr: ''});
    expect((await run(['domain-blocks', 'list', '--json'], {env: server.env})).stdout).toBe('[]\n');
  });

  test.concurrent('every message request, while it is listed', async () => {
    await using server = await recordedSandbox();
    const line = 'pixelctl dm list --filter requests --all -o ndjson | pixelctl dm accept - --yes -o ndjson';
    const {status, stdout, stderr} = await runShell(line, {env: server.env});
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(JSON.parse(stdout)).toMatchObject({target: conversation('sly').id, ok: true, body: {state: 'active'}});
    expect((await run(['dm', 'list', '--filter', 'requests', '-o', 'ndjson'], {env: server.env})).stdout).toBe('');
  });
});
