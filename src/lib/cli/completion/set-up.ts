/** Shows, confirms and carries out the changes of `completion install` and `completion uninstall`. */
import {Flags} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import {writeFlags} from '../flags.js';
import {prompt} from '../prompts.js';
import type {Session} from '../session.js';
import {carryOut, type Change} from './install.js';
import {shells} from './script.js';

export const setUpFlags = {
  shell: Flags.string({description: `the shell: ${shells.join(', ')} (default: that of SHELL)`, helpValue: 'SHELL'}),
  'dry-run': Flags.boolean({...writeFlags['dry-run'], description: 'show what would be changed, and change nothing'}),
  yes: writeFlags.yes,
};

const nothingChanged = 'nothing was changed';

/** @throws Failure `usage` when the answer is no, or nobody can answer */
async function confirmSettings({path, does}: Change, session: Session): Promise<void> {
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
export async function setUp(changes: readonly Change[], session: Session): Promise<'done' | 'nothing' | 'shown'> {
  if (changes.length === 0) return 'nothing';
  if (session.dryRun) {
    for (const {does} of changes) session.note(`Would ${does}`);
    return 'shown';
  }
  for (const change of changes) if (change.isSettings) await confirmSettings(change, session);
  await carryOut(changes);
  for (const {does} of changes) session.note(`Done: ${does}`);
  return 'done';
}
