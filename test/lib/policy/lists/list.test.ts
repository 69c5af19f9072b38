import {describe, expect, test} from 'vitest';
import {readDomains} from '../../../../src/lib/policy/lists/list.js';
import {readList} from '../../../../src/lib/policy/lists/read-list.js';

test.each<[boolean | undefined, readonly string[]]>([
  [true, ['true', 't', 'yes', 'y', '1', ' TRUE ']],
  [false, ['false', 'f', 'no', 'n', '0', '', '  ', 'False']],
  [undefined, ['2', 'tru', 'on', 'null']],
])('the words of lists for %s are read', (value, words) => {
  const facts = words.map((word) => readList(`domain,obfuscate\na.example,${word}\n`, 'l.csv').entries[0]?.facts.obfuscate);
  expect(facts).toEqual(words.map(() => value));
});

test('the beginning of a page is refused below a header, and other markup is none', () => {
  const read = (text: string) => () => readList(`#domain\na.example\n${text}\n`, 'l.csv');
  const pages = [
    '<!doctype html>',
    ' <!-- x',
    '<HTML lang="en">',
    '<head>',
    '<body>',
    '<title>',
    '<meta>',
    '<link>',
    '<script>',
    '<?xml version',
  ];
  for (const text of pages) expect(read(text), text).toThrow('l.csv:3: a web page, not a list');
  for (const text of ['a.example', '<b>', '<headline>', 'x <html>', '<']) expect(read(text), text).not.toThrow();
});

describe('an entry of a list', () => {
  function read(text: string, digest = '') {
    const list = readDomains('l.csv', ['domain', 'digest'], [{line: 4, cells: [text, digest]}]);
    const mistakes = list.mistakes.first.map(({line, message}) => `${line}: ${message}`);
    return [list.entries.map(({domain, line}) => `${domain}:${line}`), list.obfuscated, mistakes];
  }

  test.each<[string, ReturnType<typeof read>]>([
    ['bad.example', [['bad.example:4'], 0, []]],
    [' https://Bad.example/x ', [['bad.example:4'], 0, []]],
    ['*.bad.example', [[], 1, []]],
    ['*.b*d.example', [[], 1, []]],
    ['b*d.example', [[], 1, []]],
    ['bad.*', [[], 1, []]],
    ['b█d.example', [[], 1, []]],
    ['*bad.example', [[], 1, []]],
    ['b?d', [[], 0, ['4: "b?d" is not a domain: it has no dot']]],
    ['b-d', [[], 0, ['4: "b-d" is not a domain: it has no dot']]],
    ['7', [[], 0, ['4: "7" is not a domain: it is an address']]],
    ['Bad', [[], 0, ['4: "Bad" is not a domain: it has no dot']]],
    ['cf', [['cf:4'], 0, []]],
    ['xn--p1ai', [['xn--p1ai:4'], 0, []]],
    ['рф', [['xn--p1ai:4'], 0, []]],
    ['*.cf', [[], 1, []]],
    ['bad.example spam', [[], 0, ['4: "bad.example…" is not a domain: more than one word']]],
    ['ana@bad.example', [[], 0, ['4: "ana@bad.example" is an account, not a domain']]],
  ])('is a domain, masked or wrong: %j', (text, found) => {
    expect(read(text)).toEqual(found);
  });

  test('that is known to be masked is not used, whatever it looks like', () => {
    expect(read('bad.example', 'f'.repeat(64))).toEqual([[], 1, []]);
    expect(read('*.bad.example', 'f'.repeat(64))).toEqual([[], 1, []]);
  });

  test('shares what it says with others that say the same, of the last thousand', () => {
    const {entries} = readList(
      `domain,severity,public_comment
a.example,silence,
b.example,Silence,
c.example,silence,
d.example,silence,x
e.example,silence,x
${Array.from({length: 1000}, (_, index) => `n${index}.example,silence,comment ${index}\n`).join('')}late.example,silence,x`,
      'l.csv',
    );
    const [a, b, c, d, e, ...others] = entries.map(({facts}) => facts);
    expect([c === a, b === a, e === d, others.at(-1) === d]).toEqual([true, false, true, false]);
    expect([b, others.at(-1)]).toEqual([a, d]);
  });
});
