import fc from 'fast-check';
import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {parseExact} from '../../../src/lib/json/exact.js';
import type {Column} from '../../../src/lib/api/view.js';
import type {Layout} from '../../../src/lib/print/values.js';
import {renderRecord} from '../../../src/lib/print/record.js';
import {named} from './setting.js';

const plain: Layout = {width: Number.POSITIVE_INFINITY, color: false, now: () => new Date('2026-11-20T12:00:00Z')};

function lines(value: unknown, columns?: readonly Column[], layout: Partial<Layout> = {}): string[] {
  return renderRecord(value, columns, {...plain, ...layout})
    .split('\n')
    .slice(0, -1);
}

describe('renderRecord', () => {
  test('shows the fields of a nested object in a column', () => {
    const value = {name: 'spam', moderation: {unlisted: true, cw: false}};
    expect(lines(value, named('name', 'moderation'))).toEqual([
      'name                 spam',
      'moderation.unlisted  yes',
      'moderation.cw        no',
    ]);
  });

  test('shows every field, nested ones by path', () => {
    const value = parseExact(
      '{"version":"1.0","limits":{"media":{"size":2.50,"types":["image/png","video/mp4"]}},"oauth":true,"x":null,"y":{}}',
    );
    expect(lines(value)).toEqual([
      'version             1.0',
      'limits.media.size   2.50',
      'limits.media.types  image/png, video/mp4',
      'oauth               yes',
      'x                   –',
      'y                   –',
    ]);
  });

  test('shows the columns that the object has', () => {
    const columns: Column[] = [
      {header: 'id', path: 'id'},
      {header: 'expires', path: 'expires_at', kind: 'time', none: 'never'},
      {header: 'gone', path: 'gone'},
    ];
    expect(lines({expires_at: null, id: '7', other: 1}, columns)).toEqual(['id       7', 'expires  never']);
  });

  test('puts a value below its name where that is long, and others beside theirs', () => {
    expect(lines({'limits.media.size': 15000, id: 7, name: 'bo'}, undefined, {width: 30})).toEqual([
      'limits.media.size',
      '  15000',
      'id    7',
      'name  bo',
    ]);
  });

  test.each([
    [26, ['id  '.padEnd(30, 'x')]],
    [27, ['id', '  '.padEnd(29, 'x')]],
    [28, ['id', '  '.padEnd(30, 'x')]],
    [29, ['id  '.padEnd(30, 'x'), '    xxx']],
  ])('puts a word of %i below its name in 30 columns only where it fits there alone', (length, expected) => {
    expect(lines({id: 'x'.repeat(length)}, undefined, {width: 30})).toEqual(expected);
  });

  test('adds colours to names', () => {
    expect(lines({id: '7', at: null}, undefined, {color: true})).toEqual([
      '\u001b[1mid\u001b[22m  7',
      '\u001b[1mat\u001b[22m  \u001b[2m–\u001b[22m',
    ]);
  });

  test('renderRecord is never wider than the terminal, and contains no trailing space or control character', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('\u001b', '\u202e', '\n', '写', ' ', 'a'), fc.string({unit: 'grapheme', minLength: 1, maxLength: 1})),
    });
    fc.assert(
      fc.property(fc.dictionary(text, text), fc.integer({min: 1, max: 100}), (value, width) => {
        for (const line of lines(value, undefined, {width})) {
          expect(stringWidth(line)).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/[\p{Cc}\u202e]|\s$/u);
        }
      }),
    );
  });
});
