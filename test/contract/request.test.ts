import {afterAll, describe, expect, test} from 'vitest';
import {getConfiguration} from '../../src/lib/api/config.js';
import {failureOf} from '../failure-of.js';
import {jsonAnswer, startServer, token} from './scripted-server.js';
import type {Received} from '../server.js';
import {asAsked, rowOf, table} from '../endpoints/table.js';

const server = await startServer();
const client = server.client();
afterAll(() => server.stop());

const cases = table.flatMap((row) => row.requests.map((request) => ({...row, ...request})));

/** The fields of a multipart body in their order; files as `name content-type`. */
async function formOf({headers, body}: Received): Promise<[string, string][]> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(body), {headers: {'content-type': type}}).formData();
  return [...form].map(([name, value]) => [name, typeof value === 'string' ? value : `${value.name} ${value.type}`]);
}

describe.each(cases)('$command: $sends', ({command, endpoint, input, sends, json, form, answer}) => {
  async function sent(): Promise<Received> {
    server.answers(jsonAnswer(asAsked(answer, json)));
    await client.call(endpoint, input);
    const [request, ...more] = server.received;
    if (request === undefined || more.length > 0) throw new Error(`${server.received.length} requests were sent`);
    return request;
  }

  test('method, path and query are the documented ones', async () => {
    const {method, target} = await sent();
    expect(`${method} ${decodeURIComponent(target)}`).toBe(sends);
  });

  test('the body is the documented one', async () => {
    const request = await sent();
    const text = request.body.toString();
    if (form !== undefined) expect(await formOf(request)).toEqual(form);
    else expect(text === '' ? undefined : JSON.parse(text)).toEqual(json);
  });

  test('the headers are these and no others', async () => {
    const {headers, body} = await sent();
    const ofConnection = ['host', 'connection', 'accept-encoding', 'user-agent', 'content-length'];
    const own = Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
    expect(Object.fromEntries(own)).toEqual({
      accept: 'application/json',
      ...(command !== 'config' && {authorization: `Bearer ${token}`}),
      ...(command.startsWith('push ') && {'x-pixelfed-app': '1'}),
      ...(json !== undefined && {'content-type': 'application/json'}),
      ...(form !== undefined && {'content-type': expect.stringMatching(/^multipart\/form-data; boundary=\S+$/)}),
    });
    expect(Number(headers['content-length'] ?? 0)).toBe(body.length);
  });
});

const required = table.flatMap(({command, required: fields = {}}) =>
  (['query', 'body'] as const).flatMap((part) => (fields[part] ?? []).map((name) => [command, part, name] as const)),
);

test.each(required)('%s: sends nothing without the %s field %s', async (command, part, name) => {
  const {endpoint, requests, answer} = rowOf(command);
  const given = Object.entries(requests[0].input[part] ?? {}).filter(([field]) => field !== name);
  server.answers(jsonAnswer(answer));
  const failure = await failureOf(client.call(endpoint, {...requests[0].input, [part]: Object.fromEntries(given)}));
  expect(failure.code).toBe('usage');
  expect(failure.message).toContain(name);
  expect(server.received).toEqual([]);
});

test('config does not look for a token', async () => {
  const looking = server.client({token: () => Promise.reject(new Error('looked for a token'))});
  server.answers(jsonAnswer({}));
  await looking.call(getConfiguration, {});
  expect(server.received).toHaveLength(1);
});

test.each(table.filter(({command}) => command !== 'config'))('$command: sends nothing without a token', async (row) => {
  server.answers(jsonAnswer(row.answer));
  const failure = await failureOf(server.client({token: async () => undefined}).call(row.endpoint, row.requests[0].input));
  expect(failure.code).toBe('auth');
  expect(server.received).toEqual([]);
});
