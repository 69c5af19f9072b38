/** Commands that are suggested, as a shell reads them. */
import {spawnSync} from 'node:child_process';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {commandText, shellWord} from '../../../src/lib/files/command-text.js';
import {wordsOfShell} from '../../shell-words.js';

/** The words that a POSIX shell makes of each command line. */
function wordsInShell(lines: readonly string[]): string[][] {
  const script = `pixelctl() { printf '%s\\0' "$#" "$@"; }\n${lines.join('\n')}\n`;
  const {stdout, stderr, status} = spawnSync('sh', {input: script, encoding: 'utf8'});
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  const found = stdout.split('\0').slice(0, -1);
  const commands: string[][] = [];
  for (let at = 0; at < found.length; at += Number(found[at]) + 1) commands.push(found.slice(at + 1, at + 1 + Number(found[at])));
  return commands;
}

describe('a suggested command', () => {
  test.each<[string, Parameters<typeof commandText>[1], string]>([
    ['has its arguments before its flags', {args: ['5'], flags: {yes: true}}, 'pixelctl filters update 5 --yes'],
    ['joins a flag and its value', {args: ['5'], flags: {title: '-x'}}, 'pixelctl filters update 5 --title=-x'],
    ['repeats a flag with several values', {flags: {keyword: ['a', 'b c']}}, "pixelctl filters update --keyword=a --keyword='b c'"],
    ['names what is switched off', {flags: {'whole-word': false}}, 'pixelctl filters update --no-whole-word'],
    ['leaves out flags without a value', {flags: {title: undefined}}, 'pixelctl filters update'],
    [
      'puts arguments that begin with a dash after --',
      {args: ['--yes.example'], flags: {json: true}},
      'pixelctl filters update --json -- --yes.example',
    ],
    ['quotes what a shell would run', {args: ['3; touch pwned #']}, "pixelctl filters update '3; touch pwned #'"],
    ['quotes a single quote', {args: ["it's"]}, String.raw`pixelctl filters update 'it'\''s'`],
    ['quotes an empty text', {args: ['']}, "pixelctl filters update ''"],
    ['quotes what zsh would expand', {args: ['=ls', '~', '*']}, "pixelctl filters update '=ls' '~' '*'"],
  ])('%s', (_, parts, line) => {
    expect(commandText('filters update', parts)).toBe(line);
  });

  test('a suggested command reaches the program unmodified (property)', () => {
    const text = fc.string({unit: fc.constantFrom(...`a0 -='"\`\\$;&|<>()[]{}*?!#~%^@,.\t\n`, 'é', '–', '🙂'), maxLength: 8});
    const command = fc.record({args: fc.array(text, {maxLength: 3}), value: text});
    fc.assert(
      fc.property(fc.array(command, {minLength: 1, maxLength: 50}), (commands) => {
        const lines = commands.map(({args, value}) => commandText('x', {args, flags: {value}}));
        const wanted = commands.map(({args, value}) =>
          args.some((arg) => /^-./s.test(arg)) ? ['x', `--value=${value}`, '--', ...args] : ['x', ...args, `--value=${value}`],
        );
        expect(wordsInShell(lines)).toEqual(wanted);
      }),
      {numRuns: 30},
    );
  });
});

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
