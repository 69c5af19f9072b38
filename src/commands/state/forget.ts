import {Args} from '@oclif/core';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {
  chosenOf,
  handleOfOwner,
  noteWritten,
  policyFlag,
  printItems,
  recordFlags,
  recordFor,
  selectionFlags,
} from '../../lib/cli/policy/state.js';
import {ownedItems, withForgotten} from '../../lib/policy/state-file/owned.js';
import {StateFile} from '../../lib/policy/state-file/state-file.js';

export default class StateForget extends PixelctlCommand {
  static override summary = 'Stop managing items';
  static override description = `Removes items from the state file of a policy. They stay on the server, and apply no longer removes them when the policy no longer names them. Nothing is sent.

Prints what is forgotten, as state list does.`;
  static override usage = '<%= command.id %> [SUBJECT...] --policy FILE [flags]';
  static override args = {
    SUBJECT: Args.string({
      description: 'domains, accounts, and titles or ids of filters; * matches any text',
      multiple: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {...policyFlag, ...selectionFlags, ...recordFlags};
  static override examples = [
    {
      description: 'Keep a domain blocked, even if the policy no longer names it',
      command: '<%= config.bin %> state forget bad.example --policy moderation.yml',
    },
    {description: 'Start over', command: '<%= config.bin %> state forget --all --policy moderation.yml'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(StateForget);
    const {path, record: named} = await recordFor(flags, session);
    using file = flags['dry-run'] ? await StateFile.read(path) : await StateFile.lock(path);
    const record = file.recordOf(named);
    const [items = []] = chosenOf([{items: ownedItems(record), host: new URL(record.server).host}], {
      subjects: args.SUBJECT ?? [],
      isAll: flags.all,
      why: `no apply of ${record.policy} made it for ${handleOfOwner(record)}`,
      hint: (suggest) => `to see what it made: ${suggest(['state', 'list'], {flags: {policy: flags.policy, state: flags.state}})}`,
    });
    if (!flags['dry-run']) await file.write(withForgotten(record, items));
    await printItems(
      items.map((item) => ({item, found: {path, record}})),
      session,
    );
    noteWritten(items.length, ['forget', 'Forgot'], {isDryRun: flags['dry-run'], session});
  }
}
