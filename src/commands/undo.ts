import {joinFlags} from '../lib/cli/flags.js';
import {Args} from '@oclif/core';
import {changeFlags} from '../lib/cli/policy/changes.js';
import {policyCommand} from '../lib/cli/policy/command.js';
import {stateFlags} from '../lib/cli/policy/flags.js';
import {undo} from '../lib/cli/policy/undo.js';
import {holding, writesOf} from '../lib/policy/index.js';

export default policyCommand({
  summary: 'Revert the last apply',
  writes: true,
  isRepeatable: false,
  description:
    'Shows what the last apply of the policy changed, asks, and changes it back. Follows that a block ended do not come back. It needs a token with the scopes read and write; server-wide blocks need that of an admin.',
  details: `Changes back what the last apply changed, as the state file records it. It reports what cannot be restored, such as followers that a domain block removed. Run it again to revert the apply before that, up to ten. Without POLICY it reverts the latest apply in the state files of this folder. A dry run only reads. With several accounts, the last apply to each of them is reverted; accounts without one are skipped.

Calls ${writesOf(holding)}, after GET of what it changes.`,
  usage: '[POLICY]',
  args: {
    POLICY: Args.string({
      description: 'the policy whose last apply to revert (-: one from standard input, with --state)',
      ignoreStdin: true,
    }),
  },
  flags: joinFlags(stateFlags, changeFlags),
  examples: [
    {does: 'Revert the last apply in this folder', line: 'undo'},
    {does: 'Revert the last apply of a policy, in a script', line: 'undo moderation.yml --yes --json'},
    {does: 'Show the requests without sending them', line: 'undo moderation.yml --dry-run'},
  ],
  several: true,
  run: (run, {POLICY: policy}) => undo(policy, run),
});
