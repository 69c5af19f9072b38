/** The README.md in the folder of a backup. */
import {accountFiles, type ArchiveOwner} from '../archive/index.js';
import {enumerate} from '../json/text.js';
import {listsFolder, sumsFile} from './dated.js';
import {jsonOf, keysOf, messagesFolder, ownPart, type Part, parts, serverPart} from './parts.js';

const listsOf = ({sections}: Part): string => enumerate(sections.map(({item}) => `the ${item}s`));

const files = parts.flatMap(({sections}) =>
  sections.map(({key, item}) => `| \`${jsonOf(key)}\` | the ${item}s, as the server sent them |\n`),
);

export function readmeText({server, account}: ArchiveOwner): string {
  const {host} = new URL(server);
  return `# Backup of @${account.acct} on ${host}

Made by \`pixelctl backup\`. To add what is new, run it again with the same folder: lists that changed get a folder of their own, named by the
time (UTC), and messages are added.

Keep this folder to yourself: it holds private messages, and says whom you block.

| file | what it is |
| --- | --- |
| \`${listsFolder}/DATE/\` | all lists, as they were at that time. The newest one is what \`restore\` takes |
| \`${listsFolder}/DATE.shrunk/\` | the same, where a list had lost much: \`restore\` passes it over until \`backup --accept-loss\` |
| \`${messagesFolder}/\` | the messages: open \`${messagesFolder}/${accountFiles.index}\` in a browser |
| \`backup.json\` | whose backup this is |

In each folder of \`${listsFolder}/\`, as far as they were read:

| file | what it is |
| --- | --- |
| \`${ownPart.policy}\` | all lists of the account as one policy, from which they are restored |
| \`${serverPart.policy}\` | ${listsOf(serverPart)}, as a policy for this server alone |
${files.join('')}| \`${sumsFile}\` | the sha256 of each file |

To check all of it without a server: \`pixelctl backup --to . --verify\`. Folders of dates that you do not need can be removed. For other
programs, \`pixelctl export --only blocks --as mastodon-csv\` writes the lists of the account in use.

## Restore

In this folder, on this server or on another one:

    pixelctl restore . --dry-run
    pixelctl restore .

It adds what is missing and removes nothing, and \`pixelctl undo .\` takes it back. \`restore ${listsFolder}/DATE\` restores the lists of a
date. On another server, accounts are found by their name and server, as in \`ana@pix.example\`.

What the server itself blocks (\`backup --admin\`) is restored only if you ask for it, and only on ${host}:

    pixelctl restore . --only ${keysOf(serverPart).join(',')}

## What no restore brings back

- Messages. They can be read here, but no server takes them back.
- Follows. A block ends them in both directions, and they stay ended when the block is removed.
- Accounts that are gone, or that the other server cannot find.
- Filters that had ended, and what a policy cannot express. Both are in the JSON of the server.
`;
}
