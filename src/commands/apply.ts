import {Args, Flags} from '@oclif/core';
import {applySource, guardFlags, policySource, type PlanSource} from '../lib/cli/policy/applying.js';
import {changeFlags, requireConsent} from '../lib/cli/policy/changes.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {accountsFlags, relationsFlags} from '../lib/cli/flags.js';
import {listFlags} from '../lib/cli/policy/list-access.js';
import {filesOf, partFlags, partIn, planReportFlags, refuseOverwrites} from '../lib/cli/policy/part.js';
import {
  commentsFor,
  type PolicyFlags,
  privateFlags,
  protectionFlags,
  readPolicyAndLists,
  refuseWithoutEffect,
} from '../lib/cli/policy/policy.js';
import {printingOfOwn} from '../lib/cli/printing.js';
import {resultsView} from '../lib/run/results.js';
import {relationsFile} from '../lib/cli/relations.js';
import type {Session} from '../lib/cli/session.js';
import {stateFlags} from '../lib/cli/policy/state-files.js';
import {Failure} from '../lib/client/failure.js';
import {stateFileFor} from '../lib/policy/state-file/paths.js';
import {readTextFile} from '../lib/client/text-input.js';
import {readyFromPlan} from '../lib/policy/plan/apply.js';
import {isNamedByHost} from '../lib/policy/model/difference.js';
import {isKeptPlan, type KeptPlan, keptPlanOf, readKeptPlans} from '../lib/policy/plan/plan-file.js';
import {sections, sharedSections, writesOf} from '../lib/policy/sections/index.js';

export default class Apply extends PixelctlCommand {
  static override summary = 'Apply a policy to an account';
  static override description = `Shows the plan, asks, and makes the changes one at a time; filters are changed keyword by keyword. --only, --target and --except limit it to a part. If it is interrupted, run it again: it checks what is done and does the rest. A plan saved with plan --out is applied unchanged, and refused (5) if the server has changed since, the plan does not fit the account, or the last day of an entry is over, or (2) if it was edited. A saved plan finds its policy in its own folder or below; otherwise, pass --policy or --state. Differences that pixelctl cannot change are printed with !, and then the exit status is 10.

The state file, POLICY.state.json unless --state names another, records what apply made, so that it can be removed when the policy no longer names it, and what existed before, for undo. While it runs, POLICY.state.json.log goes with it. Without them, apply may leave items in place that it made. Many removals that no rule asks for by name (more than 20, or more than 10 % and at least 5) need --allow-removals; in a saved plan every removal counts. More than 25 new suspensions for everybody on a server, of domains of which it knows accounts (of all, where it does not tell), need --allow-additions (5); in a saved plan all count. Domains that the policy protects need --block-protected; where protect_followed cannot be checked, nothing is sent (5). A dry run only reads: it shows the requests also where an apply would need --allow-removals or --allow-additions.

With --save-relations, FILE keeps whom you follow on the domains that are blocked and on their subdomains, and who follows you from there. It is written before the first change is sent; if that fails, nothing is sent. What FILE has already stays, so it can be used again, and by several accounts. It is refused (2) for admin_domain_blocks, because it sees the follows of one account.

Several accounts are changed at the same time, each with its own state file; if one fails, the others still run (11). With --json the results are {"account", "item"}. If one of them needs --allow-removals or --allow-additions, nothing is sent to any.

Calls ${writesOf(sections)}, after reading what the policy needs. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, unless they were read in the last ten minutes; with --save-relations, both where domains are blocked; where the limit of the server depends on its release, GET /api/v2.1/config or /api/v1/instance. It needs a token with the scopes read, write and, for push, push; for what a whole server blocks, that of an admin.`;
  static override usage = '<%= command.id %> POLICY|PLAN [flags]';
  static override args = {
    POLICY: Args.string({description: 'a policy, or a plan saved with plan --out', required: true, ignoreStdin: true}),
  };
  static override flags = {
    ...guardFlags,
    policy: Flags.string({
      description: 'the policy that a saved plan belongs to (default: the one that the plan names)',
      helpValue: 'FILE',
    }),
    ...planReportFlags,
    ...partFlags,
    ...stateFlags,
    ...listFlags,
    ...protectionFlags,
    ...privateFlags,
    ...relationsFlags,
    ...changeFlags,
    ...accountsFlags,
  };
  static override examples = [
    {description: 'Review and confirm', command: '<%= config.bin %> apply moderation.yml'},
    {description: 'In a script', command: '<%= config.bin %> apply moderation.yml --yes --json'},
    {
      description: 'Keep a list of whom you follow on the domains, and who follows you from there',
      command: '<%= config.bin %> apply moderation.yml --save-relations relations.ndjson',
    },
    {description: 'Show the requests without sending them', command: '<%= config.bin %> apply moderation.yml --dry-run'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.startForAccounts(Apply);
    const name = args.POLICY;
    const {'save-relations': saved} = flags;
    const relationsTo = saved === undefined ? undefined : relationsFile(saved);
    const printing = await printingOfOwn(resultsView, session);
    const text = await readTextFile(name, `the policy ${name}`);
    requireConsent(session);
    const plans = isKeptPlan(text) ? readKeptPlans(text, name, {...flags, comments: commentsFor(flags)}) : undefined;
    if (plans === undefined && flags.policy !== undefined)
      throw new Failure('usage', `${name} is a policy: --policy is for plans saved with plan --out`);
    if (flags.policy !== undefined) await readTextFile(flags.policy, `the policy ${flags.policy}`);
    if (plans !== undefined && (partIn(flags) !== undefined || flags['block-protected'] !== undefined))
      throw new Failure('usage', `${name} is a plan: --only, --target, --except and --block-protected are for policies`, {
        hint: 'pass them to `pixelctl plan`',
      });
    if (plans !== undefined) refuseWithoutEffect(flags, ({key}) => plans.some(({parts}) => parts.includes(key)), name);
    const reports = flags.report && new (await import('../lib/cli/policy/plan-report.js')).PlanReports(flags.report, name);
    const outputs = reports?.files ?? [];
    await refuseOverwrites([...outputs, ...(relationsTo === undefined ? [] : [relationsTo])], [name, stateFileFor(name, flags.state)]);
    const read = () => fromPolicy(name, flags, session);
    const source = plans !== undefined ? planSource(plans, name) : await (reports ? reports.reading(read, session) : read());
    await refuseOverwrites(outputs, source.wanted.flatMap(filesOf));
    await applySource(source, {question: `Apply ${name} to`, flags, printing, session, relationsTo, reports});
  }
}

const left = 'that pixelctl cannot change';

async function fromPolicy(name: string, flags: PolicyFlags, session: Session): Promise<PlanSource> {
  const wanted = await readPolicyAndLists(name, flags, session);
  const {part, policy} = wanted;
  return policySource(wanted, {name: `${part ? 'this part of ' : ''}${policy.file}`, question: `Apply ${policy.file} as`, left});
}

function planSource(plans: readonly KeptPlan[], name: string): PlanSource {
  return {
    wanted: [],
    meant: () => ({
      accounts: async () => plans.some((one) => !isNamedByHost(one)),
      async server({origin}) {
        const parts = plans.filter((one) => one.server === origin && isNamedByHost(one)).flatMap((one) => one.parts);
        return sharedSections.filter(({key}) => parts.includes(key));
      },
    }),
    of(given) {
      const kept = keptPlanOf(plans, given);
      const server = sharedSections.some(({key}) => kept.parts.includes(key));
      // The plan of an account alone is about what it shares, too.
      const target = server && !isNamedByHost(kept) ? {...given, owner: undefined} : given;
      return {
        target,
        policy: kept.policy,
        name: kept.policy,
        server,
        part: kept.part,
        question: `Apply ${kept.policy} as`,
        left,
        nothing: () => `Nothing to do: every change of ${name} is made.`,
        ready: (records) => readyFromPlan(kept, records, target),
      };
    },
  };
}
