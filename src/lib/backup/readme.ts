/** Says in the folder of a backup what is what. */
import {accountFiles, type ArchiveOwner} from '../archive/index.js';
import {enumerate} from '../json/text.js';
import {listsFolder, sumsFile} from './dated.js';
import {filesOf, type ImportableFormat, keysOf, messagesFolder, type Part, parts, serverPart} from './parts.js';

const importedBy: Readonly<Record<ImportableFormat, string>> = {
  'mastodon-csv': 'Mastodon and other servers import it (there, under Preferences, Import and export)',
  'mastodon-json': 'the form in which Mastodon has filters, for programs',
  'mastodon-admin': "Mastodon's admins import it (there, under Moderation, Federation)",
};

const listsOf = ({sections}: Part): string => enumerate(sections.map(({words}) => words.all));

function rowsOf(isThere: (file: string) => boolean): string[] {
  return parts.flatMap((part) => {
    const ofServer = `${listsOf(part)}, as a policy for this server alone`;
    const policy = part.isOfServer ? ofServer : 'all lists of the account as one policy, from which they are restored';
    const lists = part.sections.flatMap((section) => {
      const {json, other} = filesOf(section);
      const {all} = section.words;
      if (!isThere(json)) return [];
      return [
        `| \`${json}\` | ${all}, as the server sent them |`,
        ...(other ? [`| \`${other.file}\` | ${all}: ${importedBy[other.format]} |`] : []),
      ];
    });
    return [...(isThere(part.policy) ? [`| \`${part.policy}\` | ${policy} |`] : []), ...lists];
  });
}

/** @param isThere whether the folder has a file */
export function readmeText({server, account}: ArchiveOwner, isThere: (file: string) => boolean): string {
  const {host} = new URL(server);
  const messages = `| \`${messagesFolder}/\` | the messages: open \`${messagesFolder}/${accountFiles.index}\` in a browser |\n`;
  const admins = `
Entries about the server itself (${listsOf(serverPart)}) are restored only if you ask for it, and only on ${host}:

    pixelctl restore . --only ${keysOf(serverPart).join(',')}
`;
  return `# Backup of @${account.acct} on ${host}

Made by \`pixelctl backup\`. To add what is new, run it again with the same folder: lists that changed get a folder of their own, named by the
time (UTC), and messages are added.

Keep this folder to yourself: it holds private messages, and says whom you block.

| file | what it is |
| --- | --- |
| \`${listsFolder}/DATE/\` | all lists, as they were at that time. The newest one is what \`restore\` takes |
| \`${listsFolder}/DATE.shrunk/\` | the same, where a list had lost much: \`restore\` passes it over until \`backup --accept-loss\` |
${isThere(messagesFolder) ? messages : ''}| \`backup.json\` | whose backup this is |

In each folder of \`${listsFolder}/\`:

| file | what it is |
| --- | --- |
${rowsOf(isThere).join('\n')}
| \`${sumsFile}\` | the sha256 of each file |

To check all of it without a server: \`pixelctl backup --to . --verify\`. Folders of dates that you do not need can be removed.

## Restore

In this folder, on this server or on another one:

    pixelctl restore . --dry-run
    pixelctl restore .

It adds what is missing and removes nothing, and \`pixelctl undo .\` takes it back. \`restore ${listsFolder}/DATE\` restores the lists of a
date. On another server, accounts are found by their name and server, as in \`ana@pix.example\`.
${isThere(serverPart.policy) ? admins : ''}
## What no restore brings back

- Messages. They can be read here, but no server takes them back.
- Follows. A block ends them in both directions, and they stay ended when the block is removed.
- Accounts that are gone, or that the other server cannot find.
- Filters that had ended, and what a policy cannot express. Both are in the JSON of the server.
`;
}
