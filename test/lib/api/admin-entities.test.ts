import {expect, test} from 'vitest';
import {notesOf} from '../../../src/lib/api/admin-entities.js';

test.each([
  [null, ''],
  [[null], ''],
  ['Sells followers', 'Sells followers'],
  [['Sells followers'], 'Sells followers'],
  [['one', null, '', 'two'], 'one; two'],
  [{text: 'one'}, ''],
  [[['one'], 7], ''],
])('the notes %j of a server read %j', (notes, expected) => {
  expect(notesOf({domain: 'a.example', notes})).toBe(expected);
});
