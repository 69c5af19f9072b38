import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {NameSelection, type Selectable} from '../../../../src/lib/policy/reading/selection.js';

const host = 'pix.example';
const selects = (text: string, one: Selectable): boolean => new NameSelection([text], host).matches(one);

describe.each<[string, Selectable, readonly string[], readonly string[]]>([
  [
    'a domain',
    {kind: 'domain_block', subject: 'sub.bad.example'},
    ['sub.bad.example', 'SUB.bad.example', 'sub.bad.example.', '*.bad.example', '*', 'sub.*'],
    ['bad.example', '*.bad.exampl', 'sub?bad.example', '.*'],
  ],
  [
    'a domain that is not ASCII',
    {kind: 'domain_block', subject: 'xn--bcher-kva.example'},
    ['bücher.example', 'BÜCHER.example'],
    ['bucher.example'],
  ],
  [
    'an account here',
    {kind: 'block', subject: 'ana@pix.example'},
    ['ana', '@ana', '@ana@pix.example', 'Ana', '*@pix.example'],
    ['ben', '*@bad.example'],
  ],
  [
    'an account elsewhere',
    {kind: 'mute', subject: 'bo@bad.example'},
    ['@bo@bad.example', '*@bad.example', '@*@bad.example'],
    ['bo', '@bo'],
  ],
  [
    'a filter',
    {kind: 'filter', subject: 'Spoilers (TV)', id: '7'},
    ['Spoilers (TV)', ' Spoilers (TV) ', '7', 'Spoil*'],
    ['spoilers (tv)', 'Spoilers', '8'],
  ],
])('%s', (_, one, chosen, others) => {
  test.each(chosen)('a change is meant by %s', (text) => expect(selects(text, one)).toBe(true));
  test.each(others)('a change is not meant by %s', (text) => expect(selects(text, one)).toBe(false));
});

test('a pattern means what its parts surround, whatever characters these are', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (start, middle, end) => {
      fc.pre(!`${start}${end}`.includes('*') && start.trim() === start && end.trim() === end);
      const subject = `${start}x${middle.trim()}x${end}`;
      expect(selects(`${start}*${end}`, {kind: 'filter', subject})).toBe(true);
    }),
  );
});

test('names what matched nothing', () => {
  const selection = new NameSelection(['bad.example', 'gone.example', 'No such filter'], host);
  selection.matches({kind: 'domain_block', subject: 'bad.example'});
  expect(() => selection.refuseUnmatched('not here', 'look')).toThrow('gone.example (and 1 more): not here');
  selection.matches({kind: 'domain_block', subject: 'gone.example'});
  expect(() => selection.refuseUnmatched('not here', 'look')).toThrow('"No such filter": not here');
  selection.matches({kind: 'filter', subject: 'No such filter'});
  expect(() => selection.refuseUnmatched('not here', 'look')).not.toThrow();
});

test('a pattern with any number of stars means what the same regular expression matches', () => {
  const letters = (allowed: string) => fc.array(fc.constantFrom(...allowed), {minLength: 1, maxLength: 8}).map((all) => all.join(''));
  fc.assert(
    fc.property(letters('ab*'), letters('ab'), (pattern, subject) => {
      fc.pre(pattern.includes('*'));
      const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(subject);
      expect(selects(pattern, {kind: 'filter', subject})).toBe(expected);
    }),
  );
});

test('a pattern with many stars is compared with a title of a megabyte', () => {
  expect(selects('a*a*a*a*b', {kind: 'filter', subject: 'a'.repeat(1_000_000)})).toBe(false);
});
