/** The declarations of the typed client: those that its entry reaches, without zod. */
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';

/** The modules that a declaration imports, in both forms that TypeScript writes. */
const imported = /((?:^|;)\s*(?:import|export)\b[^;'"]*from |\bimport\()(['"])([^'"]+)\2/gm;

/** The parts of zod that records use; declarations.js fails for others, and a test compares their types with zod's. */
const zodNames = /^zod\/(mini|v4\/core)$/;

/**
 * Copies the declarations that the entry reaches.
 * @param dist the folder that they are in
 * @param entry the path of the entry in it, as `lib/operations/index.d.ts`
 * @param more what is added to a file of `dist`, by its path
 * @returns the paths of the files in the folder, the entry first
 * @throws Error when one imports a package for which the client has no types
 */
export function writeDeclarations(dist, entry, folder, more = {}) {
  const done = new Set();
  const visit = (file) => {
    if (done.has(file)) return;
    done.add(file);
    const text = (readFileSync(join(dist, file), 'utf8') + (more[file] ?? '')).replaceAll(imported, (whole, before, quote, module) => {
      if (module.startsWith('.')) visit(join(dirname(file), module.replace(/\.js$/, '.d.ts')));
      if (module.startsWith('.') || module.startsWith('node:')) return whole;
      if (!zodNames.test(module)) throw new Error(`${file} imports types of ${module}, which users do not have`);
      return `${before}${quote}${toRoot(file)}/zod.js${quote}`;
    });
    mkdirSync(dirname(join(folder, file)), {recursive: true});
    writeFileSync(join(folder, file), text);
  };
  visit(entry);
  copyFileSync(join(import.meta.dirname, 'zod.d.ts'), join(folder, 'zod.d.ts'));
  return [...done, 'zod.d.ts'];
}

function toRoot(file) {
  const path = relative(dirname(file), '.');
  return path === '' ? '.' : path.replaceAll('\\', '/');
}
