import {command} from '../../lib/cli/command.js';
import {listItems, policyArguments, recordFlags} from '../../lib/cli/policy/state.js';

export default command({
  summary: 'List managed items',
  description:
    'Lists the items that apply made, changed or adopted. When the policy no longer names one, apply removes it or changes it back.',
  details:
    'Lists the items in state files: those that apply made or changed, and those that were adopted. When the policy no longer names an item, apply removes it, or changes it back to what it was. Without POLICY or --state, all state files of this folder are read. Nothing is sent, unless the server has to name the account of --profile or --server.',
  usage: '[POLICY]',
  args: policyArguments,
  flags: [recordFlags],
  examples: [
    {does: 'List the managed items in this folder', line: 'state list'},
    {does: 'Print the domains of one policy', line: "state list moderation.yml --jq '.[].subject'"},
  ],
  async run({args, flags, session}) {
    await listItems({...flags, policy: args.POLICY}, session);
  },
});
