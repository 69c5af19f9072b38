import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {identifierAt} from '../../../src/lib/json/path.js';

describe('identifierAt', () => {
  test.each([
    ['{"id": 12345678901234567890 }', ['id'], '12345678901234567890'],
    ['{"id":"1\\u0030"}', ['id'], '10'],
    ['{"data":{"id":"8"}}', ['data', 'id'], '8'],
    ['{"id":1,"id":2}', ['id'], '2'],
    ['7', [], '7'],
  ])('finds the id in %s', (text, path, id) => {
    expect(identifierAt(text, path)).toBe(id);
  });

  test.each([
    ['{"id":null}', ['id']],
    ['{"id":true}', ['id']],
    ['{"id":{"a":1}}', ['id']],
    ['{"id":["1"]}', ['id']],
    ['{"data":[{"id":7}]}', ['data', '0', 'id']],
    ['"x"', ['id']],
    ['7', ['id']],
    ['[]', []],
  ])('finds no id in %s', (text, path) => {
    expect(identifierAt(text, path)).toBeUndefined();
  });

  test('accepts any document', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.string(), {maxLength: 3}), (text, path) => {
        expect(['string', 'undefined']).toContain(typeof identifierAt(text, path));
      }),
    );
  });

  test('accepts deeply nested documents', () => {
    const depth = 200_000;
    expect(identifierAt(`{"a":${'['.repeat(depth)}2.50${']'.repeat(depth)},"id":"7"}`, ['id'])).toBe('7');
  });
});
