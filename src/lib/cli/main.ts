/** The way in: hands over to oclif, and tells whatever comes back out as one failure. */
import {fileURLToPath} from 'node:url';
import {run as runOclif} from '@oclif/core';
import {asFailure, Failure} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';
import {exitStatuses} from './exit-status.js';
import {programFlags} from './global-flags.js';
import {tellFailure} from './pixelctl-command.js';

/** oclif's own complaints outside of a command: help for something that does not exist. */
function fromOclif(error: unknown): Failure {
  const isWords = error instanceof Error && 'oclif' in error && error.constructor.name === 'CLIError';
  return isWords ? new Failure('usage', error.message, {hint: 'see `pixelctl --help`'}) : asFailure(error);
}

/**
 * @param argv what was typed after the program's name
 * @param root URL of the program's own file, from which oclif finds its settings
 */
export async function run(argv: string[], root: string): Promise<void> {
  // oclif lets every error of standard output but a closed pipe crash the program; whoever writes sees them anyway.
  process.stdout.removeAllListeners('error');
  process.stdout.on('error', (error) => {
    if (systemCode(error) !== 'EPIPE') process.exitCode = exitStatuses.local.status;
  });
  // Where Node is told to write reports of crashes, the token of the environment is not in them.
  process.report.excludeEnv = true;
  process.once('uncaughtException', (error) => {
    void tellFailure(asFailure(error), argv).finally(() => process.exit());
  });
  // Words that nobody can hear change nothing about what was done.
  process.stderr.on('error', () => {});
  if (argv.includes('--no-color')) {
    // For whoever else decides about colour: oclif's help, the questions. Both at once would make Node complain.
    process.env['NO_COLOR'] = '1';
    delete process.env['FORCE_COLOR'];
  }
  // oclif would read a theme from the folder of the profiles, and run plugins that it finds among the user's data.
  process.env['PIXELCTL_DISABLE_THEME'] = '1';
  try {
    // Most command lines begin with the command: nothing is loaded for them.
    const [first = '', second = ''] = argv;
    const isInOrder = first !== 'help' && !second.startsWith('-') && (!first.startsWith('-') || programFlags.includes(first));
    const ordered = isInOrder ? argv : (await import('./command-line.js')).commandFirst(argv);
    await runOclif(ordered, {root: fileURLToPath(root), userPlugins: false, devPlugins: false});
  } catch (error) {
    await tellFailure(fromOclif(error), argv);
  }
}
