import {expect, test} from 'vitest';
import {whoAmI} from '../../../src/lib/operations/accounts.js';
import type {Generation} from '../../sandbox/start.js';
import {bytes, clientOf, json, redirect, startServer, type Reply} from '../../loopback-server.js';
import {ask, sandboxWith} from '../sandbox/asking.js';

const asked = async (reply: Reply) => whoAmI(clientOf((await startServer(reply)).url, {retries: 0}));

test.each<Generation>(['0.12.6', '2026'])('reads the account of a token from a server like %s', async (like) => {
  const sandbox = await sandboxWith({like});
  const {bob: token = ''} = sandbox.tokens.users;
  const {body} = await ask(sandbox, 'GET /api/v1/accounts/verify_credentials', {token});
  expect(await whoAmI(clientOf(new URL(sandbox.url), {token: async () => token}))).toEqual({id: body.id, acct: 'bob'});
});

test('keeps every digit of an id that is a number', async () => {
  expect(await asked(bytes('{"id": 1029249416576589826, "username": "a", "acct": "a"}'))).toEqual({
    id: '1029249416576589826',
    acct: 'a',
  });
});

test.each([
  ['JSON', json({error: 'The route api/v1/accounts/verify_credentials could not be found.'}, 404)],
  ['a page', bytes('<!doctype html>', {'content-type': 'text/html'}, 404)],
])('the own account is undefined when the server does not offer this, and a message says so in %s', async (_name, reply) => {
  expect(await asked(reply)).toBeUndefined();
});

test.each<[string, Reply, string | undefined]>([
  ['newer servers', json({error: 'Unauthenticated.'}, 401), 'token'],
  ['older servers', json({error: 'Unauthenticated.'}, 500), 'token'],
  ['servers that send their login page', redirect('/login'), 'login_page'],
  ['servers that want a scope', json({error: ''}, 403), 'scope'],
])('fails with `auth` for a token that %s refuse', async (_name, reply, reason) => {
  await expect(asked(reply)).rejects.toMatchObject({code: 'auth', details: {reason}});
});
