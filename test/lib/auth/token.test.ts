import fc from 'fast-check';
import {expect, test} from 'vitest';
import {claimsOf} from '../../../src/lib/auth/token.js';
import {whoAmI} from '../../../src/lib/operations/accounts.js';
import type {Generation} from '../../../src/lib/sandbox/server.js';
import {bytes, clientOf, json, redirect, type Reply, startServer} from '../../loopback-server.js';
import {ask, sandboxWith} from '../sandbox/asking.js';
import {jwt} from './jwt.js';
import {codePoint} from '../../arbitraries.js';

test('reads the scopes and the end of a token as servers give it', () => {
  const claims = {
    aud: '1',
    jti: 'a1',
    iat: 1_763_000_000.5,
    nbf: 1_763_000_000.5,
    exp: 1_794_536_000.25,
    sub: '7',
    scopes: ['read', 'write'],
  };
  expect(claimsOf(jwt(claims))).toEqual({scopes: ['read', 'write'], expiresAt: '2026-11-13T02:13:20.250Z'});
});

test.each<[string, unknown, ReturnType<typeof claimsOf>]>([
  ['one that says nothing', {}, {}],
  ['scopes in one word', {scope: 'read  push'}, {scopes: undefined}],
  ['scopes in words', {scope: 'read push'}, {scopes: ['read', 'push']}],
  ['no scopes', {scopes: []}, {scopes: []}],
  ['scopes of another type', {scopes: ['read', 7]}, {}],
  ['scopes that are none', {scopes: {0: 'read'}}, {}],
  ['an end beyond all calendars', {exp: 1e300}, {}],
  ['an end of another type', {exp: '2026'}, {}],
  ['a payload that is no object', ['read'], {}],
  ['null', null, {}],
])('takes of %s what is as it should be', (_, payload, claims) => {
  expect(claimsOf(jwt(payload))).toEqual({scopes: undefined, expiresAt: undefined, ...claims});
});

test('reads nothing from any other token', () => {
  const tokens = fc.oneof(
    fc.string({unit: codePoint}),
    fc.tuple(fc.base64String(), fc.base64String(), fc.base64String()).map((parts) => parts.join('.').replaceAll(/[+/=]/g, '')),
    fc.constantFrom('', '.', '..', 'a.b.c', 'sandbox-ana', `a.${'b'.repeat(100_000)}.c`),
  );
  fc.assert(
    fc.property(tokens, (token) => {
      expect(claimsOf(token)).toEqual({scopes: undefined, expiresAt: undefined});
    }),
  );
});

test('reads whatever JSON is in there without failing', () => {
  fc.assert(
    fc.property(fc.record({scopes: fc.jsonValue(), scope: fc.jsonValue(), exp: fc.jsonValue()}, {requiredKeys: []}), (payload) => {
      const {scopes, expiresAt} = claimsOf(jwt(payload));
      for (const scope of scopes ?? []) expect(typeof scope).toBe('string');
      if (expiresAt !== undefined) expect(new Date(expiresAt).toISOString()).toBe(expiresAt);
    }),
  );
});

const asked = async (reply: Reply) => whoAmI(clientOf((await startServer(reply)).url, {retries: 0}));

test.each<Generation>(['0.12.6', '2026'])('a server like %s says whose a token is', async (like) => {
  const sandbox = await sandboxWith({like});
  const {bob: token = ''} = sandbox.tokens.users;
  const {body} = await ask(sandbox, 'GET /api/v1/accounts/verify_credentials', {token});
  expect(await whoAmI(clientOf(new URL(sandbox.url), {token: async () => token}))).toEqual({id: body.id, acct: 'bob'});
});

test('an id that is a number is taken to the digit', async () => {
  expect(await asked(bytes('{"id": 1029249416576589826, "username": "a", "acct": "a"}'))).toEqual({
    id: '1029249416576589826',
    acct: 'a',
  });
});

test.each([
  ['JSON', json({error: 'The route api/v1/accounts/verify_credentials could not be found.'}, 404)],
  ['a page', bytes('<!doctype html>', {'content-type': 'text/html'}, 404)],
])('a server that does not know, and says so in %s, is no obstacle', async (_name, reply) => {
  expect(await asked(reply)).toBeUndefined();
});

test.each<[string, Reply, string | undefined]>([
  ['newer servers', json({error: 'Unauthenticated.'}, 401), 'token'],
  ['older servers', json({error: 'Unauthenticated.'}, 500), 'token'],
  ['servers that send their login page', redirect('/login'), 'login_page'],
  ['servers that want a scope', json({error: ''}, 403), 'scope'],
])('a token that %s refuse is a failure of sign-in', async (_name, reply, reason) => {
  await expect(asked(reply)).rejects.toMatchObject({code: 'auth', details: {reason}});
});

test('an answer that names nobody is told as such', async () => {
  await expect(asked(json({id: '1', username: 'a'}))).rejects.toMatchObject({code: 'bad_answer'});
});
