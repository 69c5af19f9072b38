import {expect, test} from 'vitest';
import {addressOf, isServerAddress, type ListOrigin, listName} from '../../../../src/lib/policy/source/list-origin.js';

test.each([
  'pix.example',
  'PIX.example',
  'pix.example:8443',
  'https://pix.example',
  'HTTPS://pix.example/',
  'http://localhost',
  'http://127.0.0.1:8080/',
  'HTTP://[::1]',
])('%s is the address of a server', (text) => {
  expect(isServerAddress(text)).toBe(true);
});

test.each([
  '',
  'a b',
  'http://pix.example',
  'https://pix.example/path',
  'pix.example/path',
  'https://pix.example/?a=1',
  'https://pix.example/#a',
  'https://ana@pix.example',
  'https://:secret@pix.example',
  'ftp://pix.example',
])('"%s" is not the address of a server', (text) => {
  expect(isServerAddress(text)).toBe(false);
});

test.each<[ListOrigin, address: string | undefined, name: string]>([
  [{file: 'l.csv'}, undefined, 'policies/l.csv'],
  [{file: '/srv/l.csv'}, undefined, '/srv/l.csv'],
  [{url: 'https://lists.example/l'}, 'https://lists.example/l', 'https://lists.example/l'],
  ...['pix.example', 'https://pix.example', 'HTTPS://PIX.example/'].map((server): [ListOrigin, string, string] => {
    const address = 'https://pix.example/api/v1/instance/domain_blocks';
    return [{server}, address, address];
  }),
  [
    {server: 'http://localhost:8080'},
    'http://localhost:8080/api/v1/instance/domain_blocks',
    'http://localhost:8080/api/v1/instance/domain_blocks',
  ],
])('the list of %j has an address on the web or none, and a name', (origin, address, name) => {
  expect([addressOf(origin), listName(origin, 'policies')]).toEqual([address, name]);
});
