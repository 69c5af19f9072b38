import {describe, expect, test} from 'vitest';
import {Failure} from '../../../../src/lib/client/failure.js';
import {YamlSource} from '../../../../src/lib/policy/source/yaml-source.js';

const mistakesIn = (text: string) => new YamlSource(text, 'p.yml').mistakes.first.map(({line, column, message}) => [line, column, message]);

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure && error.code === 'usage') return error.message;
    throw error;
  }
  throw new Error('It was read');
}

test.each<[string, unknown]>([
  ['', null],
  ['a: 1\nb: [x, true, null]\n', {a: 1, b: ['x', true, null]}],
  ['{"a": "b"}', {a: 'b'}],
  ['a: &x [1]\nb: *x\n', {a: [1], b: [1]}],
  ['%YAML 1.1\n---\na: yes\n', {a: 'yes'}],
  ['a: 0o17\n', {a: 15}],
])('a document is read: %j', (text, value) => {
  const source = new YamlSource(text, 'p.yml');
  expect(source.mistakes.count).toBe(0);
  expect(source.value).toEqual(value);
});

test.each<[string, [line: number, column: number, message: string][]]>([
  ['a: 1\n---\nb: 2\n', [[2, 1, 'a second document begins here; a policy is one document']]],
  ['a: !!set {b}\n', [[1, 4, 'the tag !!set is not allowed here: write a plain map, list or value']]],
  ['a: !own b\n', [[1, 4, 'the tag !own is not allowed here: write a plain map, list or value']]],
  ['a: 1\na: 2\n', [[2, 1, 'Map keys must be unique']]],
  ['x: {a: 1, "a": 2}\ny: {a: 1}\n', [[1, 11, 'Map keys must be unique']]],
  ['? [a]\n: 1\n? [a]\n: 2\n', []],
])('mistakes have their places: %j', (text, mistakes) => {
  expect(mistakesIn(text)).toEqual(mistakes);
});

test('a mistake of the parser hides what follows from it', () => {
  expect(mistakesIn('a: [1\nb: 2\nb: 3\n').some(([, , message]) => message === 'Map keys must be unique')).toBe(false);
  expect(mistakesIn('a: [1\nb: 2\n')).not.toEqual([]);
});

describe('a document that is too much', () => {
  test('is too large', () => {
    const most = 16 * 1024 ** 2;
    expect(refusal(() => new YamlSource(`#${'x'.repeat(most)}`, 'p.yml'))).toBe('p.yml is larger than 16 MiB, too large for a policy');
    expect(new YamlSource(`#${'x'.repeat(most - 1)}`, 'p.yml').value).toBeNull();
  });

  test('has aliases that expand too far', () => {
    const text = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let index = 1; index < 6; index += 1)
      text.push(
        `a${index}: &a${index} [${Array(10)
          .fill(`*a${index - 1}`)
          .join(', ')}]`,
      );
    expect(refusal(() => new YamlSource(text.join('\n'), 'p.yml').value)).toBe(
      'p.yml cannot be read: its aliases expand too far, or it is nested too deeply',
    );
  });

  test('has more aliases than can be searched for', () => {
    // Each search is of the whole text.
    const withAliases = (count: number) => `# ${' '.repeat(1_000_000)}\na: &a 1\nb: [${Array(count).fill('*a').join(', ')}]\n`;
    expect(refusal(() => new YamlSource(withAliases(50), 'p.yml').value)).toBe(
      'p.yml cannot be read: it has too many aliases for its size',
    );
    expect(new YamlSource(withAliases(49), 'p.yml').value).toMatchObject({a: 1});
  });

  test('is nested too deeply', () => {
    const text = '['.repeat(100_000);
    const message = refusalOrMistake(text);
    expect(message).toMatch(/nested too deeply/);
  });
});

function refusalOrMistake(text: string): string {
  try {
    return String(new YamlSource(text, 'p.yml').mistakes.first[0]?.message);
  } catch (error) {
    return error instanceof Failure ? error.message : '';
  }
}

test('words that begin with * and name nothing before are refused, each with its place', () => {
  expect(refusal(() => new YamlSource('a: *.bad.example\nb: &x 1\nc: *x\n', 'p.yml').value)).toBe(
    'p.yml:1:4: YAML reads *.bad.example as an alias: put text that begins with * in quotes',
  );
  expect(refusal(() => new YamlSource('a: *x\nb: &x 1\nc: *y\n', 'p.yml').value)).toMatch(
    /^p\.yml has 2 mistakes\np\.yml:1:4: .*\np\.yml:3:4: /,
  );
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
  expect(source.position(path, key)).toEqual({line, column});
  expect(source.location(...path)).toEqual({file: 'p.yml', line: source.position(path).line});
});

test('an empty document begins at its beginning', () => {
  expect(new YamlSource('', 'p.yml').position(['a'])).toEqual({line: 1, column: 1});
});
