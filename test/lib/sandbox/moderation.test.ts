/** What the sandbox has for admins of Pixelfed servers: the queue of reports, and the servers that it knows. */
import {describe, expect, test} from 'vitest';
import {listInstances} from '../../../src/lib/api/instances.js';
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
    token,
    get: async (path: string) => (await ask(sandbox, `GET /api/admin/${path}`, {token})).body,
    handle: async (json: object) => (await ask(sandbox, 'POST /api/admin/mod-reports/handle', {token, json})).body,
  };
}

const idsIn = (body: readonly {readonly id: number}[]): readonly number[] => body.map(({id}) => id);

test('a thousand servers are read whole and in order, once each', async () => {
  const {sandbox, token} = await desk({instances: 1000});
  const client = clientOf(new URL(sandbox.url), {token: async () => token});
  const ids = (await everyItem(client, listInstances)).map((instance) => Number(identifierAt(instance, ['id'])));
  expect(ids).toEqual(Array.from({length: 1000}, (_, index) => index + 1));
});

test.each(['user_count', 'status_count'])('servers are sorted by %s', async (name) => {
  const instances = [5, 90, 12].map((count) => ({domain: `n${count}.example`, [name]: count}));
  const {get} = await desk({seed: {accounts: [{acct: 'admin', admin: true}], instances}});
  expect(idsIn((await get(`instances/list?sort=asc&sort_by=${name}`)).data)).toEqual([1, 3, 2]);
});

describe('the queue of reports', () => {
  test('reports of posts that are gone leave pages that are short or empty', async () => {
    const about = [{account: 'bob'}, ...Array.from({length: 8}, () => ({})), {account: 'bob'}];
    const reports = about.map((what) => ({by: 'ana', reason: 'spam', ...what}));
    const {get, handle} = await desk({seed: {accounts: [{acct: 'admin', admin: true}, {acct: 'ana'}, {acct: 'bob'}], reports}});
    const ids = async (page: number) => idsIn(await get(`mod-reports/list?page=${page}`));
    expect([await ids(1), await ids(2), await ids(3)]).toEqual([[10], [1], []]);
    expect(await handle({id: 10, action: 'ignore'})).toEqual({success: true});
    expect([await ids(1), await ids(2)]).toEqual([[], [1]]);
  });

  test('what people report comes into the queue, with what is done to the post', async () => {
    const {sandbox, get, handle} = await desk();
    const newest = async () => (await get('mod-reports/list'))[0];
    const {status} = await newest();
    expect(status).toMatchObject({sensitive: false, visibility: 'public'});
    const json = {object_type: 'post', object_id: status.id, report_type: 'scam', message: 'Look'};
    await ask(sandbox, 'POST /api/v1.1/report', {json});
    const {id, type} = await newest();
    expect(type).toBe('scam');
    await handle({id: String(id), action: 'cw'});
    const {id: next, status: same} = await newest();
    expect(same).toMatchObject({id: status.id, sensitive: true});
    const again = [await handle({id: next, action: 'unlist'}), await handle({id: next, action: 'unlist'})];
    expect(again).toEqual([{success: true}, {success: true}]);
  });
});
