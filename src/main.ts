/** Starts the program, and loads only what the command line needs. */
import {fileURLToPath} from 'node:url';
import type {Program} from './lib/cli/shell/program-config.js';
import type {Io} from './lib/cli/io.js';
import {completionWord, readPackage, userAgentOf, versionWords} from './lib/cli/shell/version.js';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function program(): Promise<Program> {
  const {commands} = await import('./commands.js');
  return {root, commands};
}

/** The streams of the process, without the code of commands. */
async function plainIo(): Promise<Io> {
  const {ioOfProcess} = await import('./lib/cli/io.js');
  process.stdout.on('error', () => {});
  return ioOfProcess();
}

/** Loads no commands, because shell prompts and scripts often run `--version`. */
async function printVersion(): Promise<void> {
  await (await plainIo()).write(`${userAgentOf(readPackage(root))}\n`, 'data');
}

/** Every Tab runs this. A failure leaves the line as it is: the shell shows nothing. */
export async function complete(args: readonly string[], io: Io): Promise<void> {
  const [{completionTable}, {answerShell}] = await Promise.all([
    import('./completion-table.js'),
    import('./lib/cli/completion/answer-shell.js'),
  ]);
  await answerShell(args, await completionTable(), io).catch(() => {});
}

/** @param argv what was typed after the program's name */
export async function main(argv: string[]): Promise<void> {
  const [first = '', ...others] = argv;
  if (first === completionWord) return complete(others, await plainIo());
  if (versionWords.includes(first) && others.length === 0) {
    try {
      return await printVersion();
    } catch {
      // A full disk, for example: the usual way tries again and reports the failure.
    }
  }
  const {run} = await import('./lib/cli/shell/main.js');
  await run(argv, await program());
}
