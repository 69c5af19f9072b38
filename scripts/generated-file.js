import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {root} from './root.js';

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
