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

test.concurrent.each([[[]], [['GET']]])('a request needs PATH: api %j', async (args) => {
  expect((await failing(['api', ...args])).failure).toMatchObject({code: 'usage', message: 'Missing: PATH'});
});
