import {Args} from '@oclif/core';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {connect} from '../../lib/cli/connection.js';
import {listFlags} from '../../lib/cli/list-access.js';
import {readPolicyAndLists, targetOf} from '../../lib/cli/policy.js';
import {stateFileIn} from '../../lib/cli/state-files.js';
import {chosenItems, policyFlag, printItems, recordFlags, selectionFlags} from '../../lib/cli/state.js';
import {knownAccount} from '../../lib/policy/difference.js';
import {neededParts} from '../../lib/policy/plan.js';
import {notIn, ownedItems, wantedAndThere, withAdopted} from '../../lib/policy/owned.js';
import {counted} from '../../lib/policy/reports/text.js';
import {nameInState, StateFile} from '../../lib/policy/state-file.js';
import {readWhole} from '../../lib/policy/state.js';
import {wantedFor} from '../../lib/policy/wanted.js';

export default class StateAdopt extends PixelctlCommand {
  static override summary = 'Let apply remove what existed before it';
  static override description = `Records what exists and the policy wants as if apply had made it, so that apply removes it when the policy or its lists no longer name it. Writes the state file only.

Prints what is adopted, as state list does.

Reads what the policy has rules for, as plan does, and the name of the account. It needs a token with the scope read.`;
  static override usage = '<%= command.id %> [SUBJECT...] --policy FILE [flags]';
  static override args = {
    SUBJECT: Args.string({
      description: 'domains, accounts, and titles or ids of filters; * stands for any text',
      multiple: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {...policyFlag, ...selectionFlags, state: recordFlags.state, ...listFlags};
  static override examples = [
    {
      description: 'Adopt all that the policy wants and that exists',
      command: '<%= config.bin %> state adopt --all --policy moderation.yml',
    },
    {description: 'Adopt the subdomains of a domain', command: "<%= config.bin %> state adopt '*.bad.example' --policy moderation.yml"},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(StateAdopt);
    const policy = await readPolicyAndLists(flags.policy, flags, session);
    await using connection = await connect(session);
    const target = await targetOf(connection, flags, [policy]);
    const {client, server, account, advice} = target;
    const path = await stateFileIn(flags.policy, flags, target);
    using file = flags['dry-run'] ? await StateFile.read(path) : await StateFile.lock(path);
    const record = file.recordOf({server: server.origin, account, policy: nameInState(flags.policy, path)});
    const wanted = wantedFor(policy, target);
    const state = await readWhole(client, server.origin, [...neededParts(wanted.policy)]);
    const there = wantedAndThere(wanted, state, {now: target.now(), advice, account: knownAccount(account)});
    const chosen = chosenItems(there, {
      subjects: args.SUBJECT ?? [],
      isAll: flags.all,
      host: server.host,
      why: `${account} on ${server.host} does not have it, or ${flags.policy} does not want it`,
      hint: `see the differences: ${advice.onPolicy('plan', flags.policy)}`,
    });
    const items = notIn(chosen, ownedItems(record));
    if (!flags['dry-run']) await file.write(withAdopted(record, items));
    await printItems(
      items.map((item) => ({item, found: {path, record}})),
      session,
    );
    const known = chosen.length - items.length;
    const rest = known === 0 ? '' : ` ${counted(known, 'item was', 'items were')} recorded already.`;
    session.note(
      flags['dry-run']
        ? `Nothing was written: ${counted(items.length, 'item')} to adopt.${rest}`
        : `Adopted ${counted(items.length, 'item')}.${rest}`,
    );
  }
}
