/** The people of a sandbox, as its admins see them: with what makes real servers hard to moderate. */
import {expect, test} from 'vitest';
import type {Sandbox, SandboxOptions} from '../../sandbox/start.js';
import {ask, sandboxWith} from './asking.js';

interface Admin {
  readonly get: (path: string) => ReturnType<typeof ask>;
  readonly act: (id: number, action: string) => ReturnType<typeof ask>;
  readonly sandbox: Sandbox;
}

async function admin(options: SandboxOptions = {}): Promise<Admin> {
  const sandbox = await sandboxWith({limitsRate: false, like: '0.12.6', ...options});
  const token = sandbox.tokens.admins['admin'] ?? '';
  return {
    get: (path) => ask(sandbox, `GET /api/admin/users/${path}`, {token}),
    act: (id, action) => ask(sandbox, 'POST /api/admin/users/action', {token, json: {id, action}}),
    sandbox,
  };
}

const small: SandboxOptions = {
  seed: {
    accounts: [{acct: 'admin', admin: true}, {acct: 'ana'}],
    people: [
      {
        username: 'spam1',
        posts: [{text: 'a'}, {text: 'b'}],
        user: {id: 9, counted: {statuses_count: 0, following_count: 0, followers_count: 0}},
      },
    ],
  },
};

async function everybody({get}: Admin, query = ''): Promise<readonly {readonly id: string; readonly username: string}[]> {
  const people = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const {body} = await get(`list?${query}${cursor && `&cursor=${cursor}`}`);
    people.push(...body.data);
    cursor = body.meta.next_cursor;
  }
  return people;
}

test('in the demo, 300 people are registered, of whom 40 advertise, and two are admins', async () => {
  const people = await everybody(await admin());
  expect(people).toHaveLength(300);
  expect(people.filter((person) => Object(person).bio?.endsWith('all day'))).toHaveLength(40);
  expect(people.filter((person) => Object(person).is_admin)).toHaveLength(2);
  expect(people.filter((person) => Object(person).statuses_count === undefined).length).toBeGreaterThan(0);
});

test('somebody who is deleted is gone, with posts and tokens', async () => {
  const {get, act, sandbox} = await admin(small);
  const [{id}] = (await get('list?q=ana')).body.data;
  const token = sandbox.tokens.users['ana'] ?? '';
  expect((await ask(sandbox, 'GET /api/v1/accounts/verify_credentials', {token})).status).toBe(200);
  expect(await act(id, 'delete')).toMatchObject({status: 200, body: {status: 200, msg: 'deleted'}});
  expect((await get('list?q=ana')).body.data).toEqual([]);
  expect((await get(`get?user_id=${id}&refresh=1`)).body).toEqual({error: 'Attempt to read property "id" on null'});
  expect((await act(id, 'cw')).body.error).toMatch(/^No query results for model \[App\\Profile\] \d{19}$/);
  expect((await ask(sandbox, 'GET /api/v1/accounts/verify_credentials', {token})).body.error).toBe('Unauthenticated.');
});
