import {Flags} from '@oclif/core';
import {joinFlags, repeatable} from '../lib/cli/flags.js';
import {policyCommand} from '../lib/cli/policy/policy-command.js';
import {readingFlags} from '../lib/cli/policy/policy-flags.js';
import {exportAs} from '../lib/cli/policy/sides.js';
import {isDomainTableFormat, listFormats, pathsOf, sectionKeys} from '../lib/policy/index.js';

export default policyCommand({
  summary: 'Export an account as a policy or a list',
  description:
    "Prints a policy that matches the account, or one of its lists in the form that other programs read. It also prints a policy's lists as one list. It needs a token with the scope read.",
  details: `Prints a policy that matches the account. The output is the same every time. What a policy cannot express is left out, with a warning.

With --as it prints a list for another tool. A server keeps only the domains of blocks: in a list from an account each has the severity suspend and no comments. --fields selects columns, --no-header leaves the header out, and --spreadsheet-safe escapes comments that a spreadsheet would run.

With --from it reads no server: it prints the domains that a policy wants blocked, or those of one or more lists, merged, with severities, comments and flags. What the format has no column for is left out, with a warning. Private comments are left out, with a warning, without --show-private.

Without --from it reads GET ${pathsOf()}.`,
  args: {},
  flags: joinFlags(
    {
      only: repeatable(`export only these parts: ${sectionKeys.join(', ')}`, 'PARTS', {options: [...sectionKeys], delimiter: ','}),
      as: Flags.string({
        description: `export a policy (the default), or one part as a list for another tool: ${listFormats.join(', ')}`,
        helpValue: 'FORMAT',
        options: ['policy', ...listFormats],
      }),
      from: repeatable(
        'export the domains of this policy or list instead of the account: a file, an https:// URL, or - for standard input; repeat it to merge lists',
        'FILE',
      ),
    },
    readingFlags,
  ),
  examples: [
    {does: 'Start a policy from the account', line: 'export --only domain_blocks,filters > policy.yml'},
    {does: 'Export blocked domains for Mastodon', line: 'export --as mastodon-csv > domains.csv'},
    {
      does: "Write what a policy and its lists block for Mastodon's administrators",
      line: 'export --from moderation.yml --as mastodon-admin > domain_blocks.csv',
    },
  ],

  // Some formats of `--as` have rows with a header, whatever `--output` says.
  printsRows: ({as}) => as !== undefined && isDomainTableFormat(as),
  run: (run) => exportAs(run),
});
