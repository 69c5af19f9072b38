import {Args} from '@oclif/core';
import {restorable} from '../lib/backup/restored.js';
import {joinFlags, repeatable} from '../lib/cli/flags.js';
import {guardFlags, stateFlags} from '../lib/cli/policy/policy-flags.js';
import {changeFlags} from '../lib/cli/policy/changes.js';
import {policyCommand} from '../lib/cli/policy/policy-command.js';
import {restore} from '../lib/cli/backup/restore.js';
import {writesOf} from '../lib/policy/index.js';
import {resultsView} from '../lib/run/index.js';

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
