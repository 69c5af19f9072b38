import {command} from '../../lib/cli/command.js';
import {policyAndSubjects, recordFlags, selectionFlags, subjectArguments} from '../../lib/cli/policy/state.js';
import {forget} from '../../lib/cli/policy/forget.js';

export default command({
  summary: 'Stop managing items',
  description: `Removes items from the state file of a policy. They stay on the server, and apply no longer removes them when the policy no longer names them. Changes by hand then belong to the person; lifted items count as new. Nothing is sent.

Prints what is forgotten, as state list does.`,
  usage: 'POLICY [SUBJECT...]',
  args: subjectArguments,
  flags: [selectionFlags, recordFlags],
  examples: [
    {
      does: 'Keep a domain blocked, even if the policy no longer names it',
      line: 'state forget moderation.yml bad.example',
    },
    {does: 'Start over', line: 'state forget moderation.yml --all'},
  ],
  async run({args, flags, session}) {
    await forget(policyAndSubjects(args), flags, session);
  },
});
