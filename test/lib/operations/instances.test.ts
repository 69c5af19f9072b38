/** Servers that a Pixelfed server knows: found by exactly their domain, and read by it. */
import {expect, test} from 'vitest';
import {findInstance, instanceReading, readInstances} from '../../../src/lib/operations/instances.js';
import {convertInput, perform} from '../../../src/lib/operations/operation.js';
import {AccountDirectory} from '../../../src/lib/operations/accounts.js';
import type {Client} from '../../../src/lib/client/client.js';
import {identifierAt} from '../../../src/lib/json/path.js';
import {answeringServer, type AnsweringServer} from './answering-server.js';

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

test('several servers are looked for one by one', async () => {
  const {client, asked} = await answeringServer(({line}) => {
    const q = new URL(line.slice(4), 'http://x').searchParams.get('q') ?? '';
    const data = q === 's9.example' ? [] : [known(Number(q[1]), q)];
    return {data, meta: {path: '', per_page: 10, next_cursor: null, prev_cursor: null}};
  });
  const wanted = [1, 2, 3, 4, 5, 9].map((id) => `s${id}.example`);
  const found = await readInstances(wanted, client);
  expect(asked).toHaveLength(6);
  expect(wanted.map((domain) => identifierAt(found.get(domain), ['id']))).toEqual(['1', '2', '3', '4', '5', undefined]);
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
