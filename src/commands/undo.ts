import {Args} from '@oclif/core';
import {openAccounts} from '../lib/cli/accounts.js';
import {carryOut, changeAccounts, changeFlags, endsOf, type Job} from '../lib/cli/policy/changes.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {accountsFlags} from '../lib/cli/flags.js';
import {targetOf} from '../lib/cli/policy/policy.js';
import {printingOfOwn} from '../lib/cli/printing.js';
import {resultsView} from '../lib/run/results.js';
import {withServers} from '../lib/cli/policy/servers.js';
import {recordsAt, StateFiles, stateFlags} from '../lib/cli/policy/state-files.js';
import {Failure} from '../lib/client/failure.js';
import type {Target} from '../lib/policy/model/difference.js';
import {findLastApply, lastApplyTo} from '../lib/policy/state-file/paths.js';
import type {Records} from '../lib/policy/state-file/records.js';
import type {Section} from '../lib/policy/section/section.js';
import {holding, sharedSections, shownSubject, writesOf} from '../lib/policy/sections/index.js';
import {undoApply, undoFor} from '../lib/policy/plan/undo.js';

export default class Undo extends PixelctlCommand {
  static override summary = 'Revert the last apply';
  static override description = `Restores what the last apply changed, as recorded in the state file, and reports what cannot be restored, such as followers that a domain block removed. Run it again to revert the apply before that, up to ten. Without POLICY it reverts the latest apply in the state files of this folder. A dry run only reads. With several accounts, the last apply to each of them is reverted; accounts without one are skipped.

Calls ${writesOf(holding)}, after GET of what it changes. It needs a token with the scopes read and write; for what a whole server blocks, that of an admin.`;
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
    const printing = await printingOfOwn(resultsView, session);
    await using opened = await openAccounts(flags, session);
    const choice = {policy: args.POLICY, chosen: flags.state};
    const accounts = await withServers(opened, {accounts: async () => true, server: (server) => changedOf(choice, server)}, session);
    using files = new StateFiles(session.dryRun);
    const without: Failure[] = [];
    await changeAccounts(
      {
        question: 'Revert the last apply to',
        async prepare({connection, owner}) {
          const target = await targetOf(connection, flags, [], {owner});
          const found = await lastApplyTo(choice, target).catch((error: unknown) => {
            if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
            without.push(error);
          });
          if (found === undefined) return nothingToRevert;
          return revertOf(found.policy, await recordsAt(found.places, (path) => files.open(path)), target);
        },
        // An account without an apply is left alone, unless none of them has one.
        check() {
          const [first] = without;
          if (first === undefined || without.length < accounts.members.length) return;
          throw accounts.areNamed
            ? new Failure('not_found', `Nothing to revert for any of ${accounts.members.map(({account}) => account).join(', ')}`, {
                hint: first.details.hint,
              })
            : first;
        },
      },
      accounts,
      {flags, printing, session},
    );
  }
}

const remarks = {limits: [], beyond: []};

const nothingToRevert: Job = {
  changes: [],
  remarks,
  question: '',
  nothing: 'Nothing to do.',
  carryOut: async () => {},
};

/** The sections of what the accounts of a server share that an apply changed last. @throws Failure `local` */
async function changedOf(choice: Parameters<typeof findLastApply>[0], server: URL): Promise<readonly Section[]> {
  const found = await findLastApply(choice, {account: server.host, owner: 'server', server});
  return sharedSections.filter(({kind}) => found?.kinds.has(kind));
}

async function revertOf(policy: string, records: Records, target: Target): Promise<Job> {
  const undo = await undoFor(records, target);
  const {changes, lost, at, state} = undo;
  return {
    changes,
    ends: endsOf(changes, state),
    remarks,
    warnings: lost.map((one) => ({subject: shownSubject(one), why: one.why})),
    question: `Revert the apply of ${policy} (${at}) as`,
    nothing:
      lost.length > 0 ? `Nothing left to revert of the apply of ${at}.` : `Nothing to do: what the apply of ${at} changed is as it was.`,
    carryOut: (send) => undoApply(undo, (all, made) => carryOut(all, send, {witness: {made}})),
  };
}
