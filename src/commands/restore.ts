import {Args} from '@oclif/core';
import {backupIn, openBackup, restorable, type UnseenList} from '../lib/backup/restored.js';
import {joinFlags, repeatable} from '../lib/cli/flags.js';
import {changeAccounts, type ChangeFlags, changeFlags, requireConsent} from '../lib/cli/policy/changes.js';
import {onlyIn, policyCommand, type PolicyRun} from '../lib/cli/policy/policy-command.js';
import {guardFlags, stateFlags} from '../lib/cli/policy/policy-flags.js';
import type {Result} from '../lib/cli/sink.js';
import {Failure} from '../lib/client/failure.js';
import {commandText} from '../lib/files/command-text.js';
import {apply, writesOf} from '../lib/policy/index.js';
import {resultsView} from '../lib/run/index.js';

/** This does not suggest `apply`, because the ids in the policy are those of the server that was backed up. */
const remedy = 'change what is there, or remove it and restore again';

/** @param folder that of the backup, or of a date in it @throws Failure `usage` or `local` where it cannot be restored; as {@link changeAccounts} */
async function restore(folder: string, run: PolicyRun<ChangeFlags>): Promise<Result> {
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

export default policyCommand({
  summary: 'Restore lists from a backup',
  writes: true,
  findsDrift: true,
  description:
    'Recreates what the backup has and the account lacks: it shows the plan, asks, and makes the changes. It removes nothing and changes nothing that exists. `undo` reverts it. It needs a token with the scopes read and write.',
  details: `Recreates what is missing from the account, as apply does: it shows the plan, asks, and makes the changes one at a time. A filter with the same title and other content is left as it is. pixelctl undo DIR takes the restore back. Messages and follows are not restored.

The account may be on another server. Accounts are then found by name and server, such as ana@pix.example. That takes time, because servers limit how many accounts they look up. After an interruption or at a limit, run it again to do the rest. Accounts that cannot be found are listed as failed (11).

The domains that a server blocks are restored only with --only admin_domain_blocks, and only on the server that they were read from. If the backup has any, a restore without --only names them, and the exit status is 10. More than 25 new suspensions, or any of a whole top-level domain, need --allow-additions.

It restores the newest lists in the backup that had not lost much (not lists/DATE.shrunk). To restore others, name their folder: DIR/lists/DATE. If their policy is damaged, they are refused. If another file is, they are restored, and the exit status is 9 all the same.

It records what it made in DIR/restore.ACCOUNT.state.ndjson. An interrupted restore continues from there. If the folder cannot be written, name another with --state.

Only entries under must in policy.yml of the backup are restored. A backup is refused (2) if that file has anything else, such as lists, or if its folder contains symbolic links.

Calls ${writesOf()}, after reading what it compares.`,
  usage: 'DIR',
  args: {DIR: Args.string({description: 'the folder of a backup, or of the lists of a date in it', required: true})},
  flags: joinFlags(
    {
      only: repeatable(`only these lists: ${restorable.join(', ')}`, 'LISTS', {options: [...restorable], delimiter: ','}),
      'allow-additions': guardFlags['allow-additions'],
    },
    stateFlags,
    changeFlags,
  ),
  examples: [
    {does: 'Review and confirm', line: 'restore backup'},
    {does: 'Restore the lists of a date', line: 'restore backup/lists/2026-10-31T020000Z'},
    {does: 'Restore filters only, in a script', line: 'restore backup --only filters --yes --json'},
  ],
  several: true,
  view: resultsView,
  run: (run, {DIR: folder}) => restore(folder, run),
});
