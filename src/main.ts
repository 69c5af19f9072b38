/** The program: all commands, and the folder that they are in. */
import {fileURLToPath} from 'node:url';
import type {Program} from './lib/cli/config.js';
import {readPackage, userAgentOf, versionWords} from './lib/cli/version.js';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Everything that is found in {@link root}. */
export async function program(): Promise<Program> {
  const {commands} = await import('./commands.js');
  return {root, commands};
}

/** @param argv what was typed after the program's name */
export async function main(argv: string[]): Promise<void> {
  const [first = ''] = argv;
  if (argv.length === 1 && versionWords.includes(first)) {
    process.stdout.write(`${userAgentOf(readPackage(root))}\n`);
    return;
  }
  const {run} = await import('./lib/cli/main.js');
  await run(argv, await program());
}
