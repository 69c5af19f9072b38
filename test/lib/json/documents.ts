/** JSON texts of all kinds, as servers may write them. */
import fc from 'fast-check';
import {codePoint} from '../../arbitraries.js';

const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/);
const surprising = fc.constantFrom(
  '',
  '=1+1',
  '-',
  '@x',
  'a,"b"\r\nc',
  '\\t\t\\',
  'no',
  '2026-01-02',
  '12:30:00',
  '0123',
  '~',
  '\u202e',
  '\u0085',
  '\ufeff',
  '\ud800',
  'a\n\n b \n',
);

export const strings = fc.oneof(fc.string(), fc.string({unit: codePoint}), surprising);
export const stringTexts = strings.map((text) => JSON.stringify(text));
export const numberTexts = fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,5})?([eE][+-]?\d{1,2})?$/);
const literals = fc.constantFrom('null', 'true', 'false');

const {value, list, object} = fc.letrec<{value: string; list: string; object: string}>((tie) => ({
  value: fc.oneof({maxDepth: 4, withCrossShrink: true}, literals, numberTexts, stringTexts, tie('list'), tie('object')),
  list: fc
    .tuple(fc.array(tie('value'), {maxLength: 4}), space)
    .map(([items, between]) => `[${between}${items.join(`${between},${between}`)}${between}]`),
  object: fc
    .tuple(fc.array(fc.tuple(stringTexts, tie('value')), {maxLength: 4}), space)
    .map(
      ([fields, between]) =>
        `{${between}${fields.map(([name, text]) => `${name}${between}:${between}${text}`).join(`${between},${between}`)}${between}}`,
    ),
}));

export const valueTexts = value;
export const listTexts = list;
export const objectTexts = object;
