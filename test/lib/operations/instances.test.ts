/** Servers that a Pixelfed server knows: found by exactly their domain, and flagged one request at a time. */
import {expect, test} from 'vitest';
import {findInstance, instanceModeration, instanceReading, readInstances} from '../../../src/lib/operations/instances.js';
import {convertInput, perform, requestsFor} from '../../../src/lib/operations/operation.js';
import {AccountDirectory} from '../../../src/lib/operations/accounts.js';
import type {Client} from '../../../src/lib/client/client.js';
import {identifierAt} from '../../../src/lib/json/path.js';
import type {Failure} from '../../../src/lib/client/failure.js';
import {answeringServer, json, type AnsweringServer} from './answering-server.js';

const via = (client: Client) => ({client, accounts: async () => new AccountDirectory()});

const known = (id: unknown, domain: unknown, more: object = {}) => ({
  id,
  domain,
  software: 'mastodon',
  unlisted: false,
  auto_cw: false,
  banned: false,
  user_count: 3,
  status_count: 5,
  last_crawled_at: null,
  notes: null,
  created_at: '2026-01-01T00:00:00.000000Z',
  ...more,
});

/** Pages of a list, whatever is looked for. */
const pages = (...all: readonly (readonly unknown[])[]): Promise<AnsweringServer> =>
  answeringServer(({line}) => {
    const at = Number(new URL(line.slice(4), 'http://x').searchParams.get('cursor') ?? 0);
    const next = at + 1 < all.length ? String(at + 1) : null;
    return {data: all[at], meta: {path: '', per_page: 10, next_cursor: next, prev_cursor: null}};
  });

test.each([
  ['the one of this domain', [[known(1, 'not.bad.example'), known(2, 'bad.example')]], '2', 1],
  ['one on a later page', [[known(1, 'a.example')], [known(2, 'bad.example')], [known(3, 'c.example')]], '2', 2],
  ['the one in the usual form before others', [[known(1, 'BAD.example'), known(2, 'bad.example')]], '2', 1],
  ['the first of several in other forms', [[known(1, 'BAD.example'), known(2, 'Bad.example.')]], '1', 1],
  ['none, where it is not known', [[known(1, 'worse.example')], []], undefined, 2],
  ['one beside those that cannot be read', [[known(null, 'a.example'), known(1, null), known(2, 'bad.example')]], '2', 1],
])('a server is found: %s', async (_, list, id, requests) => {
  const {client, asked} = await pages(...list);
  const found = await findInstance('bad.example', client);
  expect(found?.id).toBe(id);
  expect(identifierAt(found?.value, ['id'])).toBe(id);
  expect(asked).toHaveLength(requests);
  expect(asked[0]).toContain('q=bad.example');
});

test.each([
  ['an id', known(null, 'a.example')],
  ['an id of digits', known('many', 'bad.example')],
  ['a domain', known(1, null)],
])('a list in which a server without %s could be the wanted one cannot be read', async (_, odd) => {
  const {client} = await pages([odd, known(2, 'b.example')]);
  await expect(findInstance('bad.example', client)).rejects.toMatchObject({
    code: 'bad_answer',
    message: `${client.host}: a server of the list has no usable id or no domain`,
    details: {path: '/api/admin/instances/list', reason: 'shape'},
  });
});

/** A server that knows s1.example to sN.example, and says how many: ten on a page. */
const countingServer = (count: number, said: unknown): Promise<AnsweringServer> =>
  answeringServer(({line}) => {
    const {pathname, searchParams} = new URL(line.slice(4), 'http://x');
    if (pathname.endsWith('/stats')) return said;
    const all = Array.from({length: count}, (_, index) => known(index + 1, `s${index + 1}.example`));
    const found = all.filter(({domain}) => String(domain).includes(searchParams.get('q') ?? ''));
    const from = Number(searchParams.get('cursor') ?? 0);
    const next = from + 10 < found.length ? String(from + 10) : null;
    return {data: found.slice(from, from + 10), meta: {path: '', per_page: 10, next_cursor: next, prev_cursor: null}};
  });

test.each([
  // domains, servers, what the server says, whether the whole list is read
  [2, 1, {instances: '1'}, false],
  [3, 1, {instances: '1'}, true],
  [3, 0, {instances: 0}, true],
  [3, 20, {instances: '20'}, true],
  [3, 20, {instances: 20}, true],
  [3, 21, {instances: '21'}, false],
  [4, 30, {instances: 30}, true],
  [4, 31, {instances: 31}, false],
  [5, 1, {instances: 'many'}, false],
  [5, 1, {}, false],
  [5, 1, undefined, false],
])('%i domains of %i servers, of which it says %j: the whole list is read: %j', async (domains, servers, said, isWhole) => {
  const {client, asked} = await countingServer(servers, said);
  const wanted = Array.from({length: domains}, (_, index) => `s${index + 1}.example`);
  const found = await readInstances(wanted, client);
  const looked = asked.filter((line) => line.includes('q='));
  expect(looked).toHaveLength(isWhole ? 0 : domains);
  expect(wanted.map((domain) => found.get(domain)?.length)).toEqual(wanted.map((_, index) => (index < servers ? 1 : undefined)));
});

test.each([
  ['bad.example', '<id of bad.example>'],
  ['5', '5'],
])('a dry run of reading %s names its id as %s', (named, id) => {
  expect(requestsFor(instanceReading, {query: {id: named}}).map(({method, query}) => [method, Object.fromEntries(query)])).toEqual([
    ['GET', {id}],
  ]);
});

test.each([
  ['bad.example', ['list', 'get']],
  ['7', ['get']],
])('a server is read by %s', async (named, requests) => {
  const {client, asked} = await answeringServer(({line}) =>
    line.includes('/get?id=7')
      ? {data: known(7, 'bad.example')}
      : {data: [known(7, 'bad.example')], meta: {path: '', per_page: 10, next_cursor: null, prev_cursor: null}},
  );
  const {value} = await perform(instanceReading, convertInput(instanceReading, {query: {id: named}}), via(client));
  expect(value).toMatchObject({data: {id: 7}});
  expect(asked.map((line) => /instances\/(\w+)/.exec(line)?.[1])).toEqual(requests);
});

interface Moderation {
  readonly banned?: boolean;
  readonly unlisted?: boolean;
  readonly auto_cw?: boolean;
}

/** A server that knows bad.example as 7, and takes what it is told unless a reply stands for it. */
const moderated = (state: Moderation, replies: Readonly<Record<string, unknown>> = {}): Promise<AnsweringServer> =>
  answeringServer(({line, body}) => {
    if (line.startsWith('GET'))
      return {data: [known(7, 'bad.example', state)], meta: {path: '', per_page: 10, next_cursor: null, prev_cursor: null}};
    const {key, value} = Object(body);
    return replies[key] ?? {data: known(7, 'bad.example', {...state, [key]: value})};
  });

const set = (body: object) => ({body: {domain: 'bad.example', ...body}});

test.each<[Moderation, Moderation, Moderation]>([
  [{}, {banned: true}, {banned: true}],
  [{}, {auto_cw: true, unlisted: true, banned: true}, {banned: true, unlisted: true, auto_cw: true}],
  [{banned: true}, {banned: true, unlisted: true}, {unlisted: true}],
  [{banned: true}, {banned: false}, {banned: false}],
])('of a server with %j that is to have %j, %j is set, in order', async (state, wanted, sent) => {
  const {client, asked} = await moderated(state);
  const answer = await perform(instanceModeration, set(wanted), via(client));
  expect(asked.slice(1)).toEqual(
    Object.entries(sent).map(([key, value]) => `POST /api/admin/instances/moderate {"id":"7","key":"${key}","value":${value}}`),
  );
  expect(Object(answer.value)['data']).toMatchObject({id: 7});
});

test('nothing is sent for a server that is as wanted already, and it is answered as it was read', async () => {
  const {client, asked} = await moderated({banned: true});
  const answer = await perform(instanceModeration, set({banned: true, unlisted: false}), via(client));
  expect(asked).toHaveLength(1);
  expect(answer.value).toEqual({data: known(7, 'bad.example', {banned: true})});
  expect(JSON.parse(answer.text)).toEqual(answer.value);
  expect(answer.mismatches).toEqual([]);
});

test.each<[object, Moderation, string | undefined]>([
  [{notes: 'typed'}, {banned: true}, '--severity=suspend'],
  [{notes: 'typed'}, {unlisted: true, auto_cw: true}, '--severity=silence'],
  [{notes: 'typed'}, {auto_cw: true}, undefined],
  [{notes: 'typed'}, {banned: false}, undefined],
  [{notes: 'typed', banned: true}, {banned: true}, undefined],
  [{notes: ['a comment']}, {banned: true}, undefined],
])('of a server with %j that is to have %j, it is told that the list of blocks breaks: %s', async (state, wanted, severity) => {
  const {client} = await moderated(state);
  const warned: string[] = [];
  await perform(instanceModeration, set(wanted), via({...client, warn: (text) => void warned.push(text)}));
  expect(warned).toEqual(
    severity === undefined
      ? []
      : [expect.stringContaining(`\`pixelctl admin domain-blocks add bad.example ${severity}\` turns the note into a comment`)],
  );
});

test('a failure says what was set before it', async () => {
  const failing = {auto_cw: json({error: 'No'}, 422)};
  const {client} = await moderated({}, failing);
  await expect(perform(instanceModeration, set({banned: true, unlisted: true, auto_cw: true}), via(client))).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/ \(done already: banned, unlisted\)$/),
    details: {done: ['banned', 'unlisted'], status: 422},
  });
});

test('a first failure says nothing of others', async () => {
  const {client} = await moderated({}, {banned: json({error: 'No'}, 422)});
  const failed = perform(instanceModeration, set({banned: true, unlisted: true}), via(client));
  await expect(failed).rejects.toMatchObject({code: 'refused', message: expect.not.stringContaining('done already')});
  await expect(failed).rejects.not.toMatchObject({details: {done: expect.anything()}});
});

test.each<[Moderation, string]>([
  [{banned: true}, '`pixelctl admin domain-blocks add gone.example` blocks servers that are not known yet'],
  [{unlisted: true}, '`pixelctl admin domain-blocks add gone.example` blocks servers that are not known yet'],
  [{auto_cw: true}, '`pixelctl instances list --query=gone.example` lists those with this text in their domain'],
  [{banned: false, unlisted: false}, '`pixelctl instances list --query=gone.example` lists those with this text in their domain'],
])('a server that is not known is not set to %j', async (wanted, hint) => {
  const {client} = await moderated({});
  const failure: Failure = await perform(instanceModeration, {body: {domain: 'gone.example', ...wanted}}, via(client)).then(
    () => expect.unreachable(),
    (error) => error,
  );
  expect(failure).toMatchObject({code: 'not_found', message: `${client.host} does not know gone.example`});
  expect(failure.details.hint).toBe(hint);
});

test.each<[Moderation, boolean]>([
  [{banned: true}, true],
  [{unlisted: true}, true],
  [{auto_cw: true}, false],
  [{banned: false, unlisted: false}, false],
])('setting %j blocks a server: %j', (wanted, does) => {
  expect(instanceModeration.blocksServers?.(set(wanted))).toBe(does);
});

test('a dry run of setting flags names one request for each', () => {
  const requests = requestsFor(instanceModeration, set({unlisted: false, banned: true}));
  expect(requests.map(({body}) => body)).toEqual([
    {json: {id: '<id of bad.example>', key: 'banned', value: true}},
    {json: {id: '<id of bad.example>', key: 'unlisted', value: false}},
  ]);
});
