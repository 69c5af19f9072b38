import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {completionsFor, wordsOfLine} from '../../../../src/lib/cli/completion/answer-shell.js';
import type {CompletionTable, Flag} from '../../../../src/lib/cli/completion/model.js';
import {shellWord} from '../../../../src/lib/files/command-text.js';

const flags: readonly Flag[] = [
  {names: ['--help'], about: 'show help'},
  {names: ['-s', '--server'], about: 'address', value: {}},
  {names: ['-p', '--profile'], about: 'profile', value: {profiles: true}},
  {names: ['-o', '--output'], about: 'format', value: {known: ['table', 'json']}},
  {names: ['-v', '--verbose'], about: 'more'},
  {names: ['--tag'], about: 'tags', value: {known: ['a', 'b'], isList: true}},
  {names: ['--whole', '--no-whole'], about: 'whole words'},
  {names: ['--report'], about: 'report', value: {files: true}},
];
const common = [0, 1, 2, 3, 4];
const table: CompletionTable = {
  flags,
  nodes: {
    '': {next: {album: 'Albums', audit: 'Audit', help: 'Show help'}, flags: common, arguments: []},
    album: {next: {drop: 'Drop', list: 'List'}, flags: common, arguments: []},
    'album list': {next: {}, flags: [...common, 5, 6], arguments: []},
    'album drop': {next: {}, flags: common, arguments: [{about: 'album', known: ['5', '6'], repeats: true}]},
    audit: {
      next: {},
      flags: [...common, 7],
      arguments: [
        {about: 'kind', known: ['all']},
        {about: 'policy', files: true},
      ],
    },
  },
};

const saved = async () => [
  {name: 'ana', server: 'https://pix.example'},
  {name: 'bob', server: 'http://127.0.0.1:8080'},
];

async function offers(line: string) {
  const words = line.split(' ');
  const current = words.pop() ?? '';
  return completionsFor(table, words, current, saved);
}
const values = async (line: string): Promise<string[]> => (await offers(line)).items.map(({value}) => value);

const commonNames = ['--help', '-s', '--server', '-p', '--profile', '-o', '--output', '-v', '--verbose'];

describe('words', () => {
  test.each([
    ['', ['album', 'audit', 'help']],
    ['help ', ['album', 'audit', 'help']],
    ['help album ', ['drop', 'list']],
    ['album ', ['drop', 'list']],
    ['--output json album ', ['drop', 'list']],
    ['album -v -o json ', ['drop', 'list']],
    ['nonsense ', commonNames],
    ['album list x ', [...commonNames, '--tag', '--whole', '--no-whole']],
  ])('`%s` leads to %j', async (line, expected) => {
    expect(await values(line)).toEqual(expected);
  });

  test.each(['album:list --t', 'album list --t'])('`%s` completes in both spellings of a command', async (line) => {
    expect(await values(line)).toContain('--tag');
  });
});

test.each([
  ['-', commonNames],
  ['-v -', commonNames],
  ['-ojson -', commonNames],
  ['album list -x --no-', [...commonNames, '--tag', '--whole', '--no-whole']],
  ['audit -- -', ['all']],
])('`%s` leads to the flags of the command', async (line, expected) => {
  expect(await values(line)).toEqual(expected);
});

describe('values', () => {
  test.each([
    ['album list --output ', '', ['table', 'json']],
    ['album list --output=', '--output=', ['table', 'json']],
    ['-p ', '', ['ana', 'bob']],
    ['-s ', '', []],
    ['album list --tag ', '', ['a', 'b']],
    ['album list --tag a,', 'a,', ['b']],
    ['album list --tag=a,', '--tag=a,', ['b']],
    ['album list --tag a --tag ', '', ['a', 'b']],
    ['album list -o ', '', ['table', 'json']],
    ['album drop ', '', ['5', '6']],
    ['album drop 5 ', '', ['5', '6']],
    ['audit ', '', ['all']],
  ])('`%s` keeps %j and offers %j', async (line, lead, expected) => {
    const {lead: kept, items} = await offers(line);
    expect({kept, values: items.map(({value}) => value)}).toEqual({kept: lead, values: expected});
  });

  test.each([
    ['audit all ', '', true],
    ['audit --report re', '', true],
    ['audit --report=re', '--report=', true],
    ['audit ', '', false],
  ])('`%s` offers files after %j: %j', async (line, lead, files) => {
    expect(await offers(line)).toMatchObject({lead, files});
  });
});

const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

test.each(inherited)('`%s` is a word like any other', async (word) => {
  expect(await values(`${word} `)).toEqual(await values('nonsense '));
  expect(await values(`album ${word} `)).toEqual(await values('album nonsense '));
  expect(await values(`--${word} `)).toEqual(await values('--nonsense '));
  expect(await values(word)).toEqual(await values(''));
});

test('any words can be typed', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.string(), fc.constantFrom(...inherited))), fc.string(), async (words, current) => {
      const {items} = await completionsFor(table, words, current, saved);
      expect(new Set(items.map(({value}) => value)).size).toBe(items.length);
    }),
  ));

describe('a line of bash', () => {
  test.each([
    ['pixelctl ', ['pixelctl', '']],
    ['pixelctl  a', ['pixelctl', 'a']],
    ['pixelctl "a b', ['pixelctl', 'a b']],
    ["pixelctl 'a b' ", ['pixelctl', 'a b', '']],
    [String.raw`pixelctl a\ b`, ['pixelctl', 'a b']],
    ['pixelctl a"b c"d', ['pixelctl', 'ab cd']],
    ['pixelctl a\\', ['pixelctl', 'a']],
  ])('%j is %j', (line, words) => {
    expect(wordsOfLine(line)).toEqual(words);
  });

  test('quoted words are read back', () => {
    const word = fc.string({minLength: 1, unit: 'grapheme'});
    fc.assert(
      fc.property(fc.array(word, {minLength: 1}), (words) => {
        expect(wordsOfLine(words.map(shellWord).join(' '))).toEqual(words);
        expect(wordsOfLine(`${words.map(shellWord).join(' ')} `)).toEqual([...words, '']);
      }),
    );
  });

  test('any text is a line', () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        expect(wordsOfLine(line)).not.toEqual([]);
      }),
    );
  });
});
