import {describe, expect, test} from 'vitest';
import {conversation, filter} from './demo-world.js';
import {run, runShell} from './program.js';
import {recordedSandbox, serverThat} from './server.js';
import {expectDiscreet, failing, failureIn} from './told.js';

const [spoilers, crypto] = [filter('Spoilers'), filter('Crypto')];
const [withBob, withSly] = [conversation('bob').id, conversation('sly').id];

describe('several targets of which one is bad', () => {
  test.concurrent('are one result each, for scripts', async () => {
    await using server = await recordedSandbox();
    const {stdout, stderr, status} = await run(['filters', 'delete', spoilers, '999', crypto, '--yes', '--json'], {env: server.env});
    expect(status).toBe(11);
    expect(failureIn(stderr)).toMatchObject({code: 'partial', exit: 11, message: '1 of 3 failed', status: null, hint: expect.stringContaining('results')});
    const request = {status: 404, method: 'DELETE', path: '/api/v2/filters/999'};
    const error = {code: 'not_found', exit: 4, ...request, message: expect.stringContaining('(404)'), hint: expect.any(String)};
    expect(JSON.parse(stdout)).toEqual([
      {target: spoilers, ok: true, status: 200, body: expect.anything()},
      {target: '999', ok: false, status: 404, error},
      {target: crypto, ok: true, status: 200, body: expect.anything()},
    ]);
    expect(stdout.endsWith(']\n')).toBe(true);
    expect(server.exchanges).toHaveLength(3);
  });

  test.concurrent('are one line each, for people', async () => {
    await using server = await recordedSandbox();
    const ended = await run(['dm', 'mute', withBob, '999', withSly], {env: server.env});
    expect(ended).toMatchObject({status: 11, stderr: 'Error: 1 of 3 failed\nHint: the results say which, and why\n'});
    expect(ended.stdout.split('\n')).toEqual([
      expect.stringMatching(/^target +result +status +error$/),
      expect.stringMatching(new RegExp(`^${withBob} +ok +200 +–$`)),
      expect.stringMatching(/^999 +failed +404 +127.+\(404\)$/),
      expect.stringMatching(new RegExp(`^${withSly} +ok +200 +–$`)),
      '',
    ]);
    expectDiscreet(ended);
  });

  test.concurrent('all bad, without an answer', async () => {
    const env = {PIXELCTL_SERVER: 'http://127.0.0.1:9', PIXELCTL_TOKEN: 'canary'};
    const {stdout, stderr, status} = await run(['dm', 'mute', '1', '2', '--retries', '0', '--json'], {env});
    expect({status, failure: failureIn(stderr).message}).toEqual({status: 11, failure: '2 of 2 failed'});
    expect(JSON.parse(stdout)).toMatchObject([{target: '1', ok: false, status: null, error: {code: 'unavailable'}}, {target: '2', ok: false}]);
  });
});

test.concurrent('a token that is refused stops the run', async () => {
  await using server = await recordedSandbox();
  const env = {...server.env, PIXELCTL_TOKEN: 'canary-of-a-wrong-token'};
  const {failure} = await failing(['dm', 'mute', withBob, withSly, '3', '--concurrency', '1'], {env});
  expect(failure).toMatchObject({code: 'auth', exit: 3, status: 401, message: expect.stringContaining('2 more were not sent')});
});

test.concurrent('one target is one answer, and - is results even for one', async () => {
  await using server = await recordedSandbox();
  const {env} = server;
  const [single, piped] = await Promise.all([
    run(['dm', 'read', withBob, '--json'], {env}),
    run(['dm', 'read', '-', '--json'], {env, stdin: `# the one with Bob\n${withBob}\n\n${withBob}\n`}),
  ]);
  expect(JSON.parse(single.stdout)).toMatchObject({id: withBob, unread_count: 0});
  expect(JSON.parse(piped.stdout)).toEqual([{target: withBob, ok: true, status: 200, body: JSON.parse(single.stdout)}]);
});

test.concurrent('results keep numbers as they came', async () => {
  await using server = await serverThat(() => ({text: '{ "id": 12345678901234567890, "price": 2.50, "id": 1 }'}));
  const {stdout} = await run(['dm', 'mute', '1', '2', '--json'], {env: server.env});
  expect(stdout).toContain('"body":{"id":12345678901234567890,"price":2.50,"id":1}');
});

describe('what one command prints, another takes:', () => {
  test.concurrent('a list of texts', async () => {
    await using server = await recordedSandbox();
    const {status, stderr} = await runShell('pixelctl domain-blocks list --json | pixelctl domain-blocks remove - --json', {env: server.env});
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect((await run(['domain-blocks', 'list', '--json'], {env: server.env})).stdout).toBe('[]\n');
  });

  test.concurrent('a list of objects, and results', async () => {
    await using server = await recordedSandbox();
    const line = 'pixelctl filters list --json | pixelctl filters delete - --yes --json | pixelctl filters delete - --yes --json';
    const {status, stdout} = await runShell(line, {env: server.env});
    expect(status).toBe(11);
    expect(JSON.parse(stdout)).toMatchObject([{target: '1', ok: false}, {target: '2', ok: false}, {target: '3', ok: false}]);
  });

  test.concurrent('not what names no target', async () => {
    await using server = await recordedSandbox();
    const {failure} = await failing(['filters', 'delete', '-', '--yes'], {env: server.env, stdin: '1\n{"title": "Film"}\n'});
    expect(failure).toMatchObject({code: 'usage', exit: 2, message: expect.stringMatching(/^Line 2 of standard input names no target/)});
    expect(server.exchanges).toEqual([]);
  });

  test.concurrent('of nothing, nothing is made', async () => {
    await using server = await recordedSandbox();
    expect(await run(['filters', 'delete', '-', '--yes', '--json'], {env: server.env})).toMatchObject({status: 0, stdout: '[]\n', stderr: ''});
    expect(server.exchanges).toEqual([]);
  });
});
