import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {handleOf, isHandle} from '../../../src/lib/operations/handle.js';
import {accountName, accountsIn, conversationName, handleIn, handlesOf, idInAddress} from '../../../src/lib/operations/account-name.js';
import {codePoint} from '../../arbitraries.js';

describe('the name of an account', () => {
  const names = fc.stringMatching(/^[a-zA-Z0-9_]([a-zA-Z0-9_.-]{0,8}[a-zA-Z0-9_])?$/);
  const hosts = fc.stringMatching(/^[a-z]{1,8}\.example(:[1-9]\d{1,3})?$/);

  test('the name of an account has one form with and without the usual port', () => {
    for (const text of ['@ana@pix.example:443', 'https://pix.example:443/@ana'])
      expect(handleOf(accountName(text), 'other.example')).toBe('ana@pix.example');
  });

  test('the name of an account has one form, however it is written', () => {
    fc.assert(
      fc.property(names, hosts, (name, host) => {
        const wanted = handleOf(`@${name}@${host}`, 'other.example');
        for (const text of [
          `@${name}@${host}`,
          `${name}@${host}`,
          ` ${name}@${host} `,
          `https://${host}/@${name}`,
          `https://${host}/users/${name}/`,
        ])
          expect(handleOf(accountName(text), 'other.example')).toBe(wanted);
      }),
    );
  });

  test('the name of an account is an id, a handle or a profile URL, or is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({unit: codePoint}), fc.string({unit: fc.constantFrom('@', '.', '/', ':', 'a', '1', '-', ' ', 'https://')})),
        (text) => {
          try {
            expect(accountName(text)).toMatch(/^(\d+|@[^\s@/]+(@[^\s@/]+)?|https:\/\/[^\s/]+\/i\/web\/profile\/\d+)$/);
          } catch (error) {
            expect(error).toBeInstanceOf(Failure);
            expect(error).toMatchObject({code: 'usage'});
          }
        },
      ),
    );
  });

  test.each(['https://pix.example/%20ana', 'https://pix.example/@ana%20', 'https://./ a'])(
    'the name of an account is not a user name with spaces around it: %s',
    (text) => {
      expect(() => accountName(text)).toThrow(expect.objectContaining({code: 'usage'}));
    },
  );

  test('the name of an account stays the same when it is parsed again', () => {
    fc.assert(
      fc.property(names, hosts, fc.boolean(), (name, host, isRemote) => {
        const once = accountName(isRemote ? `${name}@${host}` : `@${name}`);
        expect(accountName(once)).toBe(once);
        expect(isHandle(once)).toBe(true);
      }),
    );
  });
});

describe('names and profile URLs', () => {
  test.each([
    [' 5 ', '5'],
    ['https://pix.example/@bo@remote.example', '@bo@remote.example'],
    ['https://pix.example/users/%40bo%40remote.example/', '@bo@remote.example'],
    ['https://pix.example/users/@ana', '@ana@pix.example'],
    ['http://pix.example:8443/i/web/profile/5/', 'https://pix.example:8443/i/web/profile/5'],
  ])('the account %s has the name %s', (text, name) => {
    expect(accountName(text)).toBe(name);
  });

  test.each([
    ['ana', 'The name of an account begins with @, not "ana"', 'use @ana'],
    ['', '"" is not an account', 'use an id, @user, @user@host, or a profile URL'],
    ['@a b', '"@a b" is not an account', 'use an id, @user, @user@host, or a profile URL'],
    ['https://pix.example/i/web/profile/5x', /is not an account$/, 'use an id, @user, @user@host, or a profile URL'],
    ['https://pix.example/a/b', /is not an account$/, 'use an id, @user, @user@host, or a profile URL'],
    ['https://pix.example/@@ana', /is not an account$/, 'use an id, @user, @user@host, or a profile URL'],
    ['https://pix.example/', /is not an account$/, 'use an id, @user, @user@host, or a profile URL'],
    [`@${'!'.repeat(80)}`, /^"@!{59}…" is not an account$/, 'use an id, @user, @user@host, or a profile URL'],
  ])('%j is refused as an account', (text, message, hint) => {
    expect(() => accountName(text)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
        details: {hint},
      }),
    );
  });

  test.each([
    ['ana', 'ana'],
    [' @ana ', 'ana'],
    ['@5', '@5'],
    ['@5@pix.example', '5@pix.example'],
    ['https://pix.example/@ana', 'ana@pix.example'],
    ['https://pix.example/i/web/profile/5', undefined],
    ['a b', undefined],
    ['', undefined],
  ])('the handle in %j, where bare names are handles, is %j', (text, handle) => {
    expect(handleIn(text)).toBe(handle);
  });

  test.each([
    [{acct: 'Ana'}, ['ana@pix.example']],
    [{acct: 'ana', url: 'https://names.example/ana'}, ['ana@pix.example', 'ana@names.example']],
    [{acct: 'bo@remote.example', url: 'https://other.example/bo'}, ['bo@remote.example']],
    [{acct: '', url: 'https://pix.example/ana'}, []],
    [{acct: 'ana', url: 'no URL'}, ['ana@pix.example']],
    [null, []],
  ])('the account %j has the handles %j', (account, handles) => {
    expect(handlesOf(account, 'pix.example')).toEqual(handles);
  });

  test('a conversation is named by an id, or by an account', () => {
    expect(['6', 'cm_6', '@ana', 'https://pix.example/@ana'].map(conversationName)).toEqual(['6', 'cm_6', '@ana', '@ana@pix.example']);
  });

  test('the id in a profile URL counts on its own server only', () => {
    expect(idInAddress('https://pix.example/i/web/profile/5', 'pix.example')).toBe('5');
    for (const address of ['https://pix.example/i/web/profile/5', 'https://other.example/@ana'])
      expect(() => idInAddress(address, 'other.example')).toThrow(
        expect.objectContaining({
          code: 'not_found',
          message: `${address} is a profile on ${new URL(address).host}: its id is not valid on other.example`,
          details: {hint: 'use @user@host'},
        }),
      );
  });

  test('accounts are found in a list by ids, by handles and by profile URLs', () => {
    const isListed = accountsIn([{id: 5, acct: 'Ana'}, {acct: 'bo@remote.example'}, {id: '7'}, null], 'pix.example');
    const names = ['5', '@ana', '@ANA@pix.example', '@bo@remote.example', '@bo', '7', '8', 'https://pix.example/i/web/profile/5'];
    expect(names.map(isListed)).toEqual([true, true, true, true, false, true, false, true]);
  });
});
