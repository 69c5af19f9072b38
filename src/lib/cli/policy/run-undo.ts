/** What `undo` does: sets back what the last apply of a policy, or the last restore of a backup, changed. */
import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {changeAccounts, type changeFlags} from './changes.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import {refuseUnknown, undo} from '../../policy/index.js';
import type {GivenFlags} from '../flags.js';
import type {Result} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
import {absent} from '../../files/system-error.js';

/** @param name a policy, or the folder of a backup @throws Failure `usage` for a folder within a backup, or a policy that nobody applied; as {@link changeAccounts} does */
export async function undoLast(name: string, run: PolicyRun<GivenFlags<typeof changeFlags> & PolicyFlags>): Promise<Result> {
  const {state} = run.flags;
  const found = name === '-' ? undefined : await stat(name).catch(absent);
  const isBackup = found?.isDirectory() === true;
  const [, backup] = /^(.+)[\\/]lists[\\/][^\\/]+[\\/]?$/.exec(name) ?? [];
  if (isBackup && backup !== undefined)
    throw new Failure('usage', `${name} is a part of a backup: nothing was sent`, {
      hint: `\`${commandText('undo', {args: [backup]})}\` takes back its last restore`,
    });
  if (name === '-' && state === undefined)
    throw new Failure('usage', 'A policy from standard input has no state beside it', {hint: 'name it with --state'});
  const file = isBackup ? join(name, 'restore') : name;
  if (found === undefined) await refuseUnknown(file, state);
  return changeAccounts(undo({name, file, verb: isBackup ? 'restore' : 'apply'}), run);
}
