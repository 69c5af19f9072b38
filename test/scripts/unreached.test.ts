import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {runInNewContext} from 'node:vm';
import {transformSync} from 'rolldown/utils';
import {describe, expect, test} from 'vitest';
import {branchesIn} from '../../scripts/mutation/branches.js';
import {heldAgainstList, unreachedTable} from '../../scripts/mutation/report.js';
import {withInsertions} from '../../scripts/mutation/source.js';
import {sourcesIn} from '../../scripts/mutation/copy.js';

interface Branch {
  readonly code: string;
  readonly wrap: (id: number) => object;
}

const root = join(import.meta.dirname, '../..');

const branchesOf: (source: string, file?: string) => readonly Branch[] = (source, file = 'a.ts') => branchesIn(file, source);

/** The parts of a source that do not run when it runs. */
function unreachedIn(source: string): string[] {
  const branches = branchesOf(source);
  const wraps = branches.map(({wrap}, id) => wrap(id));
  const {code} = transformSync('a.ts', withInsertions(source, wraps, {name: '$ran', module: 'ran.cjs'}), {target: 'esnext'});
  const ran = new Set<number>();
  runInNewContext(code, {$ranOfPixelctl: (id: number) => ran.add(id)});
  return branches.flatMap((branch, id) => (ran.has(id) ? [] : branch.code));
}

describe('code that does not run', () => {
  test.each<[what: string, source: string, unreached: string[]]>([
    ['of a function that is not called', 'function f(): number { return 1; }', ['{ return 1; }']],
    ['of an arrow function', 'const f = () => ({a: 1}); const g = () => 2; g();', ['({a: 1})']],
    ['of a condition', 'if (1 > 2) f(); else if (2 > 1) 3; else g();', ['f();', 'g();']],
    ['of a choice', 'const a = (1 > 2 ? 3 : 4) as number;', ['3']],
    ['of a default', 'const [c, d] = [5, 7]; const f = (a = c, {b = c} = {}) => a ?? b ?? d; f(1);', ['c', 'd', 'b']],
    [
      'of what takes the place of what is missing, unless it is a constant',
      "const f = (a = 5, b = '', c = []) => a ?? b ?? -1; f(1, '', [2]);",
      ['b'],
    ],
    ['of what follows an early end', 'function f() { if (1 < 2) return; let a = 3; a += 1; } f();', ['let a = 3;']],
    ['of a loop', 'for (const a of []) f(a); while (false) { g(); }', ['f(a);', '{ g(); }']],
    ['of a case', 'switch (1 as number) { case 1: { break; } case 2: f(); }', ['f();']],
    ['of what handles an error', 'try { 1; } catch { f(); } try { throw 1; } catch { 2; }', ['{ f(); }']],
    ['of what is more than nothing', "const f = (a) => { try { a; } catch {} if (a) throw a; return a ? '' : [a]; }; f(0);", []],
    ['of types', 'abstract class A { abstract b(): void; } declare function f(): void;', []],
  ])('is told %s', (_, source, unreached) => {
    expect(unreachedIn(source)).toEqual(unreached);
  });
});

describe('the list of code that no test runs', () => {
  test('names only code that there is', () => {
    const parts = sourcesIn('src').flatMap((file: string) => branchesOf(readFileSync(join(root, file), 'utf8'), file));
    expect(heldAgainstList(parts).surplus).toEqual([]);
  });

  test('stands in docs/mutation.md', () => {
    expect(readFileSync(join(root, 'docs/mutation.md'), 'utf8')).toContain(unreachedTable());
  });
});
