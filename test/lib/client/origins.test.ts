/** What of an address, a token, an id and a query is taken before anything is sent. */
import {describe, expect, test} from 'vitest';
import {getAdminDomainBlock} from '../../../src/lib/api/admin-domain-blocks.js';
import {listBlocks} from '../../../src/lib/api/blocks.js';
import {getConfiguration} from '../../../src/lib/api/config.js';
import {getConversation, sendMessage} from '../../../src/lib/api/direct.js';
import {deleteFilter, getFilter} from '../../../src/lib/api/filters.js';
import {getAccountByName} from '../../../src/lib/api/internal.js';
import {isOrigin} from '../../../src/lib/client/origin.js';
import {decodePercent, isAccountName, onlyShown, placeholder, requestFor, shownPath, usableIdAt} from '../../../src/lib/client/request.js';
import {parseExact} from '../../../src/lib/json/exact.js';
import {isLoopback, isPlainHttp, refuseOddServer, refuseOddToken} from '../../../src/lib/client/transport.js';

describe('an address', () => {
  test.each([
    [true, ['localhost', 'a.localhost', '[::1]', '127.0.0.1', '127.1.2.3']],
    [false, ['xlocalhost', 'localhost.example', '::1', '127.0.0.1.example', 'x127.0.0.1', '128.0.0.1']],
  ])('is of this machine (%s): %j', (isThis, hosts) => {
    for (const host of hosts) {
      expect([host, isLoopback(host)]).toEqual([host, isThis]);
      if (!URL.canParse(`http://${host}`)) continue;
      expect([host, isPlainHttp(new URL(`http://${host}`))]).toEqual([host, !isThis]);
      expect(isPlainHttp(new URL(`https://${host}`))).toBe(false);
    }
  });

  test.each([
    ['https://ana@pix.example', 'x must not contain a user name or password'],
    ['https://:secret@pix.example', 'x must not contain a user name or password'],
    ['ftp://pix.example', 'x must begin with https://, not ftp://'],
    [`${'a'.repeat(40)}://pix.example`, `x must begin with https://, not ${'a'.repeat(30)}…//`],
  ])('%s is refused', (address, message) => {
    expect(() => refuseOddServer(new URL(address), 'x')).toThrow(
      expect.objectContaining({code: 'usage', message, details: {hint: 'use an address such as https://pix.example'}}),
    );
  });

  test.each(['https://pix.example', 'http://pix.example:81/a'])('%s is taken', (address) => {
    expect(() => refuseOddServer(new URL(address), 'x')).not.toThrow();
  });

  test('is an origin where it is no more than that', () => {
    const others = [
      'https://pix.example/',
      'https://PIX.example',
      'https://pix.example:443',
      'ftp://pix.example',
      'a https://pix.example',
      '',
    ];
    expect(['https://pix.example', 'http://pix.example:81', ...others, 'https://'].filter(isOrigin)).toEqual([
      'https://pix.example',
      'http://pix.example:81',
    ]);
  });
});

test.each(['a', '!', '~', 'a|b=c'])('%s is a token', (token) => {
  expect(() => refuseOddToken(token, 'x')).not.toThrow();
});

test.each(['', ' ', 'a b', 'a\n', '\na', 'ä', '\u007f', 'a\u0000'])('%j is no token', (token) => {
  expect(() => refuseOddToken(token, 'The token')).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: 'The token is not an access token',
      details: {hint: 'a token is one word of ASCII letters, digits and punctuation'},
    }),
  );
});

describe('an id', () => {
  const refusal = (id: string) => {
    try {
      requestFor(getFilter, {path: {id}});
    } catch (error) {
      return error;
    }
    return undefined;
  };

  test.each([
    ['', 'An id cannot be empty', 'use an id that a list command prints'],
    ['a b', '"a b" is not an id', 'use an id that a list command prints'],
    ['1,2', '"1,2" is not an id', 'separate ids with spaces'],
    ['@bob', '"@bob" is not an id', 'names are only for accounts; use an id that a list command prints'],
    ['@bob,@ana', '"@bob,@ana" is not an id', 'names are only for accounts; separate ids with spaces'],
    ['007', '"007" is not an id', 'ids have no leading zeros'],
    ['01,2', '"01,2" is not an id', 'separate ids with spaces'],
    [`${'1'.repeat(60)} `, `"${'1'.repeat(60)}…" is not an id`, 'use an id that a list command prints'],
  ])('%j is refused', (id, message, hint) => {
    expect(refusal(id)).toMatchObject({code: 'usage', message, details: {hint}});
  });

  test.each([
    ['{"of":{"id":12345678901234567890}}', true, '12345678901234567890'],
    ['{"of":{"id":"a b"}}', true, undefined],
    ['{"of":{"id":"007"}}', true, undefined],
    ['{"of":{"id":"0"}}', true, '0'],
    ['{"of":{"id":"a"}}', true, 'a'],
    ['{"of":{"id":"a"}}', 'digits', undefined],
    ['{"of":{}}', true, undefined],
  ] as const)('of %s can be asked for, as %s: %s', (text, isId, id) => {
    expect(usableIdAt(parseExact(text), ['of', 'id'], isId)).toBe(id);
  });

  test.each([
    ['', 'name cannot be empty'],
    [' ', 'name cannot be empty'],
    ['..', 'name cannot be ".."'],
    ['a b', 'name cannot be "a b"'],
    ['-', 'name cannot be "-"'],
    [`${'a'.repeat(60)} `, `name cannot be "${'a'.repeat(60)}…"`],
  ])('is not needed in a path, but one word is: %j', (name, message) => {
    const hint = 'it becomes a part of a path: use one word';
    expect(() => requestFor(getAccountByName, {path: {name}})).toThrow(expect.objectContaining({code: 'usage', message, details: {hint}}));
    expect(requestFor(getAccountByName, {path: {name: 'a,b'}})).toMatchObject({
      path: '/api/v1.1/accounts/username/a%2Cb',
      countedApart: true,
    });
  });

  test('may stand for one that only the server knows', () => {
    expect(placeholder('a b')).toBe('<id of a b>');
    const {path} = requestFor(getConversation, {path: {id: placeholder('the new\none')}});
    expect(path).toBe('/api/v1.1/direct/conversations/%3Cid%20of%20the%20new%0Aone%3E');
    expect(shownPath(path)).toBe('/api/v1.1/direct/conversations/<id of the new\none>');
    expect(shownPath('/a/%3Cid%20of%20a%20b%3E/c/%3Cid%20of%20d%3E')).toBe('/a/<id of a b>/c/<id of d>');
    expect(shownPath('/a%20b/%3Cid%20of%3E')).toBe('/a%20b/%3Cid%20of%3E');
    expect(refusal('x<id of a b>')).toMatchObject({code: 'usage'});
    expect(refusal('<id of a b>x y')).toMatchObject({code: 'usage'});
  });

  test('is no name of an account', () => {
    const names = ['@bob', 'bob@pix.example', 'https://pix.example/bob', 'HTTP://pix.example'];
    expect([...names, 'https:/x', 'xhttps://x', '7'].filter(isAccountName)).toEqual(names);
  });

  test.each([
    ['%20', ' '],
    ['%', '%'],
    ['%ff', '%ff'],
  ])('%s is decoded where that is possible', (text, shown) => {
    expect(decodePercent(text)).toBe(shown);
  });
});

describe('an answer', () => {
  test('is about what its record says, and may leave it out where it is only shown', () => {
    const request = requestFor(getAdminDomainBlock, {path: {id: '5'}}, [{at: ['domain'], is: 'a.example'}]);
    const about = [
      {at: ['id'], is: '5'},
      {at: ['domain'], is: 'a.example'},
    ];
    expect(request).toMatchObject({about, hasStandIn: true});
    expect(onlyShown(request)).toEqual({...request, about: about.map((one) => ({...one, mayBeMissing: true}))});
    expect(onlyShown(requestFor(listBlocks, {}))).toEqual(requestFor(listBlocks, {}));
  });

  test('may prove that what was asked for is gone', () => {
    const {isGone} = requestFor(deleteFilter, {path: {id: '5'}});
    const saying = (id: number) => isGone?.(String.raw`No query results for model [App\Models\CustomFilter] ${id}`);
    expect([saying(5), saying(6), requestFor(listBlocks, {}).isGone]).toEqual([true, false, undefined]);
  });
});

describe('a query', () => {
  test('that names an object may find none', () => {
    expect(requestFor(listBlocks, {}).namesNothing).toBe(true);
    expect(requestFor(getConfiguration, {}).namesNothing).toBe(true);
    expect(requestFor(getConversation, {path: {id: '1'}}).namesNothing).toBeUndefined();
    expect(requestFor(sendMessage, {path: {id: '1'}, body: {message: 'x'}}).namesNothing).toBeUndefined();
  });
});
