import {Flags} from '@oclif/core';
import {backUp, daysFlag, usuallyKept} from '../lib/cli/backup/run.js';
import {command} from '../lib/cli/command.js';
import {accountsFlags, sizeFlag} from '../lib/cli/flags.js';
import {holding, pathsOf} from '../lib/policy/index.js';

export default command({
  summary: 'Back up messages and lists to a folder',
  findsDrift: true,
  description:
    'Writes your messages, blocks, mutes, domain blocks and filters to a folder that only you can read. Run it again to update the folder: earlier lists are kept. `restore` recreates the lists from it. It needs a token with the scope read.',
  details: `Writes each list as the server sent it, and in a form that other programs import. It also writes all lists as a policy, which \`restore\` uses to recreate them, and the messages as dm export does. README.md in the folder explains the files, and what no restore brings back.

Run it again with the same folder. If lists have changed, all lists are written to a new folder, lists/TIME (UTC), and lists/latest names the newest one. New messages are added. If a list cannot be read, its last copy is kept, and the exit status is 11. The same happens, with a note, if the server does not offer a list. For messages of servers before 2026, name the accounts with dm export --to DIR/messages.

A list that lost many entries since lists/latest may be a mistake of the server: all of them, or more than 20 that are at least a fifth. Then the lists are written, lists/latest stays as it is, and the exit status is 10. --accept-loss accepts them; --yes does not. If lists that lists/latest names are damaged, the same holds with 9.

All lists of the last 30 days are kept, and one set for each month before: the last accepted one. --keep sets the number of days. The lists that lists/latest names, and newer ones, are never removed.

The folder belongs to one account, and nobody else can read it. With several profiles, each account has a folder of its own in it. --admin adds the domains that the server itself blocks.

With --json: {"list", "items", "generation", "accepted", "files", "added", "removed", "changed", "shrank", "left_out", "error"} for each list and for the messages. generation is the folder in lists that has the list; accepted tells whether lists/latest names it. added, removed and changed count entries since lists/latest; they are null if nothing was compared. left_out names what a policy cannot express; only the server's own JSON has it. With --list: {"generation", "at", "latest", "accepted", "lists": [{"list", "items", "added", "removed", "changed"}], "damage"} for each folder in lists, the oldest first, compared with the one before it.

Reads GET ${pathsOf(holding)}, and what dm export reads. It needs a token with the scope read, and for --admin the token of an admin.`,
  usage: '--to DIR',
  flags: [
    {
      to: Flags.string({description: 'the folder; it is created', helpValue: 'DIR', required: true}),
      list: Flags.boolean({description: 'show which lists are kept, with counts and differences; nothing is sent'}),
      'accept-loss': Flags.boolean({description: 'accept lists that lost many entries, or that cannot be compared, as the latest ones'}),
      repair: Flags.boolean({
        description: 'rewrite backup.json if it is damaged or missing, and keep the readable part of damaged messages',
      }),
      keep: daysFlag({
        description: `keep all lists of the last N days, and one set for each earlier month (default: ${usuallyKept}); all removes none`,
        helpValue: 'DAYS',
      }),
      admin: Flags.boolean({description: 'also back up the domains that the server blocks (needs an admin token)'}),
      hidden: Flags.boolean({description: 'also back up hidden conversations'}),
      'no-messages': Flags.boolean({description: 'do not back up messages'}),
      'no-media': Flags.boolean({description: 'do not fetch photos and videos'}),
      'max-size': sizeFlag({
        description: 'fetch no more photos and videos than fit into this size, all in the folder together',
        helpValue: 'SIZE',
      }),
    },
    accountsFlags,
  ],
  examples: [
    {does: 'Back up the account in use', line: 'backup --to backup'},
    {does: 'Show which lists are kept', line: 'backup --to backup --list'},
    {does: 'Back up the lists alone', line: 'backup --to lists --no-messages --json'},
  ],
  async run({flags, session}) {
    await backUp(flags, session);
  },
});
