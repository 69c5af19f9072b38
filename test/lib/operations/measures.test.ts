/** The follows to domains that a Mastodon server counts: one request for each, kept for a day. */
import {readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {measuresOf} from '../../../src/lib/operations/measures.js';
import {clientOf, json} from '../../loopback-server.js';
import {listServer, type ListServer} from '../client/list-server.js';
import {answeringServer} from './answering-server.js';
import {newFolder} from '../../new-folder.js';

const start = Date.parse('2026-11-22T10:00:00Z');
const day = 24 * 60 * 60 * 1000;
const totals = (total: unknown) => [{key: 'instance_follows', unit: null, total, data: []}];

const measured = (server: ListServer, domains: readonly string[], folder?: string, after = 0) =>
  measuresOf(domains, {client: clientOf(server.url, {retries: 0}), origin: server.url.origin, folder, now: start + after});

test('each domain is asked about once a day, also by later runs', async () => {
  const server = await listServer(() => ({body: totals('3')}));
  const folder = join(newFolder(), 'cache');
  expect((await measured(server, ['a.example', 'a.example', 'b.example'], folder)).get('b.example')).toBe(3);
  expect(server.targets).toHaveLength(2);
  expect((await measured(server, ['a.example', 'c.example'], folder, day - 1)).size).toBe(2);
  expect(server.targets).toHaveLength(3);
  await measured(server, ['a.example'], folder, day);
  expect(server.targets).toHaveLength(4);
  const [file = ''] = readdirSync(folder);
  writeFileSync(join(folder, file), '{"domains": [{"domain": "a.example", "follows": -1}]}');
  expect((await measured(server, ['a.example'], folder)).get('a.example')).toBe(3);
});

test.each([
  ['a text that is no number', totals('many')],
  ['a negative number', totals('-1')],
  ['a part of one', totals('2.5')],
  ['a missing measure', []],
  ['a number', totals(0)],
])('%s counts as none', async (_, body) => {
  const server = await listServer(() => ({body}));
  expect((await measured(server, ['a.example'])).get('a.example')).toBe(0);
});

test('what was measured before a failure is kept', async () => {
  const isFirst = (body: unknown) => /"s[0-3]\.example"/.test(JSON.stringify(body));
  const {client, asked} = await answeringServer(({body}) => (isFirst(body) ? totals('1') : json({error: 'x'}, 502)));
  const folder = newFolder();
  const domains = Array.from({length: 9}, (_, index) => `s${index}.example`);
  const ask = (some: readonly string[]) => measuresOf(some, {client, origin: client.server.origin, folder, now: start});
  await expect(ask(domains)).rejects.toMatchObject({code: 'unavailable'});
  const before = asked.length;
  expect((await ask(domains.slice(0, 4))).size).toBe(4);
  expect(asked).toHaveLength(before);
});
