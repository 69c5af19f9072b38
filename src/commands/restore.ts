import {Args, Flags} from '@oclif/core';
import {restorable} from '../lib/backup/restored.js';
import {repeatable} from '../lib/cli/flags.js';
import {guardFlags} from '../lib/cli/policy/flags.js';
import {changeFlags} from '../lib/cli/policy/changes.js';
import {policyCommand} from '../lib/cli/policy/command.js';
import {restore} from '../lib/cli/backup/restore.js';
import {holding, writesOf} from '../lib/policy/index.js';

export default policyCommand({
  summary: 'Restore lists from a backup',
  writes: true,
  findsDrift: true,
  description:
    'Recreates what the backup has and the account lacks: it shows the plan, asks, and makes the changes. It removes nothing and changes nothing that exists. `undo` reverts it. It needs a token with the scopes read and write.',
  details: `Recreates what is missing from the account, as apply does: it shows the plan, asks, and makes the changes one at a time. It removes nothing and changes nothing that exists: a filter with the same title and other content is left, and the exit status is 10. pixelctl undo --state DIR/restore.state.json reverts it. Messages and follows are not restored.

The account may be on another server. Accounts are found there by name and server, as in ana@pix.example, which takes time, because servers limit how many they look up. If it is interrupted or a limit is reached, run it again: it does the rest. What cannot be found is listed as failed (11).

The domains that a server blocks are restored only with --only admin_domain_blocks, and only on the server that they were read from. More than 25 new suspensions of domains of which it knows accounts need --allow-additions.

It restores the lists that lists/latest names, or with --at those of a date: the last ones up to it that were accepted. --at also takes the name of a folder in lists, accepted or not. Lists are refused (9) where a file that is read for them is damaged; damage to other files is a warning.

What it made is recorded in DIR/restore.state.json, from which an interrupted restore continues. If the folder cannot be written, name another file with --state.

Only what policy.yml in the folder of the lists says must be there is restored. One with anything else in that file, such as lists, or with symbolic links is refused (2).

Calls ${writesOf(holding)}, after reading what it compares. It needs a token with the scopes read and write.`,
  usage: 'DIR',
  args: {DIR: Args.string({description: 'the folder of a backup', required: true, ignoreStdin: true})},
  flags: {
    only: repeatable(`only these lists: ${restorable.join(', ')}`, 'LISTS', {options: [...restorable], delimiter: ','}),
    at: Flags.string({description: 'restore the lists of this date, time (UTC) or name in lists, not the latest ones', helpValue: 'DATE'}),
    state: Flags.string({description: 'record what it makes in this file (default: DIR/restore.state.json)', helpValue: 'FILE'}),
    'allow-additions': guardFlags['allow-additions'],
    ...changeFlags,
  },
  examples: [
    {does: 'Review and confirm', line: 'restore backup'},
    {does: 'Restore the lists of a date', line: 'restore backup --at 2026-10-31'},
    {does: 'Show the requests without sending them', line: 'restore backup --dry-run'},
    {does: 'Restore filters only, in a script', line: 'restore backup --only filters --yes --json'},
  ],
  several: true,
  run: (run, {DIR: folder}) => restore(folder, run),
});
