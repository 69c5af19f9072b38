import {Args, Flags} from '@oclif/core';
import {connect, type Connection} from '../lib/cli/connection.js';
import {PixelctlCommand, type Typed} from '../lib/cli/command.js';
import {accountOf} from '../lib/cli/policy/account.js';
import {applyChanges} from '../lib/cli/policy/applying.js';
import {plannedRequests} from '../lib/cli/policy/carry-out.js';
import {adviceFor, changeFlags, listFlags, stateFlags} from '../lib/cli/policy/flags.js';
import {type Intent, intentOf} from '../lib/cli/policy/intent.js';
import {agreeOn, requireSomebody, showPlan, tellRemarks} from '../lib/cli/policy/showing.js';
import {StateFile, whileLocked} from '../lib/cli/policy/state-file.js';
import {printPlans} from '../lib/cli/dry-run.js';
import {printingOf} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';
import {Failure} from '../lib/client/failure.js';
import {readTextFile} from '../lib/client/text-input.js';
import type {FindingJson} from '../lib/policy/difference.js';
import {finishApply, lastApply} from '../lib/policy/ownership.js';
import {refuseRemovals} from '../lib/policy/plan.js';

/** Differences that the closing line names. */
const mostNamed = 5;

export default class Apply extends PixelctlCommand {
  static override summary = 'Apply a policy to an account';
  static override description = `Shows the plan, asks, and makes the changes one after the other; filters are changed keyword by keyword. If it is interrupted, run it again: it checks what is done and does the rest. A plan saved with plan --out is applied as it is, and refused (5) if the server has changed since. What pixelctl cannot change is printed with !, and the exit status is then 10.

The state file, POLICY.state.json unless --state names another, records what was made, so that it can be removed once the policy no longer names it, and what was there before, for undo. Without it less is removed, never more. Many removals that no rule asks for by name (more than 20, or more than 10 % and at least 5) need --allow-removals. A dry run reads, and changes nothing.

Calls POST and DELETE /api/v1/domain_blocks, POST /api/v1/accounts/{id}/block, unblock, mute and unmute, POST /api/v2/filters, PUT and DELETE /api/v2/filters/{id} and POST /api/v1.1/push/disable, after reading what the policy needs. It needs a token with the scopes read, write and, for push, push.`;
  static override usage = '<%= command.id %> POLICY|PLAN [flags]';
  static override args = {
    POLICY: Args.string({description: 'a policy, or a plan saved with plan --out', required: true, ignoreStdin: true}),
  };
  static override flags = {
    'allow-removals': Flags.integer({description: 'allow this many removals that no rule asks for by name', helpValue: 'N', min: 0}),
    ...stateFlags,
    ...listFlags,
    ...changeFlags,
  };
  static override examples = [
    {description: 'Review and confirm', command: '<%= config.bin %> apply moderation.yml'},
    {description: 'In a script', command: '<%= config.bin %> apply moderation.yml --yes --json'},
    {description: 'Show the requests without sending them', command: '<%= config.bin %> apply moderation.yml --dry-run'},
  ];

  protected override async execute(typed: Typed, session: Session): Promise<void> {
    const printing = await printingOf(session);
    const file = String(typed.args['POLICY']);
    const text = await readTextFile(file, `the policy ${file}`);
    requireSomebody(session);
    const intent = await intentOf(file, text, typed, session);
    const connection = await connect(session);
    try {
      const account = await accountOf(connection);
      if (session.dryRun) return await this.#showRequests(intent, account, connection);
      await whileLocked(intent.stateFile, () => this.#apply(intent, account, {typed, printing, connection}));
    } finally {
      await connection.close();
    }
  }

  async #showRequests(intent: Intent, account: string, connection: Connection): Promise<void> {
    const {changes, remarks} = await intent.plan(await StateFile.read(intent.stateFile), account, connection);
    const {cannot = []} = remarks;
    if (connection.session.format === 'table' && !connection.session.flags.quiet) showPlan({changes: [], cannot}, connection.session);
    tellRemarks(remarks, connection.session);
    await printPlans(await plannedRequests(changes, connection), connection);
  }

  async #apply(
    intent: Intent,
    account: string,
    {
      typed,
      printing,
      connection,
    }: {readonly typed: Typed; readonly printing: Awaited<ReturnType<typeof printingOf>>; readonly connection: Connection},
  ): Promise<void> {
    const {args, flags} = typed;
    const {session} = connection;
    const file = await StateFile.read(intent.stateFile);
    const ready = await intent.plan(file, account, connection);
    const {changes, guard, remarks, record, kept} = ready;
    const {host} = connection.server;
    const left = remarks.cannot ?? [];
    if (changes.length === 0) {
      // One that was killed after its last change had nothing left but to say so.
      if (lastApply(record)?.isFinished === false) await file.write(finishApply(record));
      if (session.format === 'table' && !session.flags.quiet) showPlan({changes, cannot: left}, session);
      tellRemarks(remarks, session);
      if (kept !== undefined) session.note(`Nothing to do: every change of ${args['POLICY']} is made.`);
      else if (left.length === 0) session.note(`Nothing to do: no differences between ${host} and ${intent.name}.`);
      await session.io.write(session.format === 'json' ? '[]\n' : '', 'data');
    } else {
      const allowed = flags['allow-removals'];
      refuseRemovals(guard, typeof allowed === 'number' ? allowed : undefined);
      await agreeOn(changes, remarks, `Apply ${intent.name} as`, connection);
      await applyChanges(ready, {file, run: {command: 'apply', flags, printing, connection}});
    }
    if (left.length === 0) return;
    const advice = adviceFor(connection, typed);
    throw leftover(left, `${host} still differs from ${intent.name}`, `see how to fix it: ${advice.onPolicy('plan', intent.name)}`);
  }
}

/** What no request of the API can change is a difference that stays. */
function leftover(left: readonly FindingJson[], what: string, hint: string): Failure {
  const names = left
    .slice(0, mostNamed)
    .map(({rule, subject}) =>
      rule === 'config' ? subject : rule.startsWith(`${subject}.`) || rule.endsWith(`.${subject}`) ? rule : `${rule} ${subject}`,
    );
  const rest = left.length - names.length;
  return new Failure(
    'drift',
    `${what} in ${left.length} that pixelctl cannot change: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    {hint},
  );
}
