import {Args} from '@oclif/core';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {openAccounts} from '../../lib/cli/accounts.js';
import {accountsFlags} from '../../lib/cli/flags.js';
import {listFlags} from '../../lib/cli/policy/list-access.js';
import {checkAccounts, readPolicyAndLists, sameFlags, targetOf} from '../../lib/cli/policy/policy.js';
import {meantBy, withServers} from '../../lib/cli/policy/servers.js';
import {StateFiles} from '../../lib/cli/policy/state-files.js';
import {chosenOf, noteWritten, policyFlag, printItems, recordFlags, selectionFlags} from '../../lib/cli/policy/state.js';
import {neededParts} from '../../lib/policy/plan/plan.js';
import {madeItems, notIn, wantedAndThere, withAdopted} from '../../lib/policy/state-file/owned.js';
import {aboutIn} from '../../lib/policy/state-file/records.js';
import {whoseText} from '../../lib/policy/model/difference.js';
import {asksServer} from '../../lib/policy/reading/part.js';
import {readWhole} from '../../lib/policy/sections/read-state.js';
import {wantedFor} from '../../lib/policy/reading/read-wanted.js';
import {counted} from '../../lib/json/text.js';

export default class StateAdopt extends PixelctlCommand {
  static override summary = 'Mark existing items as managed by a policy';
  static override description = `Records what exists and the policy wants as if apply had made it, so that apply removes it when the policy or its lists no longer name it. Writes the state file only. With several accounts, each has its own state file.

Prints what is adopted, as state list does.

Reads what the policy has rules for, as plan does, and the name of the account. It needs a token with the scope read.`;
  static override usage = '<%= command.id %> [SUBJECT...] --policy FILE [flags]';
  static override args = {
    SUBJECT: Args.string({
      description: 'domains, accounts, and titles or ids of filters; * matches any text',
      multiple: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {...policyFlag, ...selectionFlags, state: recordFlags.state, ...listFlags, ...accountsFlags};
  static override examples = [
    {
      description: 'Adopt everything that exists and that the policy wants',
      command: '<%= config.bin %> state adopt --all --policy moderation.yml',
    },
    {description: 'Adopt the subdomains of a domain', command: "<%= config.bin %> state adopt '*.bad.example' --policy moderation.yml"},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.startForAccounts(StateAdopt);
    const policy = await readPolicyAndLists(flags.policy, flags, session);
    await using opened = await openAccounts(flags, session);
    await checkAccounts([policy], opened, session);
    const accounts = await withServers(opened, meantBy([policy], flags.state), session);
    using files = new StateFiles(flags['dry-run']);
    const {found, failed} = await accounts.eachApart(async ({connection, owner}) => {
      const target = await targetOf(connection, flags, [policy], {owner});
      const {client, server, advice} = target;
      const wanted = wantedFor(policy, target);
      const records = await files.records(flags.policy, flags, {
        target,
        isOfSeveral: accounts.areNamed,
        server: asksServer(wanted.policy, undefined),
      });
      const state = await readWhole(client, server.origin, [...neededParts(wanted.policy)], target.own);
      const items = wantedAndThere(wanted, state, {now: target.now(), advice});
      return {records, items, host: server.host, who: whoseText(target), plan: advice.onPolicy('plan', flags.policy)};
    });
    const failure = accounts.failureOf(failed);
    const [first] = found;
    if (first === undefined && failure !== undefined) throw failure;
    const chosen = chosenOf(
      found.map(({value}) => value),
      {
        subjects: args.SUBJECT ?? [],
        isAll: flags.all,
        why: `${accounts.areNamed ? 'no account has it' : `${first?.value.who} does not have it`}, or ${flags.policy} does not want it`,
        hint: `see the differences: ${accounts.areNamed ? accounts.suggest(['plan'], {args: [flags.policy], flags: sameFlags(flags)}) : first?.value.plan}`,
      },
    );
    const adopted = found.flatMap(({value: {records}}, index) =>
      records.all.map(({file, record}) => ({file, record, items: notIn(aboutIn(record, chosen[index] ?? []), madeItems(record))})),
    );
    if (!flags['dry-run']) for (const {file, record, items} of adopted) await file.write(withAdopted(record, items));
    await printItems(
      adopted.flatMap(({file: {path}, record, items}) => items.map((item) => ({item, found: {path, record}}))),
      session,
    );
    const count = adopted.reduce((sum, {items}) => sum + items.length, 0);
    const known = chosen.flat().length - count;
    const more = known === 0 ? '' : `${counted(known, 'item was', 'items were')} recorded already`;
    noteWritten(count, ['adopt', 'Adopted'], {isDryRun: flags['dry-run'], more, session});
    if (failure !== undefined) throw failure;
  }
}
