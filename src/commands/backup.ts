import {backUp, backupFlags} from '../lib/cli/backup/backup.js';
import {command} from '../lib/cli/command.js';
import {pathsOf} from '../lib/policy/index.js';

export default command({
  summary: 'Back up messages and lists to a folder',
  findsDrift: true,
  description:
    'Writes your messages, blocks, mutes, domain blocks and filters to a folder that only you can read. Run it again to update the folder: earlier lists are kept. `restore` recreates the lists from it. It needs a token with the scope read.',
  details: `Writes each list as the server sent it, all lists as a policy, which \`restore\` uses to recreate them, and the messages as dm export does. README.md in the folder explains the files, and what no restore brings back.

Run it again with the same folder. If lists have changed, all lists are written to a new folder, lists/DATE (UTC). New messages are added. If a list cannot be read, its last copy is taken over, and the exit status is 11. The same happens, with a note, if the server does not offer a list. For messages of servers before 2026, name the accounts with dm export --to DIR/messages.

A list that lost many entries may be a mistake of the server: all of them, or more than 20 that are at least a fifth. Then the lists are written to lists/DATE.shrunk, which restore passes over, and the exit status is 10, until the entries are back. --accept-loss makes the newest such folder the latest; --yes does not.

--verify checks all that is in the folder, without a server; the exit status is 9 if anything is damaged.

The folder belongs to one account, and nobody else can read it. With several profiles, each account has a folder of its own in it. --admin adds the domains that the server itself blocks.

With --json: {"list", "items", "folder", "added", "removed", "changed", "shrank", "left_out", "error"} for each list and for the messages. folder is the folder in lists that has the list. added, removed and changed count entries since the latest lists; they are null if nothing was compared. left_out names what a policy cannot express; only the server's own JSON has it. With --verify: {"folder", "items", "error"} for the lists of each date, and for each conversation.

Reads GET ${pathsOf()}, and what dm export reads. It needs a token with the scope read, and for --admin the token of an admin.`,
  usage: '--to DIR',
  flags: backupFlags,
  examples: [
    {does: 'Back up the account in use', line: 'backup --to backup'},
    {does: 'Check that nothing is damaged', line: 'backup --to backup --verify'},
  ],
  run: backUp,
});
