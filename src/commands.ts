/** How each command is loaded: a file of `commands` is a command, and a folder a topic. The bundle has the finished table (scripts/bundle.js). */
import {globSync} from 'node:fs';
import {basename} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {CommandTable} from './lib/cli/shell/program-config.js';

/** `.js` when compiled, and `.ts` in tests, which run the sources. */
const extension = import.meta.filename.slice(-'.js'.length);
const files = globSync(`commands/**/*${extension}`, {cwd: import.meta.dirname}).filter((file) => !basename(file).endsWith('.d.ts'));

export const commands: CommandTable = Object.fromEntries(
  files.toSorted().map((file) => {
    const id = file.slice('commands/'.length, -extension.length).replaceAll(/[\\/]/g, ':');
    return [id, () => import(pathToFileURL(`${import.meta.dirname}/${file}`).href)];
  }),
);
