import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {account} from './demo-world.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {recordedSandbox, serverThat, type Exchange} from './server.js';
import {failing} from './told.js';

const requestOf = ({received: {method, target, body}}: Exchange): string => [method, target, body.toString()].join(' ').trim();

describe('api sends:', () => {
  test.concurrent.each<readonly [args: readonly string[], request: string]>([
    [['get', 'api/v1/instance'], 'GET /api/v1/instance'],
    [
      ['GET', '/x?limit=2', '--field', 'types[]=follow', '--field', 'types[]=mention'],
      'GET /x?limit=2&types%5B%5D=follow&types%5B%5D=mention',
    ],
    [['POST', '/api/v1/statuses/1/favourite'], 'POST /api/v1/statuses/1/favourite'],
    [['POST', '/x', '--field', 'a=b=c', '--field', 'list[]=1', '--field', 'list[]=2'], 'POST /x {"a":"b=c","list":["1","2"]}'],
    [
      ['PUT', '/x', '--json-field', 'n=12345678901234567890', '--json-field', 'o={"p": 2.50}'],
      'PUT /x {"n":12345678901234567890,"o":{"p":2.50}}',
    ],
    [['PATCH', '/x', '--input', 'body.json', '--field', 'title=Films'], 'PATCH /x {"title":"Films","count":2.50}'],
    [['DELETE', '/x/..%2F1', '--field', 'id=1'], 'DELETE /x/..%2F1 {"id":"1"}'],
  ])('%j', async (args, request) => {
    await using server = await serverThat(() => ({text: '{}'}));
    const folder = newFolder();
    writeFileSync(join(folder, 'body.json'), '{"title": "Film", "count": 2.50}');
    expect(await run(['api', ...args, '--json'], {env: server.env, folder})).toMatchObject({status: 0, stdout: '{}\n', stderr: ''});
    expect(server.exchanges.map(requestOf)).toEqual([request]);
    expect(server.exchanges[0]?.received.headers['authorization']).toBe('Bearer token-of-a-test');
  });
});

test.concurrent('sends files as a form', async () => {
  await using server = await recordedSandbox();
  const folder = newFolder();
  writeFileSync(join(folder, 'harbour.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0]));
  const {stdout, status} = await run(['api', 'POST', '/api/v2/media', '--file', 'file=@harbour.jpg', '--json'], {env: server.env, folder});
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({type: 'document'});
  expect(server.exchanges[0]?.received.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
});

test.concurrent('sends given headers, without secrets', async () => {
  await using server = await serverThat(() => ({text: '{}'}));
  expect(await run(['api', 'GET', '/x', '--header', 'X-PIXELFED-APP: 2'], {env: server.env})).toMatchObject({status: 0});
  expect(server.exchanges[0]?.received.headers['x-pixelfed-app']).toBe('2');
  const {failure} = await failing(['api', 'GET', '/x', '--header', 'Cookie: canary'], {env: server.env});
  expect(failure).toMatchObject({code: 'usage', exit: 2, message: '--header cannot set cookie'});
});

test.concurrent('blocks an account and shows it, as the help of blocks list says', async () => {
  await using server = await recordedSandbox();
  const bob = account('bob');
  const blocked = await run(['api', 'POST', `/api/v1/accounts/${bob}/block`], {env: server.env});
  expect(blocked).toMatchObject({status: 0, stdout: expect.stringMatching(/blocking +yes/)});
  expect((await run(['blocks', 'list'], {env: server.env})).stdout).toContain(`${bob}  @bob`);
});

test.concurrent('prints any response with unmodified numbers', async () => {
  await using server = await serverThat(() => ({text: '[12345678901234567890, 2.50]'}));
  const [raw, table] = await Promise.all([
    run(['api', 'GET', '/x', '--json'], {env: server.env}),
    run(['api', 'GET', '/x'], {env: server.env}),
  ]);
  expect(raw).toMatchObject({status: 0, stdout: '[12345678901234567890, 2.50]\n'});
  expect(table).toMatchObject({status: 0, stdout: 'value\n12345678901234567890\n2.50\n'});
});

test.concurrent('accepts a response without a body', async () => {
  await using server = await serverThat(() => ({status: 204, text: ''}));
  expect(await run(['api', 'DELETE', '/x'], {env: server.env})).toMatchObject({
    status: 0,
    stdout: '',
    stderr: 'Done (204); the response is empty.\n',
  });
});

test.concurrent('fails like any command', async () => {
  await using server = await recordedSandbox();
  const {failure} = await failing(['api', 'POST', '/api/v2/filters', '--field', 'title=Film'], {env: server.env});
  expect(failure).toMatchObject({code: 'refused', exit: 5, status: 422, method: 'POST', path: '/api/v2/filters'});
  const {failure: unknown} = await failing(['api', 'GET', '/api/v9/nowhere'], {env: server.env});
  expect(unknown).toMatchObject({code: 'not_found', exit: 4, status: 404, message: expect.stringContaining('The route')});
});

const elsewhere = ['https://elsewhere.example/x', '//elsewhere.example/x', String.raw`/\elsewhere.example/x`];

test.concurrent.each(elsewhere)('%s is on another server, and is refused', async (path) => {
  await using server = await serverThat(() => ({text: '{}'}));
  const {failure} = await failing(['api', 'GET', path], {env: server.env});
  expect(failure).toMatchObject({code: 'usage', exit: 2, message: expect.stringContaining('PATH is not on')});
  expect(server.exchanges).toEqual([]);
});

test.concurrent('a request without a token sends none', async () => {
  await using server = await serverThat(({headers}) => ({text: JSON.stringify({token: headers['authorization'] ?? null})}));
  expect(await run(['api', 'GET', '/x', '--json'], {env: {PIXELCTL_SERVER: server.url}})).toMatchObject({
    status: 0,
    stdout: '{"token":null}\n',
  });
});

describe('api follows the pages of a list', () => {
  /** Three pages of accounts, each of which names the next one. @param broken the page that fails */
  const paged = (broken?: number) =>
    serverThat(({target}) => {
      const page = Number(new URL(target, 'http://x.invalid').searchParams.get('page') ?? 1);
      if (page === broken) return {status: 404, text: '{"error": "Gone"}'};
      const link = `<https://other.example/api/v1/accounts/5/followers?page=${page + 1}>; rel="next"`;
      return {
        text: JSON.stringify([{id: `${page}1`, n: 2.5}, {id: `${page}2`}]),
        headers: page < 3 ? {link} : {link: link.replace('next', 'prev').replace(/\d>/, '2>')},
      };
    });
  const followers = ['api', '/api/v1/accounts/5/followers', '--field', 'limit=2'];
  const targets = (server: {readonly exchanges: readonly Exchange[]}) => server.exchanges.map(({received: {target}}) => target);

  test.concurrent.each([
    [
      ['--all', '--json'],
      '[\n{"id":"11","n":2.5},\n{"id":"12"},\n{"id":"21","n":2.5},\n{"id":"22"},\n{"id":"31","n":2.5},\n{"id":"32"}\n]\n',
      3,
    ],
    [['--all', '-o', 'ndjson', '--fields', 'id'], ['11', '12', '21', '22', '31', '32'].map((id) => `{"id":"${id}"}\n`).join(''), 3],
    [['--max', '3', '--jq', '.[].id'], '11\n12\n21\n', 2],
    [['--max', '2', '-o', 'csv', '--fields', 'id'], 'id\r\n11\r\n12\r\n', 1],
  ] as const)('%j', async (flags, stdout, pages) => {
    await using server = await paged();
    expect(await run([...followers, ...flags], {env: server.env})).toMatchObject({status: 0, stdout, stderr: ''});
    const path = '/api/v1/accounts/5/followers';
    const all = [`${path}?limit=2`, `${path}?limit=2&page=2`, `${path}?limit=2&page=3`];
    expect(targets(server)).toEqual(all.slice(0, pages));
  });

  test.concurrent('prints what came before a page that fails, and says where to go on', async () => {
    await using server = await paged(2);
    const {status, stdout, stderr} = await run([...followers, '--all', '--json'], {env: server.env});
    expect({status, stdout: JSON.parse(stdout)}).toEqual({status: 4, stdout: [{id: '11', n: 2.5}, {id: '12'}]});
    const [, cursor = ''] = /--resume-from '([^']+)'/.exec(stderr) ?? [];
    await using whole = await paged();
    const rest = await run([...followers, '--resume-from', cursor, '--jq', '.[].id'], {env: whole.env});
    expect(rest).toMatchObject({status: 0, stdout: '21\n22\n31\n32\n'});
  });

  test.concurrent('says that there may be more where the answer has no Link header', async () => {
    await using server = await serverThat(() => ({text: '[{"id":"1"}]'}));
    expect(await run(['api', '/x', '--all', '-o', 'ndjson'], {env: server.env})).toMatchObject({
      status: 0,
      stdout: '{"id":"1"}\n',
      stderr: 'Showing 1; there may be more: the response has no Link header, which names the next page.\n',
    });
    expect(await run(['api', '/x', '--max', '1', '--json'], {env: server.env})).toMatchObject({status: 0, stderr: ''});
  });

  test.concurrent.each([
    [['/x', '--all', '--json'], '{"data":[]}', 8, 'expected array, got object'],
    [['/x', '--max', '2'], '', 8, 'Error: '],
    [['POST', '/x', '--all'], '[]', 2, '--all is for GET'],
    [['DELETE', '/x', '--max', '2'], '[]', 2, '--max is for GET'],
    [['/x', '--all', '--resume-from', '/y?page=2'], '[]', 2, 'The cursor belongs to another list'],
  ] as const)('refuses %j of %j', async (words, text, status, message) => {
    await using server = await serverThat(() => ({text}));
    expect(await run(['api', ...words], {env: server.env})).toMatchObject({status, stdout: '', stderr: expect.stringContaining(message)});
    expect(server.exchanges).toHaveLength(status === 2 ? 0 : 1);
  });
});

test.concurrent.each([[[]], [['GET']]])('a request needs PATH: api %j', async (args) => {
  expect((await failing(['api', ...args])).failure).toMatchObject({code: 'usage', message: 'Missing: PATH'});
});
