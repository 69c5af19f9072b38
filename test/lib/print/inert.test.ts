import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {inert, inertData, inertPainted, withoutCommands} from '../../../src/lib/print/inert.js';
import {codePoint} from '../../arbitraries.js';

/** Controls, line separators, and all that is not seen, but for the format characters that are. */
const active =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}[\p{Cf}--[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]]/v;

/** Controls, line separators, and what is not seen, but for what may be part of what is seen. */
const activeAnywhere =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}[\p{Default_Ignorable_Code_Point}--[\p{Variation_Selector}\p{Join_Control}\u{e0020}-\u{e007f}]]]/v;

/** Text in which the characters that matter are frequent. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'\u200b\u200c\u200d\ufe0f\u{e0041}\u{e007f}\u{1f3f4}👩کक\u001b\u007f\u009b\u202e\u2066\u200f\u061c\u2028\r\n\t"\\',
      '\ud800',
      '\udc00',
    ),
    fc.string({unit: codePoint, minLength: 1, maxLength: 1}),
  ),
});

describe('inert', () => {
  test.each([
    ['a colour', 'a \u001b[31mred\u001b[0m rose', 'a ␛[31mred␛[0m rose'],
    ['a title change', '\u001b]0;owned\u0007', '␛]0;owned␇'],
    ['a C1 control', 'a\u009b31m', 'a\\u009b31m'],
    ['delete', 'a\u007f', 'a␡'],
    ['an override', 'photo\u202egpj.exe', 'photo\\u202egpj.exe'],
    ['an isolate', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a lone carriage return', 'safe\rowned', 'safe␍owned'],
    ['half of a pair', 'a\ud83d', 'a\ufffd'],
    ['a zero-width space', 'evil\u200b.example', 'evil\\u200b.example'],
    ['a joiner between Latin letters', 'ev\u200dil', 'ev\\u200dil'],
    ['a joiner at an end', '\u200cک\u200d', '\\u200cک\\u200d'],
    ['two joiners in a row', '👩\u200d\u200d👦', '👩\\u200d\\u200d👦'],
    ['a joiner behind an emoji alone', '👩\u200da', '👩\\u200da'],
    ['a byte order mark inside', 'a\ufeffb', 'a\\ufeffb'],
    ['a soft hyphen', 'exam\u00adple', 'exam\\u00adple'],
    ['a filler', 'a\u3164b', 'a\\u3164b'],
    ['tags without a flag', 'hi\u{e0068}\u{e0069}', 'hi\\u{e0068}\\u{e0069}'],
    ['tags of a flag without an end', '🏴\u{e0067}\u{e0062}x', '🏴\\u{e0067}\\u{e0062}x'],
    ['tags that are no code', '🏴\u{e0048}\u{e0049}\u{e007f}', '🏴\\u{e0048}\\u{e0049}\\u{e007f}'],
    ['a variation selector that varies nothing', 'a\ufe0f', 'a\\ufe0f'],
    ['a row of variation selectors', '❤\ufe0f\ufe01', '❤\ufe0f\\ufe01'],
  ])('shows %s', (_name, active_, shown) => {
    expect(inert(active_)).toBe(shown);
  });

  test('turns tabs into spaces, and line breaks where they are not kept', () => {
    expect(inert('one\ntwo\r\nthree\tfour')).toBe('one two three four');
    expect(inert('one\ntwo\r\nthree\tfour', {keepLines: true})).toBe('one\ntwo\nthree four');
  });

  test.each([
    ['letters of many scripts', 'Grüße, 写真, שלום, नमस्ते, e\u0301'],
    ['a family', '👩\u200d👩\u200d👧\u200d👦'],
    ['a skin colour and a profession', '🧑🏽\u200d🚀'],
    ['flags', '🇩🇪 🏳\ufe0f\u200d🌈 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['emoji in colour, and a key', '❤\ufe0f\u200d🔥 1\ufe0f\u20e3'],
    ['a non-joiner in Persian', 'می\u200cخواهم'],
    ['joiners of Indic scripts', 'ශ්\u200dරී क्\u200dष'],
    ['a variant of an ideograph', '葛\u{e0100}'],
    ['Arabic signs above numbers', '\u0600\u0661'],
  ])('leaves %s unchanged', (_, harmless) => {
    expect(inert(harmless)).toBe(harmless);
    expect(inertData(harmless)).toBe(harmless);
  });

  test('knows every invisible character', () => {
    const wrong: number[] = [];
    for (let code = 0; code <= 0x10_ff_ff; code += 1) {
      const character = String.fromCodePoint(code);
      if ((inert(character) !== character) !== active.test(character)) wrong.push(code);
    }
    expect(wrong).toEqual([]);
  });

  test('lets no control character through', () => {
    fc.assert(
      fc.property(text, (any) => {
        expect(inert(any)).not.toMatch(activeAnywhere);
        expect(inert(any).isWellFormed()).toBe(true);
        expect(inert(any, {keepLines: true}).replaceAll('\n', '')).not.toMatch(activeAnywhere);
        expect(inert(inert(any))).toBe(inert(any));
      }),
    );
  });
});

test('a text of many control characters is whole', () => {
  for (const count of [999, 1000, 1001, 5000]) expect(inert('\u0001a'.repeat(count))).toBe('␁a'.repeat(count));
  for (const count of [4095, 4096, 4097, 10_000]) expect(inert('\u0001'.repeat(count))).toBe('␁'.repeat(count));
});

describe('inertData', () => {
  test('writes control characters as escapes', () => {
    expect(inertData('{\n\t"a": "\u202eb\u009b"\r\n}')).toBe('{\n\t"a": "\\u202eb\\u009b"\r\n}');
  });

  test('keeps the value, and lets no control character through', () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const document = JSON.stringify(value);
        expect(JSON.parse(inertData(document))).toEqual(JSON.parse(document));
        expect(inertData(document)).not.toMatch(activeAnywhere);
        expect(inertData(document).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('inertPainted', () => {
  test('keeps our own colours, and no other escape sequence', () => {
    const colored = '\u001b[1mid\u001b[22m  \u001b[32mok\u001b[39m\n';
    expect(inertPainted(colored)).toBe(colored);
    expect(inertPainted('\u001b[8mhidden\u001b[2J\u009b31m\u001b[38;5;0m\r')).toBe(
      String.raw`\u001b[8mhidden\u001b[2J\u009b31m\u001b[38;5;0m\u000d`,
    );
  });
});

test.each([
  ['::error::x', ': :error::x'],
  ['id\n  ::set-output name=a::b', 'id\n  : :set-output name=a::b'],
  ['\u00a0::warning::x', '\u00a0: :warning::x'],
  ['a ::error::x', 'a ::error::x'],
  ['a ##[error]x', 'a # #[error]x'],
  ['##vso[task.setvariable]x ##VSO[x', '# #vso[task.setvariable]x # #VSO[x'],
  ["##teamcity[message text='x']", "# #teamcity[message text='x']"],
  ['section_start:1:x', 'section_start :1:x'],
  ['## title', '## title'],
  [': x\n:\n', ': x\n:\n'],
])('breaks the commands of CI in %j', (found, broken) => {
  expect(withoutCommands(found)).toBe(broken);
  expect(withoutCommands(broken)).toBe(broken);
});
