/** The program: its commands and its folder. */
import {fileURLToPath} from 'node:url';
import type {Program} from './lib/cli/config.js';
import {readPackage, userAgentOf, versionWords} from './lib/cli/version.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The commands, and the folder with package.json and the manifest. */
export async function program(): Promise<Program> {
  const {commands} = await import('./commands.js');
  return {root, commands};
}

/** Prompts and scripts often run `--version`, so it does not load the code of commands. */
async function printVersion(): Promise<void> {
  const {Io} = await import('./lib/cli/io.js');
  process.stdout.on('error', () => {});
  await new Io(process).write(`${userAgentOf(readPackage(root))}\n`, 'data');
}

/** @param argv what was typed after the program's name */
export async function main(argv: string[]): Promise<void> {
  const [first = '', ...others] = argv;
  if (versionWords.includes(first) && others.length === 0) {
    try {
      return await printVersion();
    } catch {
      // A full disk, for example: the usual way tries again and reports the failure.
    }
  }
  const {run} = await import('./lib/cli/main.js');
  await run(argv, await program());
}
