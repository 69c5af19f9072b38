import {describe, expect, test} from 'vitest';
import {mustRulesIn} from '../../../../src/lib/policy/reading/policy-file.js';

const keys = ['blocks', 'domain_blocks'] as const;
const read = (text: string, hasServer = false) => mustRulesIn(text, 'b.yml', {keys: [...keys], hasServer});

test('the rules of a backup are read by their sections', () => {
  expect(read('version: 1\nblocks: {must: [ana@pix.example, {account: "@bo@pix.example"}]}\ndomain_blocks: {must: [a.example]}\n')).toEqual(
    {
      version: 1,
      blocks: {must: ['ana@pix.example', {account: '@bo@pix.example'}]},
      domain_blocks: {must: ['a.example']},
    },
  );
  expect(read('version: 1\nserver: https://pix.example\nblocks: {}\n', true)).toMatchObject({blocks: {}});
  expect(read('version: 1\n')).toEqual({version: 1});
});

describe('a backup that was edited', () => {
  test.each([
    ['a key of its own', 'version: 1\nfor: {}\n', 'b.yml:2:1: unknown key "for"; allowed: version, blocks, domain_blocks'],
    ['a server', 'version: 1\nserver: https://pix.example\n', 'b.yml:2:1: unknown key "server"; allowed: version, blocks, domain_blocks'],
    ['another rule', 'version: 1\nblocks: {must: [], only: true}\n', 'b.yml:2:20: unknown key "only"; allowed: must'],
    ['no version', 'blocks: {must: []}\n', 'b.yml:1:1: version is missing'],
    [
      'an account of this server',
      'version: 1\nblocks: {must: [a@b.example, ana]}\n',
      'b.yml:2:30: expected an account with its server, as in ana@pix.example, got "ana"',
    ],
    [
      'the id of an account',
      'version: 1\nblocks: {must: [{account: "12"}]}\n',
      'b.yml:2:17: expected an account with its server, as in ana@pix.example',
    ],
    ['a key twice', 'version: 1\nversion: 1\n', 'b.yml:2:1: Map keys must be unique'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({code: 'usage', message}));
  });

  test('names the server that it was read from, where it is for one', () => {
    expect(() => read('version: 1\n', true)).toThrow('b.yml:1:1: server is missing');
  });

  test('has all of its mistakes named', () => {
    expect(() => read('a: 1\nversion: 1\nblocks: {must: [ana], b: 1}\n')).toThrow(
      /^b\.yml has 3 mistakes\nb\.yml:1:1: .*\nb\.yml:3:17: .*\nb\.yml:3:23: /,
    );
  });

  test('is read where only its entries are wrong, which is found when it is read as a policy', () => {
    expect(() => read('version: 1\nblocks: {must: [5, null]}\ndomain_blocks: {must: [5]}\n')).not.toThrow();
  });
});
