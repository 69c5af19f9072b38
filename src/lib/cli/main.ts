/** The entry point: hands the command line to oclif, and prints whatever fails as one error. */
import {fileURLToPath} from 'node:url';
import {run as runOclif} from '@oclif/core';
import {asFailure, Failure} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';
import {exitStatuses} from './errors.js';
import {programFlags} from './flags.js';
import {Io, withIo} from './io.js';
import {tellFailure} from './command.js';

/** oclif's own errors outside of a command: help for something that does not exist. */
function fromOclif(error: unknown): Failure {
  const isWords = error instanceof Error && 'oclif' in error && error.constructor.name === 'CLIError';
  return isWords ? new Failure('usage', error.message, {hint: 'see `pixelctl --help`'}) : asFailure(error);
}

/** What the whole process needs before a command runs in it. */
function prepareProcess(argv: readonly string[], io: Io): void {
  // oclif would crash on every error of standard output except a closed pipe. Writers handle these errors themselves.
  process.stdout.removeAllListeners('error');
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') io.exitStatus = exitStatuses.local.status;
  });
  // Keep the token out of the crash reports that Node may be set to write.
  process.report.excludeEnv = true;
  process.once('uncaughtException', (error) => {
    void tellFailure(asFailure(error), argv, io).finally(() => process.exit());
  });
  // Ignore errors on stderr.
  process.stderr.on('error', () => {});
  if (argv.includes('--no-color')) {
    // For the libraries that decide about colour: oclif's help, the prompts. Both at once would make Node warn.
    process.env['NO_COLOR'] = '1';
    delete process.env['FORCE_COLOR'];
  }
  // oclif would read a theme from the profile folder, and run plugins from the user's data folder.
  process.env['PIXELCTL_DISABLE_THEME'] = '1';
}

/**
 * Runs a command line in this process.
 * @param argv what was typed after the program's name
 * @param root the program's own file, from which oclif finds its settings
 */
export async function runWith(argv: string[], root: string, io: Io): Promise<void> {
  try {
    // Most command lines begin with the command and need no reordering.
    const [first = '', second = ''] = argv;
    const isInOrder = first !== 'help' && !second.startsWith('-') && (!first.startsWith('-') || programFlags.includes(first));
    const ordered = isInOrder ? argv : (await import('./command-line.js')).commandFirst(argv);
    await runOclif(ordered, withIo({root, userPlugins: false, devPlugins: false}, io));
  } catch (error) {
    await tellFailure(fromOclif(error), argv, io);
  }
}

/** Runs the process's own command line. @param root URL of the program's own file */
export async function run(argv: string[], root: string): Promise<void> {
  const io = new Io(process);
  prepareProcess(argv, io);
  await runWith(argv, fileURLToPath(root), io);
}
