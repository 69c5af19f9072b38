/**
 * Checks that a room with a door is entered by its door: src/lib/ROOM/index.ts. The linter has no rule that tells a late import, `import()`,
 * from the others: a late one names the module that it needs, because it loads all that it names.
 */
import {readdirSync, readFileSync} from 'node:fs';
import {join, posix} from 'node:path';
import {root} from './root.js';

/** The folders of `src/lib` that have doors. */
const rooms = ['archive', 'auth', 'policy', 'run'];

const roomOf = (file) => rooms.find((room) => file.startsWith(`src/lib/${room}/`));

/** What a file imports from inside of other rooms, as sentences. @param file from the root, such as `src/main.ts` */
export function passedDoors(file, text) {
  const imported = [...text.matchAll(/\bfrom '(\.[^']*)'/g)].map(([, name]) => posix.join(posix.dirname(file), name));
  return imported.flatMap((other) => {
    const room = roomOf(other);
    if (room === undefined || room === roomOf(file) || other === `src/lib/${room}/index.js`) return [];
    return `${file}: import it from src/lib/${room}/index.ts, not from ${other.replace(/\.js$/, '.ts')}`;
  });
}

if (process.argv[1] === import.meta.filename) {
  const files = readdirSync(join(root, 'src'), {recursive: true}).filter((name) => name.endsWith('.ts'));
  const found = files.flatMap((name) => {
    const file = posix.join('src', ...name.split(/[\\/]/));
    return passedDoors(file, readFileSync(join(root, file), 'utf8'));
  });
  for (const sentence of found) console.error(sentence);
  if (found.length > 0) process.exitCode = 1;
}
