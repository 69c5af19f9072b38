import {joinFlags} from '../../lib/cli/flags.js';
import {policyCommand} from '../../lib/cli/policy/policy-command.js';
import {namesArguments, selectionFlags, stateFlags} from '../../lib/cli/policy/policy-flags.js';
import {forgetItems, policyViews} from '../../lib/policy/index.js';

export default policyCommand({
  summary: 'Stop managing items',
  description: `Removes items from the state of a policy. They stay on the server, and apply no longer removes them when the policy no longer names them. Changes by hand then belong to the person; lifted items count as new. Nothing is sent.

Prints what is forgotten, as state list does.`,
  usage: 'POLICY [NAME...]',
  args: namesArguments,
  flags: joinFlags(stateFlags, selectionFlags),
  examples: [
    {does: 'Keep a domain blocked, even if the policy no longer names it', line: 'state forget moderation.yml bad.example'},
    {does: 'Start over', line: 'state forget moderation.yml --all'},
  ],
  view: policyViews.items,
  run: ({flags, opened}, {POLICY: names}) => forgetItems(names, flags, (file) => opened.use(file)),
});
