import {Args, Flags} from '@oclif/core';
import {PixelctlCommand} from '../lib/cli/command.js';
import {connect} from '../lib/cli/connection.js';
import {printPlans} from '../lib/cli/dry-run.js';
import {accountsFlags, areSeveral} from '../lib/cli/flags.js';
import {listFlags} from '../lib/cli/list-access.js';
import {partFlags, partIn, refuseUnmatched} from '../lib/cli/policy-part.js';
import {
  carryOut,
  changeFlags,
  confirm,
  lockedAccount,
  protectionFlags,
  noteRemarks,
  plannedRequests,
  privateFlags,
  readPolicyAndLists,
  requireConsent,
  showPlan,
  stateFileIn,
  stateFlags,
  targetOf,
  unprotectedBy,
} from '../lib/cli/policy.js';
import {printingOf} from '../lib/cli/printing.js';
import {Failure} from '../lib/client/failure.js';
import {readTextFile} from '../lib/client/text-input.js';
import {applyChanges, readyFromPlan, readyFromPolicy} from '../lib/policy/apply.js';
import type {FindingJson} from '../lib/policy/difference.js';
import {finishApply} from '../lib/policy/ownership.js';
import {isKeptPlan, keptPlanOf, readKeptPlans} from '../lib/policy/plan-file.js';
import {refuseGuarded} from '../lib/policy/plan.js';
import {StateFile} from '../lib/policy/state-file.js';

/** Differences that the closing line names. */
const mostNamed = 5;

export default class Apply extends PixelctlCommand {
  static override summary = 'Apply a policy to an account';
  static override description = `Shows the plan, asks, and makes the changes one after the other, or with --only, --target and --except a part of them; filters are changed keyword by keyword. If it is interrupted, run it again: it checks what is done and does the rest. A plan saved with plan --out is applied unchanged, and refused (5) if the server has changed since or the plan does not fit the account, or (2) if it was edited. It names its policy in its own folder or below; else --policy or --state does. What pixelctl cannot change is printed with !, and the exit status is then 10.

The state file, POLICY.state.json unless --state names another, records what apply made, so that it can be removed when the policy no longer names it, and what existed before, for undo. Without it less is removed, never more. Many removals that no rule asks for by name (more than 20, or more than 10 % and at least 5) need --allow-removals. Domains that the policy protects need --block-protected; where protect_followed cannot be checked, nothing is blocked (5). A dry run reads, and changes nothing.

Several accounts are changed at the same time, each with a state file of its own; one that fails hides no other (11). With --json the results are {"account", "item"}. If one of them needs --allow-removals, nothing is sent to any.

Calls POST and DELETE /api/v1/domain_blocks, POST /api/v1/accounts/{id}/block, unblock, mute and unmute, POST /api/v2/filters, PUT and DELETE /api/v2/filters/{id} and POST /api/v1.1/push/disable, after reading what the policy needs. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, at most once a day. It needs a token with the scopes read, write and, for push, push.`;
  static override usage = '<%= command.id %> POLICY|PLAN [flags]';
  static override args = {
    POLICY: Args.string({description: 'a policy, or a plan saved with plan --out', required: true, ignoreStdin: true}),
  };
  static override flags = {
    'allow-removals': Flags.integer({description: 'allow this many removals that no rule asks for by name', helpValue: 'N', min: 0}),
    policy: Flags.string({
      description: 'the policy that a saved plan belongs to (default: as the plan says, in its folder or below)',
      helpValue: 'FILE',
    }),
    ...partFlags,
    ...stateFlags,
    ...listFlags,
    ...protectionFlags,
    ...privateFlags,
    ...changeFlags,
    ...accountsFlags,
  };
  static override examples = [
    {description: 'Review and confirm', command: '<%= config.bin %> apply moderation.yml'},
    {description: 'In a script', command: '<%= config.bin %> apply moderation.yml --yes --json'},
    {description: 'Show the requests without sending them', command: '<%= config.bin %> apply moderation.yml --dry-run'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.startForAccounts(Apply);
    const name = args.POLICY;
    const printing = await printingOf(session);
    const text = await readTextFile(name, `the policy ${name}`);
    requireConsent(session);
    const plans = isKeptPlan(text) ? readKeptPlans(text, name, flags) : undefined;
    if (plans === undefined && flags.policy !== undefined)
      throw new Failure('usage', `${name} is a policy: --policy is for plans saved with plan --out`);
    if (flags.policy !== undefined) await readTextFile(flags.policy, `the policy ${flags.policy}`);
    if (plans !== undefined && (partIn(flags) !== undefined || unprotectedBy(flags) !== undefined))
      throw new Failure('usage', `${name} is a plan: --only, --target, --except and --block-protected are for policies`, {
        hint: 'pass them to `pixelctl plan`',
      });
    const wanted = plans === undefined ? await readPolicyAndLists(name, flags, session) : undefined;
    if (areSeveral(flags)) {
      const {applySeveral} = await import('../lib/cli/fleet-apply.js');
      return applySeveral(wanted === undefined ? {plans: plans ?? [], name} : {wanted}, {flags, session});
    }
    await using connection = await connect(session);
    const target = await targetOf(connection, flags, wanted ? [wanted] : []);
    const kept = plans && keptPlanOf(plans, target);
    const policy = kept?.policy ?? name;
    const path = await stateFileIn(policy, flags, target);
    const readyFrom = (file: StateFile) => {
      if (kept !== undefined) return readyFromPlan(kept, file, target);
      if (wanted === undefined) throw new Error('There is neither a plan nor a policy');
      return readyFromPolicy(wanted, file, target);
    };
    if (session.dryRun) {
      const {changes, remarks} = await readyFrom(await StateFile.read(path));
      refuseUnmatched([remarks]);
      const {cannot = []} = remarks;
      if (session.format === 'table' && !session.flags.quiet) showPlan({changes: [], cannot}, session);
      noteRemarks(remarks, session);
      return printPlans(await plannedRequests(changes, connection), connection);
    }
    using file = await StateFile.lock(path);
    using _lock = await lockedAccount(path, [policy, flags, target]);
    const ready = await readyFrom(file);
    const {changes, guard, remarks, record} = ready;
    refuseUnmatched([remarks]);
    const {host} = connection.server;
    const left = remarks.cannot ?? [];
    if (changes.length === 0) {
      // An apply that was killed after its last change is finished, and what is gone is no longer owned.
      await file.write(finishApply(record));
      if (session.format === 'table' && !session.flags.quiet) showPlan({changes, cannot: left}, session);
      noteRemarks(remarks, session);
      if (kept !== undefined) session.note(`Nothing to do: every change of ${name} is made.`);
      else if (left.length === 0)
        session.note(`Nothing to do: no differences between ${host} and ${remarks.part ? 'this part of ' : ''}${policy}.`);
      await session.io.write(session.format === 'json' ? '[]\n' : '', 'data');
    } else {
      refuseGuarded(guard, flags['allow-removals']);
      await confirm(changes, remarks, `Apply ${policy} as`, connection);
      const run = {command: 'apply', flags, printing, connection};
      await applyChanges(ready, file, {at: target.now(), carryOut: (all, witness) => carryOut(all, run, witness)});
    }
    if (left.length === 0) return;
    throw leftover(
      left,
      `${host} still differs from ${policy}`,
      `see how to fix it: ${target.advice.onPolicy('plan', policy, kept?.part ?? partIn(flags))}`,
    );
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
