import {PixelctlCommand} from '../../lib/cli/command.js';
import {listItems, policyArguments, recordFlags} from '../../lib/cli/policy/state.js';

export default class StateList extends PixelctlCommand {
  static override summary = 'List managed items';
  static override description =
    'Lists the items that apply made, changed or adopted. When the policy no longer names one, apply removes it or changes it back.';
  static override details =
    'Lists the items in state files: those that apply made or changed, and those that were adopted. When the policy no longer names an item, apply removes it, or changes it back to what it was. Without POLICY or --state, all state files of this folder are read. Nothing is sent, unless the server has to name the account of --profile or --server.';
  static override usage = '<%= command.id %> [POLICY] [flags]';
  static override args = policyArguments;
  static override flags = recordFlags;
  static override examples = [
    {description: 'List the managed items in this folder', command: '<%= config.bin %> state list'},
    {description: 'Print the domains of one policy', command: "<%= config.bin %> state list moderation.yml --jq '.[].subject'"},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(StateList);
    await listItems({...flags, policy: args.POLICY}, session);
  }
}
