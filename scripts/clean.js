/** Runs before tsc, which removes no output of a source that is gone, and restores none that is missing. */
import {existsSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {filesIn} from './files.js';
import {root} from './root.js';

const dist = join(root, 'dist');
const notes = join(root, '.cache/tsconfig.tsbuildinfo');
const known = existsSync(notes) ? readFileSync(notes, 'utf8') : '';

const outputs = filesIn(join(root, 'src'))
  // Nothing is made of types for a package.
  .filter((file) => !file.endsWith('.d.ts'))
  .flatMap((source) => ['.js', '.d.ts'].map((ending) => ({source, file: source.slice(0, -'.ts'.length) + ending})));
const wanted = new Set(outputs.map(({file}) => file));
const found = new Set(filesIn(dist));
for (const file of found) if (!wanted.has(file)) rmSync(join(dist, file));
// Without its notes tsc writes every file. A source that it has no notes of is new, and written in any case.
if (outputs.some(({source, file}) => !found.has(file) && known.includes(`"../src/${source}"`))) rmSync(notes);
