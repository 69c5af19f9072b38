/** A skill: how a program or an assistant uses pixelctl safely. */
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {exitStatuses} from '../dist/lib/cli/errors.js';
import {commandList} from '../dist/lib/cli/command-list/command-list.js';
import {paragraphs, table} from './markdown.js';
import {root} from './root.js';

const head = `---
name: pixelctl
description: Use the pixelctl command line to read and change accounts and moderation on Pixelfed and similar servers, without losing or repeating anything. Use it for blocks, mutes, filters, domain blocks, reports, direct messages, moderation policies, backups, and spam accounts.
---`;

const rules = `# Use pixelctl safely

## Before the first command

- \`pixelctl doctor --json\` checks the profile, the server and the token. \`pixelctl auth status --json\` says which account is in use.
- A person signs in with \`pixelctl auth login SERVER\`. Never ask for a token, and never print one.
- Try commands on \`pixelctl sandbox\`, a server in memory that prints tokens to use it with.
- \`pixelctl commands --json\` lists every command with its arguments, flags, requests, scopes and exit statuses. \`pixelctl COMMAND -h\` is the short help.

## Read

- Data is on standard output; notes, warnings and errors are on standard error. Read only standard output.
- Pass \`--json\` for one document, or \`-o ndjson\` for one item a line. \`--jq EXPRESSION\` filters it. Tables are for people: do not parse them.
- Lists come in pages: \`--all\` reads every page, \`--max N\` stops after N items.
- Ids are texts. Never calculate with them.

## Write

1. Run the command with \`--dry-run\` first, and show a person the requests that it prints.
2. Without a terminal, a command that asks needs \`--yes\`. Pass it only when a person agreed to exactly this command.
3. A protected profile needs \`--yes\` for every write. Do not remove the protection.
4. For many targets, pass \`--from FILE\` (or \`-\` for standard input) and \`--journal FILE\`: after an interruption, the same command does the rest, and nothing is sent twice.
5. For rules that stay, write a policy: \`pixelctl plan POLICY\`, then \`pixelctl apply POLICY\`. \`pixelctl undo POLICY\` reverts the last apply.
6. Do not raise a guard (\`--allow-removals\`, \`--allow-additions\`, \`--allow-deletions\`, \`--accept-loss\`) on your own. It stopped the run because the change is large.

## When a command fails

- With \`--json\` the error is one line of JSON on standard error: \`{"error": {"code", "exit", "message", "status", "hint", "fate"}}\`. Follow \`hint\`.
- \`"fate": "unknown"\` means that the request may have been carried out. Do not repeat it. Look first: \`hint\` names the command.
- Status 6 is a rate limit: wait. Status 7 is the connection or the server: a read can be repeated.
- Statuses 2, 3, 4 and 5 do not go away when the same command is repeated.`;

/** @param manifest as oclif reads it */
export async function skillText({commands: entries}) {
  const config = {
    commands: Object.values(entries),
    loadCommand: async (id) => (await import(pathToFileURL(join(root, ...entries[id].relativePath)).href)).default,
  };
  const {commands} = await commandList(config);
  const statuses = Object.entries(exitStatuses).map(([code, {status, meaning}]) => [String(status), `\`${code}\``, meaning]);
  return `${paragraphs(
    head,
    rules,
    '## Exit status',
    table(['status', 'code', 'meaning'], [['0', '', 'done'], ...statuses]),
    '## Commands that write',
    'Where *repeat* is no, never run the command again when the outcome is unknown.',
    table(
      ['command', 'does', 'asks', 'repeat'],
      commands
        .filter(({writes}) => writes)
        .map(({command, summary, asks, repeatable}) => [`\`${command}\``, summary, asks ? 'yes' : 'no', repeatable ? 'yes' : 'no']),
    ),
    '## Commands that only read, or only change files on this machine',
    table(
      ['command', 'does'],
      commands.filter(({writes}) => !writes).map(({command, summary}) => [`\`${command}\``, summary]),
    ),
  )}\n`;
}
