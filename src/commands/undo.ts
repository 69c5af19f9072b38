import {Args} from '@oclif/core';
import {PixelctlCommand} from '../lib/cli/command.js';
import {connect} from '../lib/cli/connection.js';
import {printPlans} from '../lib/cli/dry-run.js';
import {accountsFlags, areSeveral} from '../lib/cli/flags.js';
import {carryOut, changeFlags, confirm, plannedRequests, requireConsent, stateFlags, targetOf, warnOfEach} from '../lib/cli/policy.js';
import {printingOf} from '../lib/cli/printing.js';
import {afterUndo} from '../lib/policy/ownership.js';
import {findLastApply, StateFile} from '../lib/policy/state-file.js';
import {undoFor} from '../lib/policy/undo.js';

export default class Undo extends PixelctlCommand {
  static override summary = 'Revert the last apply';
  static override description = `Restores what the last apply changed, as recorded in the state file, and reports what cannot be restored, such as followers that a domain block removed. Run it again to revert the apply before that, up to ten. Without POLICY it reverts the latest apply in the state files of this folder. A dry run reads, and changes nothing. With several accounts, the last apply to each of them is reverted.

Calls POST and DELETE /api/v1/domain_blocks, POST /api/v1/accounts/{id}/block, unblock, mute and unmute, POST /api/v2/filters, PUT and DELETE /api/v2/filters/{id}, after GET of what it changes. It needs a token with the scopes read and write.`;
  static override usage = '<%= command.id %> [POLICY] [flags]';
  static override args = {POLICY: Args.string({description: 'the policy whose last apply is reverted', ignoreStdin: true})};
  static override flags = {...stateFlags, ...changeFlags, ...accountsFlags};
  static override examples = [
    {description: 'Revert the last apply in this folder', command: '<%= config.bin %> undo'},
    {description: 'Revert the last apply of a policy, in a script', command: '<%= config.bin %> undo moderation.yml --yes --json'},
    {description: 'Show the requests without sending them', command: '<%= config.bin %> undo moderation.yml --dry-run'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.startForAccounts(Undo);
    const printing = await printingOf(session);
    requireConsent(session);
    if (areSeveral(flags)) return (await import('../lib/cli/fleet-apply.js')).undoSeveral(args.POLICY, {flags, session});
    await using connection = await connect(session);
    const target = await targetOf(connection, flags);
    const found = await findLastApply({policy: args.POLICY, chosen: flags.state}, target);
    if (session.dryRun) {
      const {changes, lost} = await undoFor(found.policy, await StateFile.read(found.path), target);
      warnOfEach(lost, session);
      return printPlans(await plannedRequests(changes, connection), connection);
    }
    using file = await StateFile.lock(found.path);
    const {changes, lost, record, at} = await undoFor(found.policy, file, target);
    warnOfEach(lost, session);
    if (changes.length === 0) {
      session.note(`Nothing to do: what the apply of ${at} changed is as it was.`);
      await session.io.write(session.format === 'json' ? '[]\n' : '', 'data');
    } else {
      await confirm(changes, {limits: [], beyond: []}, `Revert the apply of ${found.policy} (${at}) as`, connection);
      await carryOut(changes, {command: 'undo', flags, printing, connection});
    }
    await file.write(afterUndo(record));
  }
}
