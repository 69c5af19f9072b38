import fc from 'fast-check';
import {expect, test} from 'vitest';
import {claimsOf} from '../../../src/lib/auth/token.js';
import {jwt} from './jwt.js';
import {codePoint} from '../../arbitraries.js';

test('reads scopes and expiry of a JWT', () => {
  const claims = {aud: '1', iat: 1_763_000_000.5, exp: 1_794_536_000.25, scopes: ['read', 'write']};
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
])('reads the valid claims of %s', (_, payload, claims) => {
  expect(claimsOf(jwt(payload))).toEqual({scopes: undefined, expiresAt: undefined, ...claims});
});

test('a JWT has three parts of which the last may be empty, and nothing around them', () => {
  const [head = '', body = '', sign = ''] = jwt({scopes: ['read']}).split('.');
  expect(claimsOf(`${head}.${body}.`).scopes).toEqual(['read']);
  for (const token of [
    `.${body}.${sign}`,
    `${head}..${sign}`,
    `${head}.${body}`,
    `${head}.${body}.${sign}.x`,
    ` ${head}.${body}.${sign}`,
    `${head}.${body}.${sign}\n`,
    `${head}.${body}.a+b`,
  ])
    expect(claimsOf(token)).toEqual({scopes: undefined, expiresAt: undefined});
});

test('returns no claims for other tokens', () => {
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
