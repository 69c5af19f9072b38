import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {shellWord} from '../../../src/lib/files/shell-word.js';
import {wordsOfShell} from '../../shell-words.js';

const text = fc.string({unit: fc.constantFrom(...`ab -='"\`\\$;&|<>()[]{}*?!#~\t\n`, 'é', '🙂')});

test('splits a line of quoted words into the same words', () => {
  fc.assert(
    fc.property(fc.array(text), (words) => {
      expect(wordsOfShell(words.map(shellWord).join(' '))).toEqual(words);
    }),
  );
});

describe('a line', () => {
  test.each([
    ['', []],
    ['  a \t b ', ['a', 'b']],
    [`'a b'c"d e"`, ['a bcd e']],
    [String.raw`a\ b \'c`, ['a b', "'c"]],
    [String.raw`"a\"b\\c\$d\n"`, [String.raw`a"b\c$d\n`]],
    [`'' ""`, ['', '']],
    [String.raw`'$HOME' '\'`, ['$HOME', '\\']],
    ['--title=é a=b', ['--title=é', 'a=b']],
    ['a\u00a0b \u2003\ufeff\u2028', ['a\u00a0b', '\u2003\ufeff\u2028']],
  ])('splits %j into %j', (line, words) => {
    expect(wordsOfShell(line)).toEqual(words);
  });

  test.each([
    [`'a`, 'a quote is not closed'],
    [`"a`, 'a quote is not closed'],
    ['a | b', '| has to be quoted'],
    ['a; b', '; has to be quoted'],
    ['a > b', '> has to be quoted'],
    ['a & b', '& has to be quoted'],
    ['(a)', '( has to be quoted'],
    ['a `b`', '` has to be quoted'],
    ['$a', '$ has to be quoted'],
    ['"$a"', 'single quotes'],
    [String.raw`"\\$a"`, 'single quotes'],
    ['"`a`"', 'single quotes'],
    ['a\\', 'has to be quoted'],
  ])('rejects %j: %s', (line, why) => {
    expect(() => wordsOfShell(line)).toThrow(why);
  });
});
