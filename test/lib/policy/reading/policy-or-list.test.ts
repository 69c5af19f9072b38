import {expect, test} from 'vitest';
import {now} from '../wanted.js';
import {isPolicy, readPolicyOrList} from '../../../../src/lib/policy/reading/read-policy.js';

test.each([
  'version: 1',
  '# Ours\n---\nversion: 1\nblocks: {}\n',
  '{"version": 1, "blocks": {}}',
  '{\n  "version" : 1}',
  'blocks: {must: [ana]}\nversion: 1',
  "'version': 1",
  '\r\n\r\nversion: 1\r\n',
  `${'\n'.repeat(100_000)}version: 1`,
])('%j is a policy', (text) => {
  expect(isPolicy(text)).toBe(true);
});

test.each([
  '',
  'bad.example\n',
  '["bad.example"]',
  '[{"domain": "bad.example", "comment": "version: 1"}]',
  'domain,public_comment\nbad.example,"spam\nversion: 1"',
  '#domain,#severity,#public_comment\nbad.example,suspend,"\nversion: 1"',
  'conversion: 1',
  'the version: 1',
  '\n'.repeat(100_000),
  'version'.repeat(20_000),
])('%j is no policy', (text) => {
  expect(isPolicy(text)).toBe(false);
});

test('of what is on the web only lists are read', async () => {
  const read = (name: string) => readPolicyOrList(name, 'version: 1\nblocks: {}\n', {}, now);
  await expect(read('https://lists.example/p.yml')).rejects.toThrow('https://lists.example/p.yml:1: "version…" is not a domain');
  for (const name of ['p.yml', 'standard input', 'https.yml']) expect(await read(name)).toHaveProperty('given');
});
