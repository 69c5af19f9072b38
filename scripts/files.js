/** Folders of the project, and the files that are written to them. */
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, relative} from 'node:path';
import {root} from './root.js';

/** The files in a folder and in those below it, sorted, as paths in that folder with slashes; none where there is no such folder. */
export function filesIn(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, {recursive: true, withFileTypes: true}) : [];
  return entries
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .sort();
}

/** Writes a file as wanted (undefined: removes it); with `isCheck` only complains when it differs. */
export function settle(file, wanted, isCheck, isQuiet = false) {
  const path = join(root, file);
  const found = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (found === wanted) return;
  if (isCheck) {
    process.stderr.write(`${file} is out of date: run npm run generate\n`);
    process.exitCode = 1;
    return;
  }
  if (!isQuiet) process.stderr.write(`${wanted === undefined ? 'Removed' : 'Wrote'} ${file}\n`);
  if (wanted === undefined) {
    rmSync(path);
    return;
  }
  mkdirSync(dirname(path), {recursive: true});
  writeFileSync(path, wanted);
}
