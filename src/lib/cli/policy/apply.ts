/** Applies a policy, or the plans of a file, to accounts: shows the plan, asks, makes the changes, and says what is left. */
import {hintFor} from '../errors.js';
import {join} from 'node:path';
import type {Accounts, Member, PerAccount} from '../accounts.js';
import type {GivenFlags} from '../flags.js';
import {carryOut, changeAccounts, changeFlags, endsOf, type AccountChanges, requireConsent} from './changes.js';
import {commentsFor, type PolicyFlags, refuseWithoutEffect, sameFlags} from './flags.js';
import {planReportsOf, refuseOverwrites} from './part.js';
import {
  adviceOf,
  applyChanges,
  sourceFiles,
  finishApply,
  fullName,
  isKeptPlan,
  type KeptPlan,
  type Own,
  type PlanReports,
  type PlanSource,
  plansSource,
  policySource,
  readKeptPlans,
  type Ready,
  refuseGuarded,
  stateFileFor,
  StateFiles,
  type Target,
  whoText,
} from '../../policy/index.js';
import type {PolicyRun} from './run.js';
import {type Printing, printingOfOwn} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {makeTemporaryFolder} from '../../files/folder.js';
import {counted, firstOf} from '../../json/text.js';
import {resultsView} from '../../run/index.js';

/** Differences that the closing line names. */
const maxNamed = 5;

export type GuardedFlags = GivenFlags<typeof changeFlags> & PolicyFlags;
type ApplyFlags = GuardedFlags & {readonly report?: readonly string[] | undefined};

/** @param name of a policy, or of a plan that was saved @throws Failure as {@link applySource} */
export async function apply(name: string, run: PolicyRun<ApplyFlags>): Promise<void> {
  const {flags, session} = run;
  const printing = await printingOfOwn(resultsView, session);
  const text = await session.io.read(name, `the policy ${name}`);
  requireConsent(session);
  const plans = isKeptPlan(text) ? readKeptPlans(text, name, {...flags, comments: commentsFor(flags)}) : undefined;
  refuseOther(name, plans, flags);
  const reports = await planReportsOf(flags, name);
  const outputs = reports?.files ?? [];
  await refuseOverwrites(outputs, [name, stateFileFor(name, flags.state)]);
  const read = () => fromPolicy(name, text, run);
  const source = plans !== undefined ? plansSource(plans, name, left) : await (reports ? reports.reading(read, session.io.now) : read());
  await refuseOverwrites(outputs, source.wanted.flatMap(sourceFiles));
  const how = {question: `Apply ${name} to`, printing, reports};
  if (name !== '-' || flags.state !== undefined) return applySource(source, run, how);
  // A policy without a name keeps no state: what the run records goes with it.
  await using folder = await makeTemporaryFolder();
  await applySource(source, run, {...how, state: join(folder.path, 'state.json')});
}

/** What a plan was made with. */
const policyFlags = ['only', 'allow-remote-lists', 'allow-outside'] as const;

/** @throws Failure `usage` for flags that are for policies, with plans */
function refuseOther(name: string, plans: readonly KeptPlan[] | undefined, flags: ApplyFlags): void {
  if (plans === undefined) return;
  if (name === '-' && flags.state === undefined)
    throw new Failure('usage', 'A plan from standard input needs a state file: nothing was sent', {hint: 'name one with --state'});
  const given = policyFlags.find((flag) => flags[flag] !== undefined && flags[flag] !== false);
  if (given !== undefined)
    throw new Failure('usage', `${name} is a plan: --${given} is for policies`, {hint: 'pass it to `pixelctl plan`'});
  refuseWithoutEffect(flags, ({key}) => plans.some(({parts}) => parts.includes(key)), name);
}

const left = 'that pixelctl cannot change';

async function fromPolicy(name: string, text: string, run: PolicyRun): Promise<PlanSource> {
  const wanted = await run.read(name, {text});
  const {part, policy} = wanted;
  const meant = `${part ? 'this part of ' : ''}${policy.file}`;
  const agreed = (host: string) => `Nothing to do: no differences between ${host} and ${meant}.`;
  return policySource(wanted, {name: meant, question: `Apply ${policy.file} as`, left, agreed});
}

interface Around {
  /** Begins the question about several accounts: `Apply p.yml to`. */
  readonly question: string;
  readonly printing: Printing;
  /** Say what is about to be changed. */
  readonly reports?: PlanReports | undefined;
  /** The state file of the run, where it is not the one that is kept. */
  readonly state?: string | undefined;
  /** Why there is a difference whatever becomes of it. */
  readonly beyond?: Failure | undefined;
}

/**
 * Applies it to the accounts that the flags name.
 * @throws Failure as {@link changeAccounts}; `drift` when differences are left
 */
export async function applySource(
  source: PlanSource,
  run: PolicyRun<GuardedFlags>,
  {question, printing, reports, state, beyond}: Around,
): Promise<void> {
  const {flags, session} = run;
  const accounts = await run.accounts(source.wanted, 'write', source.meant(flags.state));
  using files = new StateFiles(session.dryRun);
  const targetIn = async (member: Member): Promise<Target> => ({
    ...(await run.target(member, source.wanted)),
    followed: () => member.connection.followed('applying'),
  });
  let prepared: readonly PerAccount<ApplyJob>[] = [];
  // Before any other request, so that a plan for other accounts reads nothing.
  const named = accounts.areNamed ? accounts.members.filter(({handle}) => handle !== undefined) : [];
  for (const member of named) source.of(await targetIn(member));
  const ended = await changeAccounts(
    {
      question,
      async prepare(member) {
        const own = source.of(await targetIn(member));
        const {target, server} = own;
        const records = await files.recordsForApply(
          own.policy,
          {state: state ?? flags.state},
          {target, isOfSeveral: accounts.areNamed, server},
        );
        return jobOf(await own.ready(records), own, target);
      },
      async planned(all, failed) {
        await reports?.write(
          accounts.members.map((member) => {
            const own = all.find((one) => one.member === member)?.value;
            return {
              account: own === undefined ? member.account : fullName(own.target),
              plan: own && {...own.remarks, changes: own.changes, guard: own.guard},
              why: failed.find(({account}) => account === member.account)?.failure.message,
            };
          }),
        );
      },
      check(all) {
        prepared = all;
        if (session.dryRun) return;
        const allowed = {removals: flags['allow-removals'], additions: flags['allow-additions']};
        for (const {member, value} of all) refuseGuarded(value.guard, allowed, accounts.areNamed ? member.account : undefined);
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
  const differences = [ended, left, beyond].filter((one) => one !== undefined);
  if (differences.length > 0) throw differences.reduce((one, other) => both(one, other, accounts));
}

interface ApplyJob extends AccountChanges, Pick<Ready, 'guard'> {
  readonly own: Own;
  readonly target: Target;
}

function jobOf(ready: Ready, own: Own, target: Target): ApplyJob {
  const {changes, warnings, guard, records, remarks, state} = ready;
  return {
    changes,
    ends: endsOf(changes, state),
    warnings: warnings.map((why) => ({why})),
    remarks,
    guard,
    own,
    target,
    question: own.question,
    left: own.left,
    nothing: own.nothing(target.server.host, remarks.cannot ?? []),
    async carryOut(send) {
      const advisesPolicy = own.remedy === undefined;
      if (changes.length > 0)
        return applyChanges(ready, {at: target.now(), carryOut: (all, witness) => carryOut(all, send, {witness, advisesPolicy})});
      // An apply that was killed after its last change is finished, and what is gone is no longer owned.
      await records.changed(finishApply).write();
    },
  };
}

/** How it ends where there are differences of several kinds: limits hold something back, and something else cannot be changed. */
function both(held: Failure, left: Failure, {inUse}: Accounts): Failure {
  const all = [held, left].map((failure) => ({failure, hint: hintFor(failure, inUse)}));
  const hints = all.flatMap(({hint}) => hint ?? []);
  return new Failure('drift', held.messageWith(`; ${left.message}`), {
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
  const names = left.map(({rule, subject}) => (rule.endsWith(`.${subject}`) ? rule : `${rule} ${subject}`));
  const named = firstOf([...new Set(names)], maxNamed);
  const plan = accounts.areNamed
    ? adviceOf(accounts.inUse.flags, sameFlags(flags)).onPolicy('plan', own.policy)
    : target.advice.onPolicy('plan', own.policy, own.part);
  const indexes = jobs.flatMap((job, index) => (different.includes(job) ? [index] : []));
  const who = whoText(
    indexes,
    jobs.map(({member}) => member),
  );
  const what = `in ${left.length} ${own.left}`;
  const message = accounts.areNamed
    ? `${different.map(({member}) => member.account).join(', ')} still ${different.length === 1 ? 'differs' : 'differ'} from ${own.name} ${what}`
    : `${target.server.host} still differs from ${own.name} ${what}: ${named}`;
  return new Failure('drift', message, {
    hint: own.remedy ?? `see how to fix it: ${plan}`,
    closing: [
      `${counted(left.length, 'difference')} left${accounts.areNamed ? ` ${who}` : ''} ${own.left}: ${named}.`,
      own.remedy === undefined ? `To see how to fix it: ${plan}` : `To fix it: ${own.remedy}`,
    ],
  });
}
