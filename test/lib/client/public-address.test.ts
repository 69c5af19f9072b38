import {expect, test} from 'vitest';
import {addressesOf, isLocalAddress, isPublicAddress} from '../../../src/lib/client/public-address.js';

test.each([
  ['1.1.1.1', true],
  ['172.15.0.1', true],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['2606:4700::1111', true],
  ['::1', false],
  ['::', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['ff02::1', false],
  ['2001:db8::1', false],
  ['2002:7f00:1::', false],
  ['64:ff9b::7f00:1', false],
  ['::ffff:10.0.0.1', false],
  ['::ffff:1.1.1.1', false],
  ['localhost', false],
])('%s is public: %s', (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

test.each([
  ['10.0.0.1', true],
  ['172.16.0.1', true],
  ['192.168.1.1', true],
  ['100.64.0.1', true],
  ['fd00::1', true],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['fe80::1', false],
  ['1.1.1.1', false],
  ['localhost', false],
])('%s is on the network of a home or a company: %s', (address, isLocal) => {
  expect(isLocalAddress(address)).toBe(isLocal);
});

test('the address of a URL that names one is found without a lookup', async () => {
  expect(await addressesOf(new URL('https://[2606:4700::1111]/a'))).toEqual(['2606:4700::1111']);
  expect(await addressesOf(new URL('https://10.0.0.1/a'))).toEqual(['10.0.0.1']);
});
