import {Args} from '@oclif/core';
import {policyCommand} from '../../lib/cli/policy/policy-command.js';
import {stateFlags} from '../../lib/cli/policy/policy-flags.js';
import {listItems, policyViews} from '../../lib/policy/index.js';

export default policyCommand({
  summary: 'List managed items',
  description:
    'Lists the items that apply made, changed or adopted. When the policy no longer names one, apply removes it or changes it back.',
  details:
    'Lists the items in the states of a policy: those that apply made or changed, and those that were adopted. When the policy no longer names an item, apply removes it, or changes it back to what it was. Nothing is sent.',
  usage: 'POLICY',
  args: {POLICY: Args.string({description: 'the policy (-: one of standard input, with --state)', required: true})},
  flags: stateFlags,
  examples: [
    {does: 'List the managed items of a policy', line: 'state list moderation.yml'},
    {does: 'Print their names', line: "state list moderation.yml --jq '.[].subject'"},
  ],
  view: policyViews.items,
  run: ({flags}, {POLICY: policy}) => listItems(policy, flags.state),
});
