/** A copy of the project as a checkout has it, with what was built. */
import {cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';

const root = join(import.meta.dirname, '..');

/** What is not copied: it is large, or made anew. */
const left = ['.git', '.cache/compiled', '.cache/packages', '.stryker-tmp', 'dist-binaries', 'node_modules', 'release'];

/** Copies the project to a folder, where it has the same dependencies. */
export function copyProject(folder: string): void {
  const places = new Set(left.map((name) => join(root, name)));
  cpSync(root, folder, {recursive: true, filter: (file) => !places.has(file)});
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  // The compiler notes where the dependencies really are, and checks everything again where that has changed.
  const cache = join(folder, '.cache');
  const place = relative(cache, join(root, 'node_modules')).replaceAll('\\', '/');
  for (const note of existsSync(cache) ? readdirSync(cache).filter((name) => name.endsWith('.tsbuildinfo')) : [])
    writeFileSync(join(cache, note), readFileSync(join(cache, note), 'utf8').replaceAll('"../node_modules/', `"${place}/`));
}
