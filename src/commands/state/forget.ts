import {joinFlags} from '../../lib/cli/flags.js';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {policyAndSubjects, recordFlags, selectionFlags, subjectArguments} from '../../lib/cli/policy/state.js';
import {forget} from '../../lib/cli/policy/forget.js';

export default class StateForget extends PixelctlCommand {
  static override summary = 'Stop managing items';
  static override description = `Removes items from the state file of a policy. They stay on the server, and apply no longer removes them when the policy no longer names them. Changes by hand then belong to the person; lifted items count as new. Nothing is sent.

Prints what is forgotten, as state list does.`;
  static override usage = '<%= command.id %> POLICY [SUBJECT...] [flags]';
  static override args = subjectArguments;
  static override flags = joinFlags(selectionFlags, recordFlags);
  static override examples = [
    {
      description: 'Keep a domain blocked, even if the policy no longer names it',
      command: '<%= config.bin %> state forget moderation.yml bad.example',
    },
    {description: 'Start over', command: '<%= config.bin %> state forget moderation.yml --all'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(StateForget);
    await forget(policyAndSubjects(args), flags, session);
  }
}
