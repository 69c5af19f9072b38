import {expect, test} from 'vitest';
import {isServerAddress, originOf} from '../../../../src/lib/policy/source/list-origin.js';

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

test.each<[Parameters<typeof originOf>[0], name: string, isRemote: boolean]>([
  [{file: 'l.csv'}, 'policies/l.csv', false],
  [{file: '/srv/l.csv'}, '/srv/l.csv', false],
  [{url: 'https://lists.example/l'}, 'https://lists.example/l', true],
  ...['pix.example', 'https://pix.example', 'HTTPS://PIX.example/'].map(
    (server) => [{server}, 'https://pix.example/api/v1/instance/domain_blocks', true] satisfies [object, string, boolean],
  ),
  [{server: 'http://localhost:8080'}, 'http://localhost:8080/api/v1/instance/domain_blocks', true],
])('the list of %j is named by its path or address', (written, name, isRemote) => {
  expect(originOf(written, 'policies/p.yml')).toEqual({name, isRemote});
});
