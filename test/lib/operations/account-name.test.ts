import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {handleOf, isHandle} from '../../../src/lib/operations/handle.js';
import {accountName} from '../../../src/lib/operations/account-name.js';
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
