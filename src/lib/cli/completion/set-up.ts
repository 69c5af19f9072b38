/** Shows, confirms and carries out the changes of `completion install` and `completion uninstall`. */
import {Flags} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import {writeFlags} from '../flags.js';
import {prompt} from '../prompts.js';
import type {Session} from '../session.js';
import {writeChanges, type FileChange, installing, placeFor, removing, shellFor} from './install.js';
import {shells} from './script.js';

export const setUpFlags = {
  shell: Flags.string({description: `the shell: ${shells.join(', ')} (default: that of SHELL)`, helpValue: 'SHELL'}),
  'dry-run': Flags.boolean({...writeFlags['dry-run'], description: 'show what would be changed, and change nothing'}),
  yes: writeFlags.yes,
};

const nothingChanged = 'nothing was changed';

/** @throws Failure `usage` when the answer is no, or nobody can answer */
async function confirmSettings({path, does}: FileChange, session: Session): Promise<void> {
  if (session.assumeYes) return;
  if (!session.io.canAsk) {
    throw new Failure('usage', `${path} has to be changed, and confirmation needs a terminal: ${nothingChanged}`, {
      hint: `pass --yes to ${does}`,
    });
  }
  const message = `${does.charAt(0).toUpperCase()}${does.slice(1)}?`;
  const {agreed} = await prompt<{agreed: boolean}>(session.io, {type: 'confirm', name: 'agreed', message, default: false});
  if (!agreed) throw new Failure('usage', `Cancelled: ${nothingChanged}.`, {reason: 'cancelled'});
}

/**
 * @returns what came of it: `shown` in a dry run
 * @throws Failure `usage` without a confirmation, `local` when a file cannot be written
 */
async function setUp(changes: readonly FileChange[], session: Session): Promise<'done' | 'nothing' | 'shown'> {
  if (changes.length === 0) return 'nothing';
  if (session.dryRun) {
    for (const {does} of changes) session.note(`Would ${does}`);
    return 'shown';
  }
  for (const change of changes) if (change.isSettings) await confirmSettings(change, session);
  await writeChanges(changes);
  for (const {does} of changes) session.note(`Done: ${does}`);
  return 'done';
}

interface SetUpFlags {
  readonly shell?: string | undefined;
}

/** @throws Failure `usage` for a shell that is not known, `local` for files that cannot be written */
export async function installCompletion(flags: SetUpFlags, session: Session): Promise<void> {
  const place = await placeFor(shellFor(flags.shell, session.io.env), session.io.env);
  const isDone = await setUp(await installing(place), session);
  if (isDone === 'nothing') session.note(`Completion for ${place.shell} is already installed.`);
  if (isDone === 'done') session.note(`Installed completion for ${place.shell}. Start a new shell to use it.`);
  if (isDone !== 'shown' && place.missing !== undefined) session.note(place.missing);
}

/** @throws Failure as {@link installCompletion} */
export async function uninstallCompletion(flags: SetUpFlags, session: Session): Promise<void> {
  const place = await placeFor(shellFor(flags.shell, session.io.env), session.io.env);
  const isDone = await setUp(await removing(place), session);
  if (isDone === 'nothing') session.note(`Completion for ${place.shell} is not installed.`);
  if (isDone === 'done') session.note(`Removed completion for ${place.shell}. Shells that are running keep it until they end.`);
}
