import type {LookupOptions} from 'node:dns';
import {describe, expect, test} from 'vitest';
import {
  addressesOf,
  guardedLookup,
  isLocalAddress,
  isLoopbackAddress,
  isPublicAddress,
  NotPublic,
  strayAddress,
} from '../../../src/lib/client/public-address.js';

test('addresses are public where everybody can reach them, and names are not', () => {
  const others = ['::1', '::', 'fe80::1', 'fd00::1', 'ff02::1', '64:ff9b::7f00:1', '::ffff:10.0.0.1', '::ffff:1.1.1.1', 'localhost'];
  expect(['1.1.1.1', '2606:4700::1111', ...others].filter(isPublicAddress)).toEqual(['1.1.1.1', '2606:4700::1111']);
});

/** First and last address of each network, and those beside it. */
test.each([
  ['0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '255.255.255.255', '223.255.255.255', undefined],
  ['::', '1fff:ffff::', undefined, '2000::'],
  ['4000::', 'ffff::', '3fff:1000::', undefined],
  ['2001::', '2001:1ff:ffff::', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff::', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff::', '2001:ffff::', '2003::'],
  ['3fff::', '3fff:fff:ffff::', '3ffe:ffff::', '3fff:1000::'],
])('addresses from %s to %s are not public, and those beside them are', (first, last, before, after) => {
  expect([first, last].map(isPublicAddress)).toEqual([false, false]);
  for (const beside of [before, after]) if (beside !== undefined) expect([beside, isPublicAddress(beside)]).toEqual([beside, true]);
});

test.each([
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['fc00::', 'fdff:ffff::', 'fbff:ffff::', 'fe00::'],
])('addresses from %s to %s are of a home or a company, and those beside them are not', (first, last, before, after) => {
  expect([first, last, before, after].map(isLocalAddress)).toEqual([true, true, false, false]);
});

test('addresses and names are of this machine, or they are not', () => {
  const own = ['127.0.0.1', '::1', 'a.localhost'];
  expect([...own, '::2', '128.0.0.1', 'localhost.example'].filter(isLoopbackAddress)).toEqual(own);
});

describe('the lookup of a name', () => {
  const look = (isAllowed: (address: string) => boolean, options: LookupOptions) =>
    new Promise((resolve) => {
      guardedLookup(isAllowed)('127.0.0.1', options, (error, address, family) => resolve(error ?? {address, family}));
    });

  test('the lookup of a name gives one address, or all, where they are allowed', async () => {
    expect(await look(() => true, {})).toEqual({address: '127.0.0.1', family: 4});
    expect(await look(() => true, {all: true})).toEqual({address: [{address: '127.0.0.1', family: 4}], family: undefined});
  });

  test.each([{}, {all: true}])('the lookup of a name refuses an address that is not allowed: %j', async (options) => {
    expect(await look((address) => address !== '127.0.0.1', options)).toMatchObject({
      address: '127.0.0.1',
      message: '127.0.0.1 is not a public address',
    });
  });

  test('the lookup of a name fails with the error of the system', async () => {
    // No such name, and no question to any network: it is longer than a name can be.
    const name = `${'a'.repeat(300)}.invalid`;
    const error = await new Promise((resolve) => guardedLookup(() => true)(name, {}, resolve));
    expect(error).toMatchObject({syscall: 'getaddrinfo'});
    await expect(addressesOf(new URL(`http://${'a'.repeat(300)}.invalid`))).rejects.toMatchObject({syscall: 'getaddrinfo'});
    expect(await addressesOf(new URL('http://localhost'))).toEqual(expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]));
  });
});

test('the address that was refused is found wherever it is in an error', () => {
  const stray = new NotPublic('10.0.0.1');
  const around = (cause: unknown) => new Error('fetch failed', {cause});
  for (const error of [stray, around(stray), around(around(stray)), new AggregateError([new Error('no'), around(stray)])])
    expect(strayAddress(error)).toBe(stray);
  for (const error of [undefined, 'no', new Error('no'), around('no'), new AggregateError([new Error('no')])])
    expect(strayAddress(error)).toBeUndefined();
});

test('addresses are of the network of a home or a company, or they are not', () => {
  expect(['fd00::1', '127.0.0.1', '169.254.169.254', 'fe80::1', '1.1.1.1', 'localhost'].filter(isLocalAddress)).toEqual(['fd00::1']);
});

test('the address of a URL that names one is found without a lookup', async () => {
  expect(await addressesOf(new URL('https://[2606:4700::1111]/a'))).toEqual(['2606:4700::1111']);
  expect(await addressesOf(new URL('https://10.0.0.1/a'))).toEqual(['10.0.0.1']);
});
