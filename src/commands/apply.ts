import {Args, Flags} from '@oclif/core';
import {type Accounts, type Member, openAccounts, type PerAccount} from '../lib/cli/accounts.js';
import {carryOut, changeAccounts, changeFlags, endsOf, type Job, requireConsent} from '../lib/cli/policy/changes.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {accountsFlags} from '../lib/cli/flags.js';
import {listFlags} from '../lib/cli/policy/list-access.js';
import {partFlags, partIn} from '../lib/cli/policy/part.js';
import {
  checkAccounts,
  type PolicyFlags,
  privateFlags,
  protectionFlags,
  readPolicyAndLists,
  sameFlags,
  targetOf,
  unprotectedBy,
} from '../lib/cli/policy/policy.js';
import {printingOf} from '../lib/cli/printing.js';
import {type Meant, meantBy, withServers} from '../lib/cli/policy/servers.js';
import {StateFiles, stateFlags} from '../lib/cli/policy/state-files.js';
import {Failure} from '../lib/client/failure.js';
import {readTextFile} from '../lib/client/text-input.js';
import {applyChanges, type Ready, readyFromPlan, readyFromPolicy} from '../lib/policy/plan/apply.js';
import type {FindingJson, Target} from '../lib/policy/model/difference.js';
import {finishApply} from '../lib/policy/state-file/ownership.js';
import {isKeptPlan, isOfServer, type KeptPlan, keptPlanOf, readKeptPlans} from '../lib/policy/plan/plan-file.js';
import {whoText} from '../lib/policy/plan/plan-text.js';
import {refuseGuarded} from '../lib/policy/plan/guard.js';
import {asksServer} from '../lib/policy/reading/part.js';
import {wantedFor} from '../lib/policy/reading/read-wanted.js';
import type {Records} from '../lib/policy/state-file/records.js';
import type {Wanted} from '../lib/policy/lists/wanted.js';
import {sections, sharedSections, writesOf} from '../lib/policy/sections/index.js';
import {counted, firstOf} from '../lib/json/text.js';

/** Differences that the closing line names. */
const maxNamed = 5;

export default class Apply extends PixelctlCommand {
  static override summary = 'Apply a policy to an account';
  static override description = `Shows the plan, asks, and makes the changes one at a time; filters are changed keyword by keyword. --only, --target and --except limit it to a part. If it is interrupted, run it again: it checks what is done and does the rest. A plan saved with plan --out is applied unchanged, and refused (5) if the server has changed since or the plan does not fit the account, or (2) if it was edited. A saved plan finds its policy in its own folder or below; otherwise, pass --policy or --state. Differences that pixelctl cannot change are printed with !, and then the exit status is 10.

The state file, POLICY.state.json unless --state names another, records what apply made, so that it can be removed when the policy no longer names it, and what existed before, for undo. Without it, apply may leave items in place that it made. Many removals that no rule asks for by name (more than 20, or more than 10 % and at least 5) need --allow-removals; in a saved plan every removal counts. More than 25 new suspensions for everybody on a server, of domains of which it knows accounts (of all, where it does not tell), need --allow-additions (5); in a saved plan all count. Domains that the policy protects need --block-protected; where protect_followed cannot be checked, nothing is sent (5). A dry run only reads.

Several accounts are changed at the same time, each with its own state file; if one fails, the others still run (11). With --json the results are {"account", "item"}. If one of them needs --allow-removals or --allow-additions, nothing is sent to any.

Calls ${writesOf(sections)}, after reading what the policy needs. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, unless they were read in the last ten minutes; where the limit of the server depends on its release, GET /api/v2.1/config or /api/v1/instance. It needs a token with the scopes read, write and, for push, push.`;
  static override usage = '<%= command.id %> POLICY|PLAN [flags]';
  static override args = {
    POLICY: Args.string({description: 'a policy, or a plan saved with plan --out', required: true, ignoreStdin: true}),
  };
  static override flags = {
    'allow-removals': Flags.integer({
      description: 'allow this many removals that no rule asks for by name, or that a saved plan has',
      helpValue: 'N',
      min: 0,
    }),
    'allow-additions': Flags.integer({
      description: 'allow this many new suspensions, for everybody on the server, of domains of which it knows accounts',
      helpValue: 'N',
      min: 0,
    }),
    policy: Flags.string({
      description: 'the policy that a saved plan belongs to (default: the one that the plan names)',
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
    const source = plans === undefined ? policySource(await readPolicyAndLists(name, flags, session)) : planSource(plans, name);
    await using opened = await openAccounts(flags, session);
    await checkAccounts(source.wanted, opened, session);
    const accounts = await withServers(opened, source.meant(flags.state), session);
    using files = new StateFiles(session.dryRun);
    const targetIn = async ({connection, owner}: Member): Promise<Target> => ({
      ...(await targetOf(connection, flags, source.wanted, {owner})),
      followed: () => connection.followed('applying'),
    });
    let prepared: readonly PerAccount<ApplyJob>[] = [];
    // Before any other request, so that a plan for other accounts reads nothing.
    const named = accounts.areNamed ? accounts.members.filter(({handle}) => handle !== undefined) : [];
    for (const member of named) source.of(await targetIn(member));
    const ended = await changeAccounts(
      {
        question: `Apply ${name} to`,
        async prepare(member) {
          const own = source.of(await targetIn(member));
          const {target, server} = own;
          const records = await files.recordsForApply(own.policy, flags, {target, isOfSeveral: accounts.areNamed, server});
          return jobOf(await own.ready(records), {own, target, showsPrivate: flags['show-private'] === true});
        },
        check(all) {
          prepared = all;
          if (session.dryRun) return;
          for (const {member, value} of all) {
            const named = (text: string | undefined) => (text !== undefined && accounts.areNamed ? `${member.account}: ${text}` : text);
            const {removals, why, unprotected, additions} = value.guard;
            refuseGuarded(
              {
                removals,
                why: named(why),
                unprotected: named(unprotected),
                additions: additions && {...additions, why: named(additions.why) ?? ''},
              },
              {removals: flags['allow-removals'], additions: flags['allow-additions']},
            );
          }
        },
      },
      accounts,
      {flags, printing, session},
    ).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Failure && error.code === 'drift') return error;
        throw error;
      },
    );
    const left = leftovers(prepared, accounts, flags);
    const failure = ended && left ? both(ended, left, accounts) : (ended ?? left);
    if (failure !== undefined) throw failure;
  }
}

/** What is applied to one account. */
interface Own {
  readonly target: Target;
  readonly policy: string;
  /** Whether it is about what the accounts of the server share; undefined: where an earlier apply was. */
  readonly server: boolean | undefined;
  readonly part: KeptPlan['part'];
  readonly question: string;
  /** Said when every change is made; undefined where differences that are left say it. */
  readonly nothing: (host: string, left: readonly FindingJson[]) => string | undefined;
  readonly ready: (records: Records) => Promise<Ready>;
}

/** A policy, or the plans of a file. */
interface Source {
  readonly wanted: readonly Wanted[];
  /** @param chosen the value of `--state` */
  readonly meant: (chosen: string | undefined) => Meant;
  /** @throws Failure `usage` when there is no plan for the account */
  readonly of: (target: Target) => Own;
}

function policySource(wanted: Wanted): Source {
  const {part, policy} = wanted;
  return {
    wanted: [wanted],
    meant: (chosen) => meantBy([wanted], chosen, part),
    of: (target) => ({
      target,
      policy: policy.file,
      server: asksServer(wantedFor(wanted, target).policy, part),
      part,
      question: `Apply ${policy.file} as`,
      nothing: (host, left) =>
        left.length === 0 ? `Nothing to do: no differences between ${host} and ${part ? 'this part of ' : ''}${policy.file}.` : undefined,
      ready: (records) => readyFromPolicy(wanted, records, target),
    }),
  };
}

function planSource(plans: readonly KeptPlan[], name: string): Source {
  return {
    wanted: [],
    meant: () => ({
      accounts: plans.some((one) => !isOfServer(one)),
      server: async ({origin}) => plans.some((one) => one.server === origin && isOfServer(one)),
    }),
    of(given) {
      const kept = keptPlanOf(plans, given);
      const server = sharedSections.some(({key}) => kept.parts.includes(key));
      // The plan of an account alone is about what it shares, too.
      const target = server && !isOfServer(kept) ? {...given, owner: undefined} : given;
      return {
        target,
        policy: kept.policy,
        server,
        part: kept.part,
        question: `Apply ${kept.policy} as`,
        nothing: () => `Nothing to do: every change of ${name} is made.`,
        ready: (records) => readyFromPlan(kept, records, target),
      };
    },
  };
}

interface ApplyJob extends Job, Pick<Ready, 'guard'> {
  readonly own: Own;
  readonly target: Target;
}

function jobOf(ready: Ready, {own, target, showsPrivate}: Pick<ApplyJob, 'own' | 'target'> & {readonly showsPrivate: boolean}): ApplyJob {
  const {changes, warnings, guard, records, state} = ready;
  const remarks = {...ready.remarks, showsPrivate};
  return {
    changes,
    ends: endsOf(changes, state),
    warnings: warnings.map((why) => ({subject: '', why})),
    remarks,
    guard,
    own,
    target,
    question: own.question,
    nothing: own.nothing(target.server.host, remarks.cannot ?? []),
    async carryOut(send) {
      if (changes.length > 0) return applyChanges(ready, {at: target.now(), carryOut: (all, witness) => carryOut(all, send, witness)});
      // An apply that was killed after its last change is finished, and what is gone is no longer owned.
      await records.changed(finishApply).write();
    },
  };
}

/** How it ends where limits hold something back, and something else cannot be changed. */
function both(held: Failure, left: Failure, {suggest}: Accounts): Failure {
  const all = [held, left].map((failure) => ({failure, hint: failure.hintFor(suggest)}));
  const hints = all.flatMap(({hint}) => hint ?? []);
  return new Failure('drift', `${held.message}; ${left.message}`, {
    hint: hints.join('; '),
    closing: all.flatMap(({failure, hint}) => failure.closingWith(hint) ?? []),
  });
}

/** `drift` when there is what no request of the API can change: it is a difference that stays. */
function leftovers(jobs: readonly PerAccount<ApplyJob>[], accounts: Accounts, flags: PolicyFlags): Failure | undefined {
  const different = jobs.filter(({value: {remarks}}) => (remarks.cannot ?? []).length > 0);
  const left = different.flatMap(({value: {remarks}}) => remarks.cannot ?? []);
  const [first] = different;
  if (first === undefined) return undefined;
  const {own, target} = first.value;
  const names = left.map(({rule, subject}) =>
    rule === 'config' ? subject : rule.startsWith(`${subject}.`) || rule.endsWith(`.${subject}`) ? rule : `${rule} ${subject}`,
  );
  const named = firstOf(names, maxNamed);
  const plan = accounts.areNamed
    ? accounts.suggest(['plan'], {args: [own.policy], flags: sameFlags(flags)})
    : target.advice.onPolicy('plan', own.policy, own.part);
  const indexes = jobs.flatMap((job, index) => (different.includes(job) ? [index] : []));
  const who = whoText(
    indexes,
    jobs.map(({member}) => member.account),
  );
  const what = `in ${left.length} that pixelctl cannot change`;
  const message = accounts.areNamed
    ? `${different.map(({member}) => member.account).join(', ')} still ${different.length === 1 ? 'differs' : 'differ'} from ${own.policy} ${what}`
    : `${target.server.host} still differs from ${own.policy} ${what}: ${named}`;
  return new Failure('drift', message, {
    hint: `see how to fix it: ${plan}`,
    closing: [
      `${counted(left.length, 'difference')} left${accounts.areNamed ? ` ${who}` : ''} that pixelctl cannot change: ${named}.`,
      `To see how to fix it: ${plan}`,
    ],
  });
}
