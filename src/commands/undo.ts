import {joinFlags} from '../lib/cli/flags.js';
import {Args} from '@oclif/core';
import {changeAccounts, changeFlags} from '../lib/cli/policy/changes.js';
import {policyCommand} from '../lib/cli/policy/policy-command.js';
import {stateFlags} from '../lib/cli/policy/policy-flags.js';
import {undo, writesOf} from '../lib/policy/index.js';
import {resultsView} from '../lib/run/index.js';

export default policyCommand({
  summary: 'Take back the last apply of a policy, or the last restore of a backup',
  writes: true,
  isRepeatable: false,
  description:
    'Shows what the last apply of the policy changed, asks, and changes it back. Follows that a block ended do not come back. It needs a token with the scopes read and write; server-wide blocks need that of an admin.',
  details: `Sets back what the last apply of the policy changed, with what was broken off right before it, as the state records it. Of a backup, it is what the last restore made. What somebody changed since is named, and stays. So is what cannot be set back, such as followers that a domain block removed. A dry run only reads. With several accounts, the last apply to each of them is taken back.

Calls ${writesOf()}, after GET of what it changes.`,
  usage: 'POLICY|DIR',
  args: {
    POLICY: Args.string({
      description: 'the policy whose last apply to take back, or the folder of a backup (-: a policy of standard input, with --state)',
      required: true,
    }),
  },
  flags: joinFlags(stateFlags, changeFlags),
  examples: [
    {does: 'Review and confirm', line: 'undo moderation.yml'},
    {does: 'In a script', line: 'undo moderation.yml --yes --json'},
  ],
  several: true,
  view: resultsView,
  run: async (run, {POLICY: name}) => changeAccounts(await undo(name, run.flags.state), run),
});
