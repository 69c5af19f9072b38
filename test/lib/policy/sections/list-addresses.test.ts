import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {parsePolicy} from '../../../../src/lib/policy/reading/policy-file.js';
import {isServerAddress} from '../../../../src/lib/policy/sections/domains-schema.js';

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

test.each<[string, name: string, isRemote: boolean]>([
  ['file: l.csv', 'policies/l.csv', false],
  [`file: ${resolve('policies/l.csv')}`, 'policies/l.csv', false],
  ['file: /srv/l.csv', '/srv/l.csv', false],
  ['file: ../../l.csv', resolve('../l.csv'), false],
  ["url: 'https://lists.example/l'", 'https://lists.example/l', true],
  ["url: 'https://Lists.example:443/x/../l'", 'https://lists.example/l', true],
  ...['pix.example', 'https://pix.example', 'HTTPS://PIX.example/'].map(
    (server) => [`server: '${server}'`, 'https://pix.example/api/v1/instance/domain_blocks', true] satisfies [string, string, boolean],
  ),
  ["server: 'http://localhost:8080'", 'http://localhost:8080/api/v1/instance/domain_blocks', true],
])('the list of {%s} is named by its path or address', (written, name, isRemote) => {
  const {rules} = parsePolicy(`version: 1\ndomain_blocks: {lists: [{${written}}]}`, 'policies/p.yml');
  expect(rules.get('domain_blocks')).toMatchObject({lists: [{name, isRemote, where: 'policies/p.yml:2'}]});
});
