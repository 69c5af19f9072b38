import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {runInNewContext} from 'node:vm';
import {transformSync} from 'rolldown/utils';
import {describe, expect, test} from 'vitest';
import {sourcesIn} from '../../scripts/mutation/copy.js';
import {placesIn, withMutants} from '../../scripts/mutation/mutants.js';
import {surplusReasons} from '../../scripts/mutation/report.js';

const root = join(import.meta.dirname, '../..');

interface Mutant {
  readonly code: string;
  readonly mutation: string;
  id: number;
}

const placesOf: (source: string) => readonly {readonly mutants: readonly Mutant[]}[] = (source) => placesIn('a.ts', source);

const mutantsOf = (source: string): string[][] =>
  placesOf(source).flatMap(({mutants}) => mutants.map(({code, mutation}) => [code, mutation]));

describe('the mutants of', () => {
  test.each<[what: string, source: string, mutants: string[][]]>([
    [
      'a comparison',
      'export const f = (a: number, b: number): boolean => a < b;',
      [
        ['a < b', 'undefined'],
        ['a < b', 'a <= b'],
        ['a < b', 'a >= b'],
      ],
    ],
    [
      'a default',
      'export let a = b ?? c;',
      [
        ['b ?? c', 'b'],
        ['b ?? c', 'c'],
      ],
    ],
    [
      'a chain',
      'export let a = b?.c?.[d];',
      [
        ['b?.c?.[d]', 'b.c?.[d]'],
        ['b?.c?.[d]', 'b?.c[d]'],
      ],
    ],
    [
      'a condition',
      'if (a) b = c;',
      [
        ['a', 'true'],
        ['a', 'false'],
      ],
    ],
    ['a call', 'a.b(c);', [['a.b(c)', 'undefined']]],
    ['a text', "export let a = 'b';", [["'b'", "''"]]],
    [
      'a regular expression',
      'export let a = /^\\d+$/i;',
      [
        ['/^\\d+$/i', '/\\d+$/i'],
        ['/^\\d+$/i', '/^\\d+/i'],
        ['/^\\d+$/i', '/^\\d$/i'],
        ['/^\\d+$/i', '/^\\D+$/i'],
        ['/^\\d+$/i', '/^\\d+$/'],
      ],
    ],
    ['prose', "throw new Error('it is not there');", []],
    ['types and names', "import a from 'a'; export type B = 'b' | 1; export {c} from 'c'; export interface D {readonly e: true}", []],
  ])('%s', (_, source, mutants) => {
    expect(mutantsOf(source).sort()).toEqual(mutants.sort());
  });
});

describe('compiled mutants', () => {
  const source = `
    function priceOf(count: number, isMember?: boolean): string {
      const names = ['a', 'bc'] as const;
      if (count <= 0) return '';
      for (const name of names) { if (name === 'a') { count += 1; } else { count *= 2; } }
      return \`\${count * (isMember ? 9 : 10)} \${names?.[0]!.length}\`;
    }`;

  const runs = '[() => priceOf(0), () => priceOf(1), () => priceOf(2, true)]';

  const places = placesOf(source);
  const mutants = places.flatMap((place) => place.mutants);
  for (const [id, mutant] of mutants.entries()) mutant.id = id;
  const {code} = transformSync('a.ts', `${withMutants(source, places, 'switch.cjs')}\n${runs}`, {target: 'esnext'});

  function resultsWith(active: number): unknown[] {
    const made: (() => unknown)[] = runInNewContext(code, {$mutantOfPixelctl: (id: number) => id === active});
    return made.map((run) => {
      try {
        return run();
      } catch (error) {
        return String(error);
      }
    });
  }

  test('give what the source gives while none is active', () => {
    expect(resultsWith(-1)).toEqual(['', '40 1', '54 1']);
  });

  test('each change what the source gives while they are active, but for those that are equal to it', () => {
    const equal = mutants.filter(({id}) => JSON.stringify(resultsWith(id)) === JSON.stringify(resultsWith(-1)));
    expect(mutants.length).toBeGreaterThan(30);
    expect(equal.map((mutant) => `${mutant.code} → ${mutant.mutation}`)).toEqual(["'bc' → ''", 'names?.[0]!.length → names[0]!.length']);
  });
});

test.each(readdirSync(join(root, 'src/lib')))('each reason in test/mutation/%s.yaml is one for a mutant that there is', (room) => {
  const all = sourcesIn(`src/lib/${room}`).flatMap((file: string) => placesIn(file, readFileSync(join(root, file), 'utf8')));
  expect(
    surplusReasons(
      room,
      all.flatMap(({mutants}: {readonly mutants: readonly Mutant[]}) => mutants),
    ),
  ).toEqual([]);
});
