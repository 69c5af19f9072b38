/** Runs before tsc, which removes no output of a source that is gone, and restores none that is missing. */
import {existsSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './root.js';

function filesIn(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, {recursive: true, withFileTypes: true}) : [];
  return entries.filter((entry) => entry.isFile()).map(({parentPath, name}) => join(parentPath, name));
}

const dist = join(root, 'dist');
const source = join(root, 'src');
const wanted = filesIn(source)
  // Nothing is made of types for a package.
  .filter((file) => !file.endsWith('.d.ts'))
  .map((file) => join(dist, file.slice(source.length, -'.ts'.length)))
  .flatMap((stem) => [`${stem}.js`, `${stem}.d.ts`]);

const found = new Set(filesIn(dist));
for (const file of found) if (!wanted.includes(file)) rmSync(file);
// Without its notes tsc writes every file.
if (!wanted.every((file) => found.has(file))) rmSync(join(root, '.cache/tsconfig.tsbuildinfo'), {force: true});
