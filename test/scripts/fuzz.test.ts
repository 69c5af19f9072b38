/** Parsers of foreign text on odd inputs: a result, or an error that helps. */
import {describe, expect, test} from 'vitest';
import {parserNames} from '../../scripts/fuzz/parsers/index.js';
import {runParsers} from '../../scripts/fuzz/run.js';
import {MoreThanWords, wordsOf} from '../../scripts/fuzz/shell-model.js';
import {checkPage} from '../../scripts/fuzz/html-model.js';

/** Mutations of each parser. `npm run fuzz` tries more. */
const count = 30;
const seed = 20;

const results = await runParsers(parserNames, {seed, count});

test.each(parserNames)('the parser %s behaves well on all inputs that are kept, and on mutations of them', (name) => {
  const {tries = 0, findings = []} = results.get(name) ?? {};
  expect(findings.map(({source, complaint, bytes}) => ({source, complaint, bytes: bytes.toString()}))).toEqual([]);
  expect(tries).toBeGreaterThan(0);
});

describe('the model of a shell', () => {
  test.each([
    [`a 'b c' "d \\"e\\" \\f" g\\ h''`, ['a', 'b c', 'd "e" \\f', 'g h']],
    ["'' a\\\nb \u00a0", ['', 'ab', '\u00a0']],
    ['"$T"x', ['tx']],
  ])('splits %j', (line, words) => {
    expect(wordsOf(line, new Map([['T', 't']]))).toEqual(words);
  });

  test.each(['a; b', 'a\nb', '$x', '"`a`"', "'a", '~', '#a', '*', '{a,b}'])('says that a shell does more with %j', (line) => {
    expect(() => wordsOf(line)).toThrow(MoreThanWords);
  });
});

describe('a page', () => {
  const page = (inside: string) => `<!doctype html>\n<html lang="en">\n<body>\n${inside}<script>1 < 2</script>\n</body>\n</html>\n`;

  test('may have what our pages are made of', () => {
    expect(() => checkPage(page('<p class="a">a &lt;b&gt; <a href="media/0f.jpg">0f.jpg</a></p>\n'))).not.toThrow();
  });

  test.each([
    ['<b>a</b>', 'the element b'],
    ['<p onclick="x">a</p>', 'the attribute onclick of p'],
    ['<a href="javascript:x">a</a>', 'a link to javascript:x'],
    ['<p class=x>a</p>', 'what is no tag'],
    ['a < b', 'what is no tag'],
    ['<!-- a -->', 'what is no tag'],
    ['</p>', 'an end of p'],
    ['<p class="a">', 'an end of body'],
    ['<script>x</script>', '2 scripts'],
    ['\u001b', 'a control character'],
  ])('may not have %j', (inside, complaint) => {
    expect(() => checkPage(page(inside))).toThrow(complaint);
  });
});
