import {Args} from '@oclif/core';
import {archiveFlags, exportOrVerify} from '../../lib/cli/archive/dm-export.js';
import {command} from '../../lib/cli/command.js';

export default command({
  summary: 'Export conversations to a folder',
  findsDrift: true,
  description:
    'Writes messages, photos and videos to a folder, with pages to read in a browser. Without an ID it exports the inbox and all requests. Run it again to add what is new; nothing that was kept is lost. It needs a token with the scope read.',
  details: `Exports the named conversations, or the whole inbox and all requests; --hidden adds hidden ones. The folder has the server's own JSON of each message, photos and videos, and pages to read in a browser without a network: open index.html. README.md there explains the files.

Run it again to add what is new. All pages are read again. Messages that the server no longer shows are marked, and stay. Earlier versions of edited messages stay too. --new-only only reads what no run has read yet, and marks nothing. Nothing is written if nothing changed.

If the server suddenly shows little of what it had, the exit status is 10. All of it stays, and the next run takes the server as it is.

The folder belongs to one account, and nobody else can read it. With several profiles, each account has a folder of its own in it. Messages of all conversations are read first, then their files. After an interruption, run the same command again to do the rest.

--dry-run asks the server, writes nothing, and says what is new, changed or gone; the exit status is 10 if anything is. --verify reads everything in the folder, without a server, and compares it with the sums that were written; the exit status is 9 if anything is damaged.

Servers before 2026 have no conversations. There, name the accounts. The server shows only the first and the last messages of each thread. not_read says where others are.

With --json: {"id", "type": "conversation|thread", "with", "folder", "messages", "missing", "media", "bytes", "absent_media", "last_at", "new", "changed", "gone", "back", "new_media", "failed_media", "skipped_media", "media_errors": [{"message_id", "media_id", "error"}], "not_read": [{"after", "before"}], "doubtful", "error"} for each conversation. messages, missing and media count what is in the folder. new, changed, gone, back, new_media, failed_media and skipped_media count what this run did; media_errors has the first 100 causes. not_read has the ids around messages that no run has read; null: there is none on that side. doubtful says that the server suddenly shows little. The exit status is 11 when some conversations or files failed; when the only conversation failed, it is that of its error, such as 4 for an id that the server does not have.

With --verify: {"id", "with", "messages", "media", "damaged", "error"} for each conversation; damaged has the files that are missing, or not as they were written.

Reads GET /api/v1.1/direct/conversations and GET /api/v1.1/direct/conversations/{id}/messages, on older servers GET /api/v1.1/direct/thread, and fetches the files that messages name.`,
  usage: '[ID...] --to DIR',
  args: {
    ID: Args.string({
      name: 'ID',
      description: 'ids of conversations, or accounts that they are with (-: standard input); all by default',
      multiple: true,
      required: false,
    }),
  },
  flags: archiveFlags,
  examples: [
    {does: 'Export all conversations', line: 'dm export --to messages'},
    {
      does: 'Add what is new since the last run',
      line: 'dm export --to messages --new-only',
    },
    {does: 'Check that nothing is damaged', line: 'dm export --to messages --verify'},
  ],
  run: exportOrVerify,
});
