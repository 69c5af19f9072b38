/** The completion script of a shell. It asks the program what can be typed, so that it is right after an update, too. */
import {Failure} from '../../client/failure.js';
import {bashScript} from './bash.js';
import {fishScript} from './fish.js';
import {powershellScript} from './powershell.js';
import {zshScript} from './zsh.js';

const scripts = {bash: bashScript, zsh: zshScript, fish: fishScript, powershell: powershellScript};

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

type Shell = (typeof shells)[number];

/**
 * @param name what was typed as the shell's name, if anything
 * @throws Failure `usage` for a shell that there is no script for
 */
export function shellNamed(name: string | undefined): Shell {
  const shell = shells.find((known) => known === name);
  if (shell !== undefined) return shell;
  const message = name === undefined ? 'No shell given' : `No completion for "${name}"`;
  throw new Failure('usage', message, {hint: `one of ${shells.join(', ')}`});
}

export const completionScript = (shell: Shell): string => scripts[shell];
