/** The program: all commands, and the folder that they are in. */
import {fileURLToPath} from 'node:url';
import type {Program} from './lib/cli/config.js';
import {readPackage, userAgentOf, versionWords} from './lib/cli/version.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** All commands, as the program finds them in its folder. */
export async function program(): Promise<Program> {
  const {commands} = await import('./commands.js');
  return {root, commands};
}

/** `--version` alone is asked for often, in prompts and scripts: it loads nothing of commands. */
async function printVersion(): Promise<void> {
  const {Io} = await import('./lib/cli/io.js');
  process.stdout.on('error', () => {});
  await new Io(process).write(`${userAgentOf(readPackage(root))}\n`, 'data');
}

/** @param argv what was typed after the program's name */
export async function main(argv: string[]): Promise<void> {
  const [first = ''] = argv;
  const isAboutVersion = argv.length === 1 && versionWords.includes(first);
  // What cannot be printed is said as every other failure is.
  if (
    isAboutVersion &&
    (await printVersion().then(
      () => true,
      () => false,
    ))
  )
    return;
  const {run} = await import('./lib/cli/main.js');
  await run(argv, await program());
}
