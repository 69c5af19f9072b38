import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {YamlSource} from '../../../../src/lib/policy/source/yaml-source.js';

function refusal(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure && error.code === 'usage') return error;
    throw error;
  }
  throw new Error('It was read');
}

const refusalOf = (text: string): Failure => refusal(() => new YamlSource(text, 'p.yml').value);
const mistakesIn = (text: string) => refusalOf(text).details.mistakes?.map(({line, column, message}) => [line, column, message]);

test.each<[string, unknown]>([
  ['', null],
  ['a: 1\nb: [x, true, null]\n', {a: 1, b: ['x', true, null]}],
  ['{"a": "b"}', {a: 'b'}],
  ['%YAML 1.1\n---\na: yes\n', {a: 'yes'}],
  ['a: 0o17\n', {a: 15}],
])('a document is read: %j', (text, value) => {
  expect(new YamlSource(text, 'p.yml').value).toEqual(value);
});

test.each<[string, [line: number, column: number, message: string][]]>([
  ['a: 1\n---\nb: 2\n', [[2, 1, 'a second document begins here; a policy is one document']]],
  ['a: !!set {b}\n', [[1, 4, 'Unresolved tag: tag:yaml.org,2002:set']]],
  ['a: !own b\n', [[1, 4, 'Unresolved tag: !own']]],
  ['a: 1\na: 2\n', [[2, 1, 'Map keys must be unique']]],
  ['x: {a: 1, "a": 2}\ny: {a: 1}\n', [[1, 11, 'Map keys must be unique']]],
])('mistakes have their places: %j', (text, mistakes) => {
  expect(mistakesIn(text)).toEqual(mistakes);
});

test('a mistake of the parser hides what follows from it', () => {
  expect(refusalOf('a: [1\nb: 2\nb: 3\n').message).not.toContain('Map keys must be unique');
});

describe('a document that is too much', () => {
  test('is too large', () => {
    const most = 16 * 1024 ** 2;
    expect(refusalOf(`#${'x'.repeat(most)}`).message).toBe('p.yml is larger than 16 MiB, too large for a policy');
    expect(new YamlSource(`#${'x'.repeat(most - 1)}`, 'p.yml').value).toBeNull();
  });

  test('is nested too deeply', () => {
    const lines = Array.from({length: 5000}, (_, index) => `${' '.repeat(index)}a:`).join('\n');
    for (const text of ['['.repeat(20_000), lines]) expect(refusalOf(text).message).toMatch(/nested too deeply/);
  });
});

test('references, and words that begin with *, are refused, each with its place', () => {
  expect(refusalOf('a: *.bad.example\n').message).toBe(
    'p.yml:1:4: YAML reads *.bad.example as an alias: put text that begins with * in quotes',
  );
  expect(refusalOf('a: *x\nb: &x 1\nc: *x\n').message).toMatch(/^p\.yml has 2 mistakes\np\.yml:1:4: .*\np\.yml:3:4: /);
});

test.each<[path: readonly PropertyKey[], key: string | undefined, line: number, column: number]>([
  [[], undefined, 2, 1],
  [['a'], undefined, 2, 4],
  [['b'], undefined, 4, 3],
  [['b', 1], undefined, 5, 5],
  [['b', 1, 'c'], undefined, 5, 8],
  [['b', 1, 'c', 'none', 'either'], undefined, 5, 8],
  [['b', 7], undefined, 4, 3],
  [['none'], undefined, 2, 1],
  [[], 'b', 3, 1],
  [[], 'none', 2, 1],
  [['b', 1], 'd', 6, 5],
  [['b'], 'd', 4, 3],
  [['b', 0], 'x', 4, 5],
])('the part at %j has a position, with key %s that of the key', (path, key, line, column) => {
  const source = new YamlSource('# first\na: 1\nb:\n  - x\n  - c: 2\n    d: 3\n', 'p.yml');
  expect(source.location(path, key)).toEqual({file: 'p.yml', line, column});
});

test('an empty document begins at its beginning', () => {
  expect(new YamlSource('', 'p.yml').location(['a'])).toEqual({file: 'p.yml', line: 1, column: 1});
});
