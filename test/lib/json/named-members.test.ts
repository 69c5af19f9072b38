import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {withMembersMasked, withoutMembers} from '../../../src/lib/json/named-members.js';

const names = ['email', 'ip'];

/** A parsed document without the members of these names. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (names.includes(name) ? [] : [[name, without(inner)]])));
}

const document = fc.letrec((tie) => ({
  value: fc.oneof(
    {maxDepth: 4},
    fc.constantFrom<unknown>('email', 'a "ip": b', null, 7, true, ''),
    fc.array(tie('value'), {maxLength: 3}),
    fc.dictionary(fc.constantFrom('email', 'ip', 'id', 'e"mail', ''), tie('value'), {maxKeys: 4}),
  ),
})).value;

describe('members that are left out', () => {
  test.each([
    ['{"id":1,"email":"a@b","name":"x"}', '{"id":1,"name":"x"}'],
    ['{"email":"a@b"}', '{}'],
    ['{"id":12345678901234567890 , "email" : "a" }', '{"id":12345678901234567890  }'],
    ['{"data":[{"email":null,"ip":"1","n":2.50}]}', '{"data":[{"n":2.50}]}'],
    ['{"note":"\\"email\\":\\"a\\""}', '{"note":"\\"email\\":\\"a\\""}'],
    ['no JSON, "email": at all', 'no JSON all'],
  ])('%s', (text, left) => expect(withoutMembers(text, names)).toBe(left));

  test('the rest is the same document, however it is written', () => {
    fc.assert(
      fc.property(document, fc.constantFrom(undefined, 2), (value, space) => {
        expect(JSON.parse(withoutMembers(JSON.stringify(value, null, space), names))).toEqual(without(value));
      }),
    );
  });
});

test('values are masked where they are, and null stays null', () => {
  expect(withMembersMasked('{"email": "a@b", "ip":null,"id":1}', names, '***')).toBe('{"email": "***", "ip":null,"id":1}');
});
