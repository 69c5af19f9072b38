import {describe, expect, test} from 'vitest';
import {booleanIn, DomainEntries, refusePage} from '../../../../src/lib/policy/lists/domain-entries.js';
import {blocked} from '../../../../src/lib/policy/model/domain-facts.js';

test.each<[boolean | undefined, readonly string[]]>([
  [true, ['true', 't', 'yes', 'y', '1', ' TRUE ']],
  [false, ['false', 'f', 'no', 'n', '0', '', '  ', 'False']],
  [undefined, ['2', 'tru', 'on', 'null']],
])('the words of lists for %s are read', (value, words) => {
  expect(words.map(booleanIn)).toEqual(words.map(() => value));
});

test('the beginning of a page is refused, and other markup is none', () => {
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
    '\t<?xml version',
  ];
  for (const text of pages) expect(() => refusePage(text, 'l.csv', 3), text).toThrow('l.csv:3: a web page, not a list');
  for (const text of ['a.example', '<b>', '<headline>', 'x <html>', '<']) expect(() => refusePage(text, 'l.csv', 3), text).not.toThrow();
});

describe('an entry of a list', () => {
  function read(add: (entries: DomainEntries) => void) {
    const entries = new DomainEntries('l.csv', 'plain');
    add(entries);
    const {entries: found, obfuscated, mistakes} = entries.list();
    const names = (some: typeof found) => some.map(({domain, line}) => `${domain}:${line}`);
    return [names(found), obfuscated, mistakes.first.map(({line, message}) => `${line}: ${message}`)];
  }

  test.each<[string, ReturnType<typeof read>]>([
    ['bad.example', [['bad.example:4'], 0, []]],
    [' https://Bad.example/x ', [['bad.example:4'], 0, []]],
    ['*.bad.example', [[], 1, []]],
    ['*.b*d.example', [[], 1, []]],
    ['b*d.example', [[], 1, []]],
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
    expect(read((entries) => entries.add(text, 4))).toEqual(found);
  });

  test('that is known to be masked is not used, whatever it looks like', () => {
    expect(read((entries) => entries.add('bad.example', 4, {isMasked: true}))).toEqual([[], 1, []]);
    expect(read((entries) => entries.add('*.bad.example', 4, {isMasked: true}))).toEqual([[], 1, []]);
  });

  test('shares what it says with others that say the same, of the last thousand comments', () => {
    const entries = new DomainEntries('l.csv', 'plain');
    const silence = (public_comment?: string) => ({severity: 'silence' as const, public_comment});
    const add = (domain: string, comment?: string) => entries.add(domain, 1, {facts: silence(comment)});
    add('a.example');
    add('b.example');
    add('c.example', '');
    add('d.example', 'x');
    add('e.example', 'x');
    entries.add('f.example', 1, {facts: {...silence('x'), obfuscate: true}});
    entries.add('g.example', 1);
    const [a, b, c, d, e, f, g] = entries.list().entries.map(({facts}) => facts);
    expect([b === a, c === a, e === d, f === d, g]).toEqual([true, true, true, false, blocked]);
    expect(d).toMatchObject({severity: 'silence', public_comment: 'x'});
    // With those of nothing and of x, the last of these is one too many.
    for (let index = 0; index < 999; index += 1) add(`n${index}.example`, `comment ${index}`);
    add('late.example');
    expect(entries.list().entries.at(-1)?.facts).toEqual(a);
    expect(entries.list().entries.at(-1)?.facts).not.toBe(a);
  });
});
