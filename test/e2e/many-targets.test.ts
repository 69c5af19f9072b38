import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {conversation, filter} from './demo-world.js';
import {run} from './in-process.js';
import {newFolder, runShell, start} from './program.js';
import {recordedSandbox, serverThat} from './server.js';
import {expectDiscreet, failing, failureIn} from './told.js';

const [spoilers, crypto] = [filter('Spoilers'), filter('Crypto')];
const [withBob, withSly] = [conversation('bob').id, conversation('sly').id];

/** What a dry run would send. */
interface Requests {
  readonly paths: readonly (string | undefined)[];
  readonly bodies: readonly Record<string, unknown>[];
}

describe('several targets of which one fails', () => {
  test.concurrent('print one JSON result each', async () => {
    await using server = await recordedSandbox();
    const {stdout, stderr, status} = await run(['filters', 'delete', spoilers, '999', crypto, '--yes', '--json'], {env: server.env});
    expect(status).toBe(11);
    expect(failureIn(stderr)).toMatchObject({
      code: 'partial',
      exit: 11,
      message: '1 of 3 failed',
      status: null,
      hint: expect.stringContaining('results'),
    });
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

  test.concurrent('print one table row each', async () => {
    await using server = await recordedSandbox();
    const ended = await run(['dm', 'mute', withBob, '999', withSly], {env: server.env});
    expect(ended).toMatchObject({status: 11, stderr: 'Error: 1 of 3 failed\nHint: the results show which ones and why\n'});
    expect(ended.stdout.split('\n')).toEqual([
      expect.stringMatching(/^target +result +status +error$/),
      expect.stringMatching(new RegExp(`^${withBob} +ok +200 +–$`)),
      expect.stringMatching(/^999 +failed +404 +127.+\(404\)$/),
      expect.stringMatching(new RegExp(`^${withSly} +ok +200 +–$`)),
      '',
    ]);
    expectDiscreet(ended);
  });

  test.concurrent('several targets that all get no response are partial as well', async () => {
    const env = {PIXELCTL_SERVER: 'http://127.0.0.1:9', PIXELCTL_TOKEN: 'canary'};
    const {stdout, stderr, status} = await run(['dm', 'mute', '1', '2', '--retries', '0', '--json'], {env});
    expect({status, failure: failureIn(stderr).message}).toEqual({status: 11, failure: '2 of 2 failed'});
    expect(JSON.parse(stdout)).toMatchObject([
      {target: '1', ok: false, status: null, error: {code: 'unavailable'}},
      {target: '2', ok: false},
    ]);
  });
});

test.concurrent('a refused token stops the run', async () => {
  await using server = await recordedSandbox();
  const env = {...server.env, PIXELCTL_TOKEN: 'canary-of-a-wrong-token'};
  const {failure} = await failing(['dm', 'mute', withBob, withSly, '3', '--concurrency', '1'], {env});
  expect(failure).toMatchObject({code: 'auth', exit: 3, status: 401, message: expect.stringContaining('2 more were not sent')});
});

test.concurrent('one argument prints the response, and - prints results', async () => {
  await using server = await recordedSandbox();
  const {env} = server;
  const [single, piped] = await Promise.all([
    run(['dm', 'read', withBob, '--json'], {env}),
    run(['dm', 'read', '-', '--json'], {env, stdin: `# the one with Bob\n${withBob}\n\n${withBob}\n`}),
  ]);
  expect(JSON.parse(single.stdout)).toMatchObject({id: withBob, unread_count: 0});
  expect(JSON.parse(piped.stdout)).toEqual([{target: withBob, ok: true, status: 200, body: JSON.parse(single.stdout)}]);
});

test.concurrent('results have unmodified numbers', async () => {
  await using server = await serverThat(() => ({text: '{ "big": 12345678901234567890, "price": 2.50, "id": 2, "id": 1 }'}));
  const {stdout} = await run(['dm', 'mute', '1', '2', '--json'], {env: server.env});
  expect(stdout).toContain('"body":{"big":12345678901234567890,"price":2.50,"id":1}');
});

describe('a list of targets', () => {
  const sentBy = async (stdin: string, ...args: readonly string[]) => {
    await using server = await serverThat(() => ({text: '[]'}));
    const folder = newFolder();
    writeFileSync(join(folder, 'list'), stdin);
    const ended = await run(['domain-blocks', 'add', ...args, '--yes', '-o', 'ndjson', '--concurrency', '1'], {
      env: server.env,
      folder,
      stdin,
    });
    return {...ended, sent: server.exchanges.map(({received}) => JSON.parse(received.body.toString()).domain)};
  };

  test.concurrent('a list of targets can mix notations, and repeated targets are sent once', async () => {
    const list =
      '# mine\r\nbad.example\r\n{"domain": "worse.example"}\r\nhttps://BAD.example/about\r\n"m\u00fcnchen.example"\nxn--mnchen-3ya.example.\n';
    const {status, sent} = await sentBy(list, '--from', 'list', 'Worse.Example');
    expect(status).toBe(0);
    expect(sent).toEqual(['https://worse.example', 'https://bad.example', 'https://xn--mnchen-3ya.example']);
  });

  test.concurrent('a list of targets can be an admin export of Mastodon', async () => {
    const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate';
    const rows = ['bad.example,suspend,false,false,"spam, and ""more""",false', 'worse.example,silence,true,false,,false'];
    expect((await sentBy([header, ...rows, ''].join('\n'), '-')).sent).toEqual(['https://bad.example', 'https://worse.example']);
  });

  const broken = 'good.example\nnot a domain\n{"name": "x"}\n{"domain": \nbad.example,suspend\n';

  test.concurrent('a list of targets with invalid lines is refused with their numbers', async () => {
    const {status, stderr, stdout, sent} = await sentBy(broken, '-');
    expect({status, stdout, sent}).toEqual({status: 2, stdout: '', sent: []});
    for (const number of [2, 3, 4, 5]) expect(stderr).toContain(`Line ${number} of standard input`);
    expect(stderr).toContain('--skip-invalid');
  });

  test.concurrent('skips invalid lines with --skip-invalid', async () => {
    const {status, stderr, sent} = await sentBy(broken, '--from', 'list', '--skip-invalid');
    expect({status, sent}).toEqual({status: 0, sent: ['https://good.example']});
    expect(stderr).toMatch(/^Warning: skipped: .*Line 2 of list.*\n$/);
  });

  test.concurrent('a list of targets is read once from standard input', async () => {
    const {status, stderr, sent} = await sentBy('bad.example', '-', '--from', '-');
    expect({status, sent}).toEqual({status: 2, sent: []});
    expect(stderr).toContain('Only one argument or flag can read standard input');
  });

  test.concurrent('a list of targets of handles is case-insensitive', async () => {
    const found = '{"id": "7", "username": "bo", "acct": "bo@pix.example"}';
    await using server = await serverThat(({target}) => ({text: target.startsWith('/api/v1/accounts/lookup') ? found : '[200]'}));
    const {status} = await run(['thread', 'unmute', '@bo@pix.example', '@Bo@PIX.example', '-o', 'ndjson'], {env: server.env});
    expect(status).toBe(0);
    expect(server.exchanges.filter(({received}) => received.target.endsWith('/unmute'))).toHaveLength(1);
  });

  test.concurrent('a list of targets for one request must be valid as a whole', async () => {
    await using server = await serverThat(() => ({text: '{}'}));
    const ended = await run(['dm', 'start', '-', '--no-limits'], {env: server.env, stdin: '5\n{"acct": "bo"}\n'});
    expect(ended).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Line 2 of standard input looks like an account of an unknown server'),
    });
    expect(server.exchanges).toEqual([]);
  });

  test.concurrent('100,000 targets fit into a heap of 64 MB', async () => {
    await using server = await serverThat(() => ({status: 422, text: '{"error": "No"}'}));
    const count = 100_000;
    const item = (index: number) =>
      `{"id":"${1029249430941045799n + BigInt(index)}","participants":[{"acct":"someone@remote.example"}],"state":"active"}\n`;
    const stdin = Array.from({length: count}, (_, index) => item(index)).join('');
    // The first failure ends the run: all targets are there by then.
    const args = ['dm', 'accept', '-', '-o', 'ndjson', '--fail-fast', '--concurrency', '1'];
    const ended = await start(args, {env: {...server.env, NODE_OPTIONS: '--max-old-space-size=64'}, stdin}).ended;
    expect(ended).toMatchObject({status: 11, stderr: expect.stringContaining(`${count - 1} more were not sent`)});
  });
});

describe('the output of one command is input of another:', () => {
  test.concurrent('a list of strings', async () => {
    await using server = await recordedSandbox();
    const {status, stderr} = await runShell('pixelctl domain-blocks list --json | pixelctl domain-blocks remove - --json', {
      env: server.env,
    });
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect((await run(['domain-blocks', 'list', '--json'], {env: server.env})).stdout).toBe('[]\n');
  });

  test.concurrent('a list of objects, and results', async () => {
    await using server = await recordedSandbox();
    const line = 'pixelctl filters list --json | pixelctl filters delete - --yes --json | pixelctl filters delete - --yes --json';
    const {status, stdout} = await runShell(line, {env: server.env});
    expect(status).toBe(11);
    expect(JSON.parse(stdout)).toMatchObject([
      {target: '1', ok: false},
      {target: '2', ok: false},
      {target: '3', ok: false},
    ]);
  });

  test.concurrent('every message request, while it is listed', async () => {
    await using server = await recordedSandbox();
    const line = 'pixelctl dm list --filter requests --all -o ndjson | pixelctl dm accept - --yes -o ndjson';
    const {status, stdout, stderr} = await runShell(line, {env: server.env});
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect(
      stdout
        .trim()
        .split('\n')
        .map((result) => JSON.parse(result)),
    ).toMatchObject([{target: withSly, ok: true, body: {state: 'active'}}]);
    expect((await run(['dm', 'list', '--filter', 'requests', '-o', 'ndjson'], {env: server.env})).stdout).toBe('');
  });

  test.concurrent.each([
    ['our own CSV', 'pixelctl domain-blocks list -o csv | pixelctl domain-blocks remove - --json'],
    [
      'results as CSV',
      'pixelctl domain-blocks list -o csv | pixelctl domain-blocks remove - -o csv | pixelctl domain-blocks remove - --json',
    ],
  ])('%s', async (_, line) => {
    await using server = await recordedSandbox();
    const {status, stderr} = await runShell(line, {env: server.env});
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    expect((await run(['domain-blocks', 'list', '--json'], {env: server.env})).stdout).toBe('[]\n');
  });

  test.concurrent.each([
    ['thread get @bob', 'thread delete-message -', 'DELETE', (requests: Requests) => requests.bodies],
    ['notifications list', 'blocks add -', 'POST', (requests: Requests) => requests.paths],
    ['notifications list', 'dm start -', 'POST', (requests: Requests) => requests.bodies.flatMap(({recipient_ids: ids}) => ids)],
    ['dm messages @bob', 'dm read -', 'POST', (requests: Requests) => requests.paths],
  ])('%s names what %s needs, not its own ids', async (list, command, method, hit) => {
    await using server = await recordedSandbox();
    const [answer, dryRun] = [
      await run([...list.split(' '), '--json'], {env: server.env}),
      await runShell(`pixelctl ${list} --json --quiet | pixelctl ${command} --dry-run --json`, {env: server.env}),
    ];
    expect(dryRun).toMatchObject({status: 0, stderr: ''});
    const requests = JSON.parse(dryRun.stdout).requests;
    expect(new Set(requests.map((request: {method: string}) => request.method))).toEqual(new Set([method]));
    const sent = hit({
      paths: requests.map(({path}: {path: string}) => path.split('/').at(-2)),
      bodies: requests.map(({body}: {body: object | null}) => body),
    });
    const document = JSON.parse(answer.stdout);
    const ids =
      document.messages?.map(({reportId}: {reportId: string}) => ({id: reportId})) ??
      document.data?.map((message: {conversation_id: string}) => message.conversation_id) ??
      document.map(({account: {acct, url}}: {account: {acct: string; url: string}}) =>
        acct.includes('@') ? `<id of @${acct}>` : `<id of @${acct}@${new URL(url).host}>`,
      );
    expect(sent).toEqual([...new Set(ids)]);
  });

  test.concurrent.each(['csv', 'tsv'])('notifications as %s name their accounts', async (format) => {
    await using server = await recordedSandbox();
    const accounts = await Promise.all(
      ['json', format].map(async (one) => {
        const line = `pixelctl notifications list -o ${one} --quiet | pixelctl blocks add --from - --dry-run --json`;
        const {status, stdout} = await runShell(line, {env: server.env});
        expect(status).toBe(0);
        return JSON.parse(stdout).requests.map(({path}: {path: string}) => path);
      }),
    );
    expect(accounts[0]).not.toEqual([]);
    expect(accounts[1]).toEqual(accounts[0]);
  });

  test.concurrent('objects without a target are no input of another command', async () => {
    await using server = await recordedSandbox();
    const {failure} = await failing(['filters', 'delete', '-', '--yes'], {env: server.env, stdin: '1\n{"title": "Film"}\n'});
    expect(failure).toMatchObject({code: 'usage', exit: 2, message: expect.stringMatching(/^Line 2 of standard input names no filter/)});
    expect(server.exchanges).toEqual([]);
  });

  test.concurrent('an empty list sends nothing', async () => {
    await using server = await recordedSandbox();
    expect(await run(['filters', 'delete', '-', '--yes', '--json'], {env: server.env})).toMatchObject({
      status: 0,
      stdout: '[]\n',
      stderr: '',
    });
    expect(server.exchanges).toEqual([]);
  });
});
