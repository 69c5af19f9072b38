import {existsSync, readdirSync} from 'node:fs';
import {join, relative} from 'node:path';

/** The files in a folder and in those below it, sorted, as paths in that folder with slashes; none where there is no such folder. */
export function filesIn(folder) {
  const entries = existsSync(folder) ? readdirSync(folder, {recursive: true, withFileTypes: true}) : [];
  return entries
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .sort();
}
