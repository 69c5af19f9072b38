/** What a Mastodon server counts of domains: one request for each, kept for a day. */
import {mkdtempSync, readdirSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {measuresOf} from '../../../src/lib/operations/measures.js';
import {clientOf, json} from '../../loopback-server.js';
import {listServer, type ListServer} from '../client/list-server.js';
import {answeringServer} from './answering-server.js';

const start = Date.parse('2026-11-22T10:00:00Z');
const day = 24 * 60 * 60 * 1000;
const totals = (...all: readonly unknown[]) =>
  ['instance_accounts', 'instance_follows', 'instance_followers'].map((key, index) => ({key, unit: null, total: all[index], data: []}));

const measured = (server: ListServer, domains: readonly string[], folder?: string, after = 0) =>
  measuresOf(domains, {client: clientOf(server.url, {retries: 0}), origin: server.url.origin, folder, now: start + after});

test('each domain is asked about once a day, also by later runs', async () => {
  const server = await listServer(() => ({body: totals('17', '3', '2')}));
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-measures-'));
  const one = {accounts: 17, follows: 3, followers: 2};
  expect((await measured(server, ['a.example', 'a.example', 'b.example'], folder)).get('b.example')).toMatchObject(one);
  expect(server.targets).toHaveLength(2);
  expect((await measured(server, ['a.example', 'c.example'], folder, day - 1)).size).toBe(2);
  expect(server.targets).toHaveLength(3);
  await measured(server, ['a.example'], folder, day);
  expect(server.targets).toHaveLength(4);
  const [file = ''] = readdirSync(folder);
  writeFileSync(join(folder, file), '{"domains": [{"domain": "a.example", "accounts": -1}]}');
  expect((await measured(server, ['a.example'], folder)).get('a.example')).toMatchObject(one);
});

test.each([
  ['texts that are no counts', totals('many', '-1', '2.5')],
  ['missing measures', []],
  ['numbers', totals(0, 0, 0)],
])('%s count as none', async (_, body) => {
  const server = await listServer(() => ({body}));
  expect((await measured(server, ['a.example'])).get('a.example')).toMatchObject({accounts: 0, follows: 0, followers: 0});
});

test('what was measured before a failure is kept', async () => {
  const isFirst = (body: unknown) => /"s[0-3]\.example"/.test(JSON.stringify(body));
  const {client, asked} = await answeringServer(({body}) => (isFirst(body) ? totals('1', '1', '1') : json({error: 'x'}, 502)));
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-measures-'));
  const domains = Array.from({length: 9}, (_, index) => `s${index}.example`);
  const ask = (some: readonly string[]) => measuresOf(some, {client, origin: client.server.origin, folder, now: start});
  await expect(ask(domains)).rejects.toMatchObject({code: 'unavailable'});
  const before = asked.length;
  expect((await ask(domains.slice(0, 4))).size).toBe(4);
  expect(asked).toHaveLength(before);
});
