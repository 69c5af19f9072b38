/** `restore` adds what a backup has and the account lacks, as apply does. */
import {changeAccounts, type ChangeFlags, requireConsent} from '../policy/changes.js';
import {onlyIn, type PolicyRun} from '../policy/policy-command.js';
import {apply} from '../../policy/index.js';
import type {Result} from '../sink.js';
import {backupIn, openBackup, type UnseenList} from '../../backup/restored.js';
import {Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';

/** This does not suggest `apply`, because the ids in the policy are those of the server that was backed up. */
const remedy = 'change what is there, or remove it and restore again';

/** @param folder that of the backup, or of a date in it @throws Failure `usage` or `local` where it cannot be restored; as {@link changeAccounts} */
export async function restore(folder: string, run: PolicyRun<ChangeFlags>): Promise<Result> {
  const {flags, session} = run;
  const {file, text, only, policy, unseen, notes, damage} = await openBackup(folder, onlyIn(flags.only));
  requireConsent(session);
  for (const note of notes) session.note(note);
  const read = await run.read(file, text);
  const given = {...read, only, policy: {...read.policy, file: policy}, onlyAdds: true};
  const all = unseen.length === 0 ? 'everything that is' : 'all lists of the account that are';
  const setting = {
    given,
    what: `Restore ${folder}`,
    done: 'Restored',
    undo: backupIn(folder).backup,
    beyond: damage ?? notLookedAt(unseen, folder),
    remedy,
    allowed: flags,
  };
  const change = apply(setting, (host) => `Nothing to restore: ${host} has ${all} in ${folder}.`);
  return changeAccounts(change, run);
}

/** The failure that names the lists that a run of their own restores; undefined where there are none. */
function notLookedAt(unseen: readonly UnseenList[], folder: string): Failure | undefined {
  if (unseen.length === 0) return undefined;
  const message = `Not looked at: ${unseen.map(({text}) => text).join(', ')} of ${folder}`;
  const command = commandText('restore', {args: [folder], flags: {only: unseen.map(({key}) => key).join()}});
  return new Failure('drift', message, {hint: `to restore them on their server: \`${command}\``});
}
