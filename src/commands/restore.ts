import {Args, Flags} from '@oclif/core';
import {openBackup, restorable} from '../lib/backup/restored.js';
import {applySource, guardFlags, policySource} from '../lib/cli/policy/applying.js';
import {changeFlags, requireConsent} from '../lib/cli/policy/changes.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {accountsFlags, repeatable} from '../lib/cli/flags.js';
import {readPolicyAndLists} from '../lib/cli/policy/policy.js';
import {printingOfOwn} from '../lib/cli/printing.js';
import {resultsView} from '../lib/run/results.js';
import {holding, sectionKeys, writesOf} from '../lib/policy/sections/index.js';

/** Not `apply`: the ids in the policy are those of the server that was backed up. */
const remedy = 'change what is there, or remove it and restore again';

export default class Restore extends PixelctlCommand {
  static override summary = 'Restore blocks, mutes, domain blocks and filters from a backup';
  static override description = `Makes what the backup has and the account lacks, as apply does: it shows the plan, asks, and makes the changes one at a time. It removes nothing and changes nothing that exists: a filter with the same title and other content is left, and the exit status is 10. pixelctl undo --state DIR/restore.state.json reverts it. Messages and follows are not restored.

The account may be on another server. Accounts are found there by name and server, as in ana@pix.example, which takes time, because servers limit how many they look up. If it is interrupted or a limit is reached, run it again: it does the rest. What cannot be found is listed as failed (11).

The domains that a server blocks are restored only with --only admin_domain_blocks, and only on the server that they were read from. More than 25 new suspensions of domains of which it knows accounts need --allow-additions.

It restores the lists that lists/latest names, or with --at those of a date: the last ones up to it that were accepted. --at also takes the name of a folder in lists, accepted or not. Lists are refused (9) where a file that is read for them is damaged; damage to other files is a warning.

What it made is recorded in DIR/restore.state.json, from which an interrupted restore continues. If the folder cannot be written, name another file with --state.

Only what policy.yml in the folder of the lists says must be there is restored. One with anything else in that file, such as lists, or with symbolic links is refused (2).

Calls ${writesOf(holding)}, after reading what it compares. It needs a token with the scopes read and write.`;
  static override usage = '<%= command.id %> DIR [flags]';
  static override args = {DIR: Args.string({description: 'the folder of a backup', required: true, ignoreStdin: true})};
  static override flags = {
    only: repeatable(`only these lists: ${restorable.join(', ')}`, 'LISTS', {options: [...restorable], delimiter: ','}),
    at: Flags.string({description: 'restore the lists of this date, time (UTC) or name in lists, not the latest ones', helpValue: 'DATE'}),
    state: Flags.string({description: 'record what it makes in this file (default: DIR/restore.state.json)', helpValue: 'FILE'}),
    'allow-additions': guardFlags['allow-additions'],
    ...changeFlags,
    ...accountsFlags,
  };
  static override examples = [
    {description: 'Review and confirm', command: '<%= config.bin %> restore backup'},
    {description: 'Restore the lists of a date', command: '<%= config.bin %> restore backup --at 2026-10-31'},
    {description: 'Show the requests without sending them', command: '<%= config.bin %> restore backup --dry-run'},
    {description: 'Restore filters only, in a script', command: '<%= config.bin %> restore backup --only filters --yes --json'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.startForAccounts(Restore);
    const name = args.DIR;
    const printing = await printingOfOwn(resultsView, session);
    const chosen = sectionKeys.filter((key) => flags.only?.includes(key));
    const {file, text, only, policy, ...opened} = await openBackup(name, {only: flags.only && chosen, at: flags.at});
    requireConsent(session);
    const {state = opened.state} = flags;
    for (const warning of opened.warnings) session.warn(warning);
    for (const note of opened.notes) session.note(note);
    const read = await readPolicyAndLists(file, {only}, session, {text});
    const wanted = {...read, policy: {...read.policy, file: policy}, onlyAdds: true};
    const question = `Restore ${name} as`;
    const source = policySource(wanted, {name, question, left: 'that a restore does not change', remedy});
    await applySource(source, {question: `Restore ${name} to`, flags: {...flags, state}, printing, session});
  }
}
