/** Which policy a plan file belongs to: the file says it, as far as it may decide that. */
import {statSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, relative, resolve, sep, win32} from 'node:path';
import {Failure} from '../../client/failure.js';
import {shortened} from '../../json/text.js';

/** The policy of a plan file as the file names it: relative to the file, the same on every machine. */
export function policyFrom(file: string, policy: string): string {
  return relative(dirname(resolve(file)), resolve(policy))
    .split(sep)
    .join('/');
}

/** Whether a plan file names a policy that is not below its folder: a file of somebody else could name any. */
function isOutside(stored: string): boolean {
  const isAnywhere = isAbsolute(stored) || win32.isAbsolute(stored) || /^[a-z]:|^[a-z][a-z\d+.-]*:[/\\]|\p{Cc}/iu.test(stored);
  return isAnywhere || stored.split(/[/\\]/).includes('..') || join(stored) === '.';
}

/** Whether a policy was read from standard input. */
const isNameless = (policy: string): boolean => basename(policy) === '-';

/** Whether apply has to be told where the policy of a plan file is, or its state file. */
export function needsPolicy(file: string, policy: string): boolean {
  return isNameless(policy) || isOutside(policyFrom(file, policy));
}

/** How apply is told which policy a plan file belongs to, where the file does not decide it. */
export interface PolicyChoice {
  readonly state?: string | undefined;
}

/** Characters of a path in a message: a file of somebody else could have any. */
const maxShown = 1000;

/** A plan that is read from a stream has no folder. Below `/dev/shm` are files. */
const stream = /^\/(?:dev\/(?!shm\/)|proc\/)/;

/** @throws Failure `usage` when the file may not decide where state is written, or names a folder that does not exist */
export function chosenPolicy(stored: string, file: string, {state}: PolicyChoice): string {
  if (state === undefined && isNameless(stored))
    throw new Failure('usage', `The policy of ${file} was read from standard input, so it has no state file`, {
      hint: 'name a state file with --state',
    });
  if (state === undefined && (isOutside(stored) || stream.test(resolve(file))))
    throw new Failure('usage', `The policy of ${file} is not below its folder: ${shortened(stored, maxShown)}`, {
      hint: 'name its state file with --state',
    });
  const chosen = isAbsolute(stored) ? stored : join(dirname(file), stored);
  // Folders are made for state files; a file of somebody else must not choose any.
  if (state === undefined && statSync(dirname(chosen), {throwIfNoEntry: false})?.isDirectory() !== true)
    throw new Failure('usage', `The folder of the policy that ${file} names does not exist: ${shortened(chosen, maxShown)}`, {
      hint: 'name its state file with --state',
    });
  return chosen;
}
