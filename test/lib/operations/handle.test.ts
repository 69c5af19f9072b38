/** Handles: one form to compare them, one to show them, and what is none. */
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {accountKey, handleOf, idOrHandle, isHandle, isId, nounFor, ownName, shownHandle} from '../../../src/lib/operations/handle.js';

const own = 'pix.example';

test.each([
  ['ana', 'ana@pix.example'],
  ['@Ana', 'ana@pix.example'],
  [' @ana@Remote.Example ', 'ana@remote.example'],
  ['ana@remote.example:443', 'ana@remote.example'],
  ['ana@remote.example:4430', 'ana@remote.example:4430'],
  ['ana@remote.example:8443', 'ana@remote.example:8443'],
  ['@@ana', '@ana'],
])('the handle %s is compared as %s', (text, handle) => {
  expect(handleOf(text, own)).toBe(handle);
});

test('the host of a server that names the usual port is compared without it', () => {
  expect(handleOf('Ana', 'PIX.example:443')).toBe('ana@pix.example');
});

test.each([
  ['5', true],
  ['12345678901234567890', true],
  ['', false],
  ['5a', false],
  ['a5', false],
  ['@5', false],
  ['5@pix.example', false],
])('%j is an id: %j', (text, is) => {
  expect(isId(text)).toBe(is);
});

test.each([
  [' 5 ', '5'],
  ['@5', '5@pix.example'],
  ['Ana', 'ana@pix.example'],
])('the account %j of a policy is compared as %s', (name, key) => {
  expect(accountKey(name, own)).toBe(key);
});

test.each([
  ['ana@pix.example', 'ana'],
  ['5@pix.example', '5@pix.example'],
  ['ana@remote.example', 'ana@remote.example'],
  ['ana@sub.pix.example', 'ana@sub.pix.example'],
])('the handle %s is shown as %s', (handle, shown) => {
  expect(shownHandle(handle, own)).toBe(shown);
});

test('a handle that is shown is compared as the same one', () => {
  const name = fc.stringMatching(/^[a-z\d_]{1,5}$/);
  fc.assert(
    fc.property(name, fc.constantFrom(own, 'remote.example', 'a.pix.example'), (user, host) => {
      expect(accountKey(shownHandle(`${user}@${host}`, own), own)).toBe(`${user}@${host}`);
    }),
    {numRuns: 50},
  );
});

test.each([
  ['5', '5'],
  ['@ana', '@ana'],
  ['ana', '@ana'],
  ['ana@remote.example', '@ana@remote.example'],
])('requests name the account %s as %s', (name, named) => {
  expect(idOrHandle(name)).toBe(named);
});

describe('what is a handle', () => {
  test.each(['a', ' @ana ', 'a_', '_', 'a.b', 'a-b', 'ünal', '@ana@pix.example', 'ana@pix.example:8443', 'ana@1.example'])(
    '%j is a handle',
    (text) => {
      expect(isHandle(text)).toBe(true);
    },
  );

  test.each([
    '',
    '@',
    '@@ana',
    '-a',
    'a.',
    'a b',
    'a!',
    '!a',
    'ana@',
    '@pix.example@',
    'ana@-x.example',
    'ana@x.example-',
    'ana@x.example:',
    'ana@x.example:a',
    'ana@x.example:80a',
    'ana@x@y',
    'ana@x_y',
    'ana@!x',
    'ana@x!',
  ])('%j is no handle', (text) => {
    expect(isHandle(text)).toBe(false);
  });
});

test.each([
  ['ana', 'ana'],
  ['Ana@PIX.example', 'Ana'],
  ['ana@other.example', 'ana'],
  ['ana@', 'ana'],
  ['ana@a@b', 'ana'],
  ['', undefined],
  ['@ana', undefined],
  ['a b', undefined],
  ['a\u001b[31m', undefined],
])('the user name of one’s own account %j is %j', (acct, name) => {
  expect(ownName(acct)).toBe(name);
});

test.each<[owners: readonly ('account' | 'server' | undefined)[], nouns: readonly string[]]>([
  [[], ['account', 'accounts']],
  [[undefined], ['account', 'accounts']],
  [['account'], ['account', 'accounts']],
  [['server'], ['server', 'servers']],
  [
    ['server', 'server'],
    ['server', 'servers'],
  ],
  [
    ['server', undefined],
    ['account or server', 'accounts and servers'],
  ],
])('owners %j are called %j', (owners, nouns) => {
  expect(nounFor(owners.map((owner) => (owner === undefined ? {} : {owner})))).toEqual(nouns);
});
