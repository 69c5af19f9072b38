import {describe, expect, test} from 'vitest';
import {mustRulesIn} from '../../../../src/lib/policy/reading/must-only.js';

const keys = ['blocks', 'domain_blocks'] as const;
const read = (text: string, hasServer = false) => mustRulesIn(text, 'b.yml', {keys: [...keys], hasServer});

test('the rules of a backup are read by their sections', () => {
  expect(read('version: 1\nblocks: {must: [ana@pix.example, {account: "@bo@pix.example"}]}\ndomain_blocks: {must: [a.example]}\n')).toEqual(
    {
      blocks: {must: ['ana@pix.example', {account: '@bo@pix.example'}]},
      domain_blocks: {must: ['a.example']},
    },
  );
  expect(read('version: 1\nserver: https://pix.example\nblocks: {}\n', true)).toEqual({blocks: {must: undefined}});
  expect(read('version: 1\n')).toEqual({});
});

describe('a backup that was edited', () => {
  test.each([
    ['a key of its own', 'version: 1\nfor: {}\n', 'b.yml:2:1: for: a backup has only version, blocks, domain_blocks'],
    [
      'another section',
      'version: 1\nadmin_domain_blocks: {must: []}\n',
      'b.yml:2:1: admin_domain_blocks: a backup has only version, blocks, domain_blocks',
    ],
    ['a server', 'version: 1\nserver: https://pix.example\n', 'b.yml:2:1: server: a backup has only version, blocks, domain_blocks'],
    ['another rule', 'version: 1\nblocks: {must: [], only: true}\n', 'b.yml:2:20: blocks.only: a backup has only blocks.must'],
    [
      'an account of this server',
      'version: 1\nblocks: {must: [a@b.example, ana]}\n',
      'b.yml:2:30: "ana" is not an account with its server, as in ana@pix.example',
    ],
    [
      'the id of an account',
      'version: 1\nblocks: {must: [{account: "12"}]}\n',
      'b.yml:2:17: "12" is not an account with its server, as in ana@pix.example',
    ],
    ['a key twice', 'version: 1\nversion: 1\n', 'b.yml:2:1: Map keys must be unique'],
  ])('with %s is refused', (_, text, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({code: 'usage', message}));
  });

  test('names the server that it was read from, where it is for one', () => {
    expect(() => read('version: 1\n', true)).toThrow('b.yml:1: it does not name the server that it was read from');
    expect(() => read('version: 1\nserver: x\nfor: {}', true)).toThrow(
      'b.yml:3:1: for: a backup has only version, server, blocks, domain_blocks',
    );
  });

  test('has all of its mistakes named', () => {
    expect(() => read('a: 1\nblocks: {must: [ana], b: 1}\n')).toThrow(
      /^b\.yml has 3 mistakes\nb\.yml:1:1: a: .*\nb\.yml:2:17: "ana" .*\nb\.yml:2:23: blocks\.b: /,
    );
  });

  test.each(['version: 1\nblocks: {must: [5, null]}\n', 'version: 1\nblocks: {must: all}\n', 'version: 1\nblocks: 5\n', '- a\n'])(
    'is read where only its entries are wrong, which is found when it is read as a policy: %j',
    (text) => {
      expect(() => read(text)).not.toThrow();
    },
  );
});
