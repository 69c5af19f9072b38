import {joinFlags} from '../../lib/cli/flags.js';
import {policyCommand} from '../../lib/cli/policy/policy-command.js';
import {listFlags, namesArguments, selectionFlags, stateFlags} from '../../lib/cli/policy/policy-flags.js';
import {adoptItems, policyViews} from '../../lib/policy/index.js';

export default policyCommand({
  summary: 'Mark existing items as managed by a policy',
  description:
    'Marks existing items that the policy requires as made by apply, so that apply removes them when the policy no longer names them. It needs a token with the scope read. Writes the state only.',
  details: `Marks existing items that the policy requires as made by apply, so that apply removes them when the policy or its lists no longer name them. With several accounts, each has its own state.

Prints what is adopted, as state list does.

Reads what the policy has rules for, as plan does, and the name of the account.`,
  usage: 'POLICY [NAME...]',
  args: namesArguments,
  flags: joinFlags(stateFlags, selectionFlags, listFlags),
  examples: [
    {
      does: 'Adopt all existing items that the policy requires',
      line: 'state adopt moderation.yml --all',
    },
    {does: 'Adopt one domain', line: 'state adopt moderation.yml bad.example'},
  ],
  several: true,
  view: policyViews.items,
  run: (run, {POLICY: names}) => adoptItems(names, run.flags, run, (policy) => run.read(policy)),
});
