/** Runs before tsc, which removes no output of a source that is gone, and restores none that is missing. */
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {filesIn} from './files.js';
import {root} from './root.js';

const dist = join(root, 'dist');
const wanted = filesIn(join(root, 'src'))
  // Nothing is made of types for a package.
  .filter((file) => !file.endsWith('.d.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .flatMap((stem) => [`${stem}.js`, `${stem}.d.ts`]);

const found = new Set(filesIn(dist));
for (const file of found) if (!wanted.includes(file)) rmSync(join(dist, file));
// Without its notes tsc writes every file.
if (!wanted.every((file) => found.has(file))) rmSync(join(root, '.cache/tsconfig.tsbuildinfo'), {force: true});
