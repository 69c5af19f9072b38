/** The completion script of a shell. */
import type {Config} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import {bashScript} from './bash.js';
import {fishScript} from './fish.js';
import {nodesOf} from './model.js';
import {zshScript} from './zsh.js';

const scripts = {bash: bashScript, zsh: zshScript, fish: fishScript};

export const shells = ['bash', 'zsh', 'fish'] as const;

/**
 * @param name what was typed as the shell's name, if anything
 * @throws Failure `usage` for a shell that there is no script for
 */
export async function completionScript(name: unknown, config: Pick<Config, 'commands' | 'topics'>): Promise<string> {
  const shell = shells.find((known) => known === name);
  if (shell !== undefined) return scripts[shell](await nodesOf(config));
  const message = name === undefined ? 'Which shell?' : `There is no completion for "${String(name)}"`;
  throw new Failure('usage', message, {hint: `one of ${shells.join(', ')}`});
}
