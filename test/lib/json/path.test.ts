import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {parseExact} from '../../../src/lib/json/exact.js';
import {identifierAt} from '../../../src/lib/json/path.js';

describe('identifierAt', () => {
  test.each([
    ['{"id": 12345678901234567890 }', ['id'], '12345678901234567890'],
    ['{"id":"1\\u0030"}', ['id'], '10'],
    ['{"data":{"id":"8"}}', ['data', 'id'], '8'],
    ['{"id":1,"id":2}', ['id'], '2'],
    ['7', [], '7'],
  ])('finds the id in %s', (text, path, id) => {
    expect(identifierAt(parseExact(text), path)).toBe(id);
  });

  test.each([
    ['{"id":null}', ['id']],
    ['{"id":true}', ['id']],
    ['{"id":{"a":1}}', ['id']],
    ['{"id":["1"]}', ['id']],
    ['"x"', ['id']],
    ['7', ['id']],
    ['[]', []],
  ])('finds no id in %s', (text, path) => {
    expect(identifierAt(parseExact(text), path)).toBeUndefined();
  });

  test('accepts any document', () => {
    fc.assert(
      fc.property(fc.json(), fc.array(fc.string(), {maxLength: 3}), (text, path) => {
        expect(['string', 'undefined']).toContain(typeof identifierAt(parseExact(text), path));
      }),
    );
  });
});
