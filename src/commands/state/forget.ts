import {Args} from '@oclif/core';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {chosenOf, noteWritten, policyFlag, printItems, recordFlags, recordsFor, selectionFlags} from '../../lib/cli/policy/state.js';
import {forgettable, withForgotten} from '../../lib/policy/state-file/owned.js';
import {recordsAt, StateFiles} from '../../lib/cli/policy/state-files.js';
import {nameOfOwner} from '../../lib/policy/state-file/ownership.js';

export default class StateForget extends PixelctlCommand {
  static override summary = 'Stop managing items';
  static override description = `Removes items from the state file of a policy. They stay on the server, and apply no longer removes them when the policy no longer names them. What somebody changed by hand counts as theirs; what they lifted counts as new. Nothing is sent.

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
    const named = await recordsFor(flags, session);
    using files = new StateFiles(flags['dry-run']);
    const {all: kept} = await recordsAt(
      named.map(({path, record: owner}) => ({path, owner})),
      (path) => files.open(path),
    );
    const owners = kept.map(({record}) => nameOfOwner(record)).join(' or ');
    const chosen = chosenOf(
      kept.map(({record}) => ({items: forgettable(record), host: new URL(record.server).host})),
      {
        subjects: args.SUBJECT ?? [],
        isAll: flags.all,
        why: `no apply of ${named[0].record.policy} made it for ${owners}`,
        hint: (suggest) => `to see what it made: ${suggest(['state', 'list'], {flags: {policy: flags.policy, state: flags.state}})}`,
      },
    );
    const forgotten = kept.map((one, index) => ({...one, items: chosen[index] ?? []}));
    if (!flags['dry-run']) for (const {file, record, items} of forgotten) await file.write(withForgotten(record, items));
    const items = forgotten.flatMap((one) => one.items.map((item) => ({item, found: {path: one.file.path, record: one.record}})));
    await printItems(items, session);
    noteWritten(items.length, ['forget', 'Forgot'], {isDryRun: flags['dry-run'], session});
  }
}
