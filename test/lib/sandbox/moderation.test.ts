/** What the sandbox has for admins of Pixelfed servers: the queue of reports, and the servers that it knows. */
import {afterEach, describe, expect, test} from 'vitest';
import {listInstances} from '../../../src/lib/api/instances.js';
import {everyItem} from '../../../src/lib/client/paging.js';
import {identifierAt} from '../../../src/lib/json/path.js';
import {startSandbox, type Sandbox, type SandboxOptions} from '../../sandbox/start.js';
import {clientOf} from '../../loopback-server.js';

let sandbox: Sandbox | undefined;
afterEach(() => sandbox?.close());

async function started(options: SandboxOptions = {}): Promise<Sandbox> {
  return (sandbox = await startSandbox({limitsRate: false, ...options}));
}

const adminsToken = ({tokens}: Sandbox): string => tokens.admins['admin'] ?? '';

async function ask(server: Sandbox, path: string, body?: unknown, token = adminsToken(server)) {
  const response = await fetch(`${server.url}/api/admin/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${token}`},
    ...(body !== undefined && {body: JSON.stringify(body)}),
  });
  return {status: response.status, body: JSON.parse(await response.text())};
}

const paths = ['instances/list', 'instances/get?id=1', 'mod-reports/list', 'stats'];

test.each(paths)('%s is hidden from people who are no admins, and from tokens without the scope', async (path) => {
  const server = await started();
  for (const token of [server.tokens.all, server.grant('admin', ['read', 'write'])])
    expect(await ask(server, path, undefined, token)).toEqual({status: 404, body: {error: ''}});
});

test.each(paths)('Mastodon servers have no %s', async (path) => {
  const server = await started({like: 'mastodon'});
  const {status, body} = await ask(server, path);
  expect({status, body}).toEqual({status: 404, body: {error: expect.stringMatching(/^The route .* could not be found\.$/)}});
});

test('a thousand servers are read whole and in order, once each', async () => {
  const server = await started({instances: 1000});
  const client = clientOf(new URL(server.url), {token: async () => adminsToken(server)});
  const ids = (await everyItem(client, listInstances)).map((instance) => Number(identifierAt(instance, ['id'])));
  expect(ids).toEqual(Array.from({length: 1000}, (_, index) => index + 1));
});

test.each(['user_count', 'status_count'])('servers are sorted by %s', async (name) => {
  const instances = [5, 90, 12].map((count) => ({domain: `n${count}.example`, user_count: count, status_count: count}));
  const server = await started({seed: {accounts: [{acct: 'admin', admin: true}], instances}});
  const {body} = await ask(server, `instances/list?sort=asc&sort_by=${name}`);
  expect(body.data.map(({domain}: {readonly domain: string}) => domain)).toEqual(['n5.example', 'n12.example', 'n90.example']);
});

describe('the queue of reports', () => {
  const handled = {status: 200, body: {success: true}};

  test('reports of posts that are gone leave pages that are short or empty', async () => {
    const reports = [{account: 'bob'}, ...Array.from({length: 8}, () => ({})), {account: 'bob'}].map((what) => ({
      by: 'ana',
      reason: 'spam',
      ...what,
    }));
    const server = await started({seed: {accounts: [{acct: 'admin', admin: true}, {acct: 'ana'}, {acct: 'bob'}], reports}});
    const ids = async (page: number) => {
      const {body} = await ask(server, `mod-reports/list?page=${page}`);
      return body.map(({id}: {readonly id: number}) => id);
    };
    expect([await ids(1), await ids(2), await ids(3)]).toEqual([[10], [1], []]);
    expect(await ask(server, 'mod-reports/handle', {id: 10, action: 'ignore'})).toEqual(handled);
    expect([await ids(1), await ids(2)]).toEqual([[], [1]]);
  });

  test('what people report comes into the queue, with what is done to the post', async () => {
    const server = await started();
    const [{status}] = (await ask(server, 'mod-reports/list')).body;
    expect(status).toMatchObject({sensitive: false, visibility: 'public'});
    const response = await fetch(`${server.url}/api/v1.1/report`, {
      method: 'POST',
      headers: {accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${server.tokens.all}`},
      body: JSON.stringify({object_type: 'post', object_id: status.id, report_type: 'scam', message: 'Look'}),
    });
    expect(response.status).toBe(200);
    const [{id, type}] = (await ask(server, 'mod-reports/list')).body;
    expect(type).toBe('scam');
    expect(await ask(server, 'mod-reports/handle', {id: String(id), action: 'cw'})).toEqual(handled);
    const [{id: next, status: same}] = (await ask(server, 'mod-reports/list')).body;
    expect(same).toMatchObject({id: status.id, sensitive: true});
    expect(await ask(server, 'mod-reports/handle', {id: next, action: 'unlist'})).toEqual(handled);
    expect(await ask(server, 'mod-reports/handle', {id: next, action: 'unlist'})).toEqual(handled);
  });
});
