/** How many accounts of other servers a server knows: in few requests, kept for ten minutes, and never a failure. */
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {userCounts} from '../../../src/lib/operations/user-counts.js';
import {clientOf} from '../../loopback-server.js';
import {listServer, type ListServer} from '../client/list-server.js';

const start = Date.parse('2026-11-22T10:00:00Z');
const minute = 60_000;

interface Known {
  readonly id: number;
  readonly domain: string;
  readonly user_count: number | null;
}

const known = (count: number): Known[] =>
  Array.from({length: count}, (_, index) => ({id: index + 1, domain: `s${index + 1}.example`, user_count: index + 1}));

/** A server that knows others, ten on a page. @param statistics what it says of their number */
async function serverOf(servers: readonly Known[], statistics: unknown = {instances: String(servers.length)}): Promise<ListServer> {
  return listServer((query, path) => {
    if (path.endsWith('/stats')) return statistics === null ? {status: 404, body: {error: ''}} : {body: statistics};
    const found = servers.filter(({domain}) => domain.includes(query.get('q') ?? ''));
    const from = Number(query.get('cursor') ?? 0);
    return {body: {data: found.slice(from, from + 10), meta: {next_cursor: from + 10 < found.length ? String(from + 10) : null}}};
  });
}

const domains = (count: number): string[] => known(count).map(({domain}) => domain);

function counted(server: ListServer, wanted: readonly string[], folder?: string, minutes = 0) {
  const own = {client: clientOf(server.url, {retries: 0}), origin: server.url.origin, folder, now: start + minutes * minute};
  return userCounts(wanted, own);
}

test('few domains are looked for one by one', async () => {
  const server = await serverOf(known(500));
  expect(await counted(server, ['s2.example', 'unknown.example'])).toEqual(
    new Map([
      ['s2.example', 2],
      ['unknown.example', 0],
    ]),
  );
  expect(server.targets).toHaveLength(2);
});

test('the domains of a server that knows many more are looked for one by one', async () => {
  const server = await serverOf(known(500));
  expect((await counted(server, domains(50).slice(40)))?.get('s41.example')).toBe(41);
  expect(server.targets.filter((target) => target.includes('q='))).toHaveLength(10);
  expect(server.targets).toHaveLength(11);
});

test('the whole list is read where that is fewer requests', async () => {
  const server = await serverOf(known(95));
  const counts = await counted(server, [...domains(20), 'unknown.example']);
  expect([counts?.get('s20.example'), counts?.get('unknown.example')]).toEqual([20, 0]);
  expect(server.targets.filter((target) => target.includes('q='))).toEqual([]);
  expect(server.targets).toHaveLength(11);
});

test('domains are looked for one by one where the server does not say how many it knows', async () => {
  const server = await serverOf(known(25), null);
  expect((await counted(server, domains(5)))?.size).toBe(5);
  expect(server.targets.filter((target) => target.includes('q='))).toHaveLength(5);
});

test('a server is counted in whatever form it is stored, and one that is not counted yet is not known to have none', async () => {
  const server = await serverOf([
    {id: 1, domain: 'a.example.', user_count: 7},
    {id: 2, domain: 'b.example', user_count: null},
    {id: 3, domain: 'c.example', user_count: 0},
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-counts-'));
  // The second time from what was kept.
  for (let time = 0; time < 2; time += 1)
    expect(await counted(server, ['a.example', 'b.example', 'c.example', 'd.example'], folder)).toEqual(
      new Map([
        ['a.example', 7],
        ['b.example', null],
        ['c.example', 0],
        ['d.example', 0],
      ]),
    );
});

test('counts are kept for ten minutes, and only what is not known is asked for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-counts-'));
  const server = await serverOf(known(500));
  await counted(server, domains(2), folder);
  expect(server.targets).toHaveLength(2);
  expect((await counted(server, domains(3), folder, 9))?.get('s1.example')).toBe(1);
  expect(server.targets).toHaveLength(3);
  await counted(server, domains(1), folder, 11);
  expect(server.targets).toHaveLength(4);
});

test.each([
  ['a person who is no admin', {status: 404, body: {error: ''}}],
  ['a server without this API', {status: 404, body: {error: 'The route api/admin/instances/list could not be found.'}}],
  ['a server error', {status: 502, body: ''}],
  ['an answer of another shape', {body: {data: [{id: 1, domain: {}}]}}],
])('counts are not known, and nothing fails, with %s', async (_, answer) => {
  const server = await listServer(() => answer);
  expect(await counted(server, domains(5))).toBeUndefined();
});

test('an interrupted run does not go on without the counts', async () => {
  const server = await serverOf(known(3));
  const controller = new AbortController();
  controller.abort(new Failure('interrupted', 'Interrupted'));
  const own = {client: clientOf(server.url, {signal: controller.signal}), origin: server.url.origin, folder: undefined, now: start};
  await expect(userCounts(domains(1), own)).rejects.toMatchObject({code: 'interrupted'});
});
