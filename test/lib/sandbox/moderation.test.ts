/** What the sandbox has for admins of Pixelfed servers: people, the queue of reports, and the servers that it knows. */
import {expect, test} from 'vitest';
import {listInstances} from '../../../src/lib/api/instances.js';
import {listUsers} from '../../../src/lib/api/users.js';
import {everyItem} from '../../../src/lib/client/paging.js';
import {identifierAt} from '../../../src/lib/json/path.js';
import type {SandboxOptions} from '../../sandbox/start.js';
import {clientOf} from '../../loopback-server.js';
import {ask, sandboxWith} from './asking.js';

/** What an admin reads, and does, below `/api/admin/`. */
async function desk(options: SandboxOptions = {}) {
  const sandbox = await sandboxWith({limitsRate: false, ...options});
  const token = sandbox.tokens.admins['admin'] ?? '';
  return {
    sandbox,
    client: clientOf(new URL(sandbox.url), {token: async () => token}),
    get: async (path: string) => (await ask(sandbox, `GET /api/admin/${path}`, {token})).body,
    act: async (path: string, json: object) => (await ask(sandbox, `POST /api/admin/${path}`, {token, json})).body,
  };
}

const idsIn = (body: readonly {readonly id: number}[]): readonly number[] => body.map(({id}) => id);
const admin = {acct: 'admin', admin: true};

test('a thousand servers are read whole and in order, once each', async () => {
  const {client} = await desk({instances: 1000});
  const ids = (await everyItem(client, listInstances)).map((instance) => Number(identifierAt(instance, ['id'])));
  expect(ids).toEqual(Array.from({length: 1000}, (_, index) => index + 1));
});

test.each(['user_count', 'status_count'])('servers are sorted by %s', async (name) => {
  const instances = [5, 90, 12].map((count) => ({domain: `n${count}.example`, [name]: count}));
  const {get} = await desk({seed: {accounts: [admin], instances}});
  expect(idsIn((await get(`instances/list?sort=asc&sort_by=${name}`)).data)).toEqual([1, 3, 2]);
});

test('in the demo, 300 people are registered, of whom 40 advertise, and two are admins', async () => {
  const {client} = await desk({like: '0.12.6'});
  const people = (await everyItem(client, listUsers)).map(Object);
  expect(people).toHaveLength(300);
  expect(people.filter(({bio}) => bio?.endsWith('all day'))).toHaveLength(40);
  expect(people.filter(({is_admin}) => is_admin)).toHaveLength(2);
  expect(people.filter(({statuses_count}) => statuses_count === undefined).length).toBeGreaterThan(0);
});

test('somebody who is deleted is gone, with posts and tokens', async () => {
  const {get, act, sandbox} = await desk({like: '0.12.6', seed: {accounts: [admin, {acct: 'ana'}]}});
  const [{id}] = (await get('users/list?q=ana')).data;
  const owner = async () =>
    (await ask(sandbox, 'GET /api/v1/accounts/verify_credentials', {token: sandbox.tokens.users['ana'] ?? ''})).body;
  expect(await owner()).toMatchObject({acct: 'ana'});
  expect(await act('users/action', {id, action: 'delete'})).toEqual({status: 200, msg: 'deleted'});
  expect((await get('users/list?q=ana')).data).toEqual([]);
  expect(await get(`users/get?user_id=${id}&refresh=1`)).toEqual({error: 'Attempt to read property "id" on null'});
  expect((await act('users/action', {id, action: 'cw'})).error).toMatch(/^No query results for model \[App\\Profile\] \d{19}$/);
  expect(await owner()).toEqual({error: 'Unauthenticated.'});
});

test('reports of posts that are gone leave pages that are short or empty', async () => {
  const about = [{account: 'bob'}, ...Array.from({length: 8}, () => ({})), {account: 'bob'}];
  const reports = about.map((what) => ({by: 'ana', reason: 'spam', ...what}));
  const {get, act} = await desk({seed: {accounts: [admin, {acct: 'ana'}, {acct: 'bob'}], reports}});
  const ids = async (page: number) => idsIn(await get(`mod-reports/list?page=${page}`));
  expect([await ids(1), await ids(2), await ids(3)]).toEqual([[10], [1], []]);
  expect(await act('mod-reports/handle', {id: 10, action: 'ignore'})).toEqual({success: true});
  expect([await ids(1), await ids(2)]).toEqual([[], [1]]);
});

test('what people report comes into the queue, with what is done to the post', async () => {
  const {sandbox, get, act} = await desk();
  const newest = async () => (await get('mod-reports/list'))[0];
  const {status} = await newest();
  expect(status).toMatchObject({sensitive: false, visibility: 'public'});
  const json = {object_type: 'post', object_id: status.id, report_type: 'scam', message: 'Look'};
  await ask(sandbox, 'POST /api/v1.1/report', {json});
  const {id, type} = await newest();
  expect(type).toBe('scam');
  await act('mod-reports/handle', {id: String(id), action: 'cw'});
  const {id: next, status: same} = await newest();
  expect(same).toMatchObject({id: status.id, sensitive: true});
  for (let times = 0; times < 2; times += 1) expect(await act('mod-reports/handle', {id: next, action: 'unlist'})).toEqual({success: true});
});
