/** Every regular expression of the program takes linear time: texts of servers and lists may repeat anything a million times. */
import {resolve} from 'node:path';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {attackOn, patternsIn} from '../pattern-cost.js';

/** What takes longer, and why that does no harm. */
const slow: Readonly<Record<string, string>> = {
  'src/lib/json/text.ts /\\B(?=(\\d{3})+$)/g': 'the digits of a number of our own: 21 at most',
};

/** Files with one pattern that is made in a function, and why it cannot be slow. */
const late: Readonly<Record<string, string>> = {
  'src/lib/sandbox/sandbox-server.ts': 'of the paths of our own routes: a slash ends each repeat',
  'src/lib/sandbox/fault.ts': 'of the flag of whoever starts the sandbox, on paths of requests to it',
  'src/lib/operations/domains.ts': 'a copy of one that is tried here',
  'src/lib/print/inert.ts': 'it repeats single characters, 4,096 at most',
  'src/lib/cli/endpoint/raw-command.ts': 'of the paths of our own endpoints: a slash ends each repeat',
};

const found = await patternsIn('src');
const nameOf = ({file, text}: {readonly file: string; readonly text: string}) => `${file} ${text}`;

describe('a pattern with nested or overlapping repeats is found', () => {
  test.each([
    ['quadratic at line breaks', /^\s*version:/m],
    ['quadratic without a match', /\s+$/],
    ['quadratic in a replacement', /<[^>]*>/g],
    ['quadratic after a beginning', /^url\(\s*(.*?)\s*\)$/],
    ['exponential', /^(?:a+)+$/],
  ])('%s', (_, pattern) => {
    expect(attackOn(pattern)).toBeDefined();
  });

  test('a linear pattern is not', () => {
    for (const pattern of [/^[ \t{]*["']?version["']?[ \t]*:/m, /^\s*<(?:html|body)\b/i, /\r\n|\r|\n/g, /[a-z]+/])
      expect(attackOn(pattern)).toBeUndefined();
  });
});

test('every pattern in the sources takes linear time', () => {
  const attacked = new Set<string>();
  for (const [text, [one]] of Map.groupBy(found, ({text}) => text)) if (one?.pattern && attackOn(one.pattern)) attacked.add(text);
  expect(found.filter(({text}) => attacked.has(text)).map(nameOf)).toEqual(Object.keys(slow));
});

describe('a pattern that is made when the program runs', () => {
  const made: RegExp[] = [];
  const Original = RegExp;

  beforeAll(async () => {
    vi.stubGlobal(
      'RegExp',
      new Proxy(Original, {
        construct(target, [source, flags]: [RegExp | string, string | undefined]) {
          const pattern = new target(source, flags);
          made.push(pattern);
          return pattern;
        },
      }),
    );
    vi.resetModules();
    for (const {file} of found.filter(({pattern, isEarly}) => pattern === undefined && isEarly)) await import(resolve(file));
    vi.unstubAllGlobals();
  });

  afterAll(() => vi.unstubAllGlobals());

  test('takes linear time, where that is when a module is loaded', () => {
    expect(made.length).toBeGreaterThan(0);
    expect(made.filter((pattern) => attackOn(pattern) !== undefined)).toEqual([]);
  });

  test('is known, where that is in a function', () => {
    expect(
      found
        .filter(({pattern, isEarly}) => pattern === undefined && !isEarly)
        .map(({file}) => file)
        .sort(),
    ).toEqual(Object.keys(late).sort());
  });
});
