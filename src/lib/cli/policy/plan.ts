/** What `plan` does: plans a policy for each account, and shows the plans with their digest. */
import type {Gathered, Member, PerAccount} from '../accounts.js';
import {accountPlans, naming} from './changes.js';
import {type PolicyFlags, refuseOverwrites, sameFlags} from './flags.js';
import {PlanReports, reportedPlans} from './plan-reports.js';
import type {PolicyRun} from './run.js';
import {
  aboutOf,
  adviceOf,
  compareAccount,
  countsText,
  flagsToAllow,
  guardTexts,
  heldTexts,
  type Plan,
  planClosing,
  planDigest,
  planDocument,
  planOf,
  plansText,
  policyViews,
  type PolicyWithLists,
  rowJson,
  sourceFiles,
  type States,
  type Target,
} from '../../policy/index.js';
import {printResult} from '../print-result.js';
import {printingOfOwn} from '../sink.js';
import type {Session} from '../session.js';
import {asFailure, Failure} from '../../client/failure.js';
import {countNoun} from '../../json/text.js';
import {LongDocument} from '../../print/print.js';

type PlanFlags = PolicyFlags & {readonly report?: readonly string[] | undefined};

/** The plan of one account. */
interface PlannedAccount {
  readonly plan: Plan;
  /** Whether its states could be read: else there is no digest. */
  readonly isWhole: boolean;
}

/** @throws Failure `drift` when something differs; that of an account that cannot be read, of several `partial` */
export async function plan(policy: string, run: PolicyRun<PlanFlags>): Promise<void> {
  const {flags, session} = run;
  await printingOfOwn(policyViews.changes(true), session);
  const reports = new PlanReports(flags.report ?? [], policy);
  await refuseOverwrites(reports.files, [policy]);
  const given = await reports.reading(() => run.read(policy), session.io.now);
  await refuseOverwrites(reports.files, sourceFiles(given));
  const accounts = await run.accounts([given], 'read');
  const plans = await accounts.gather((member) => planAccount(given, member, run));
  const {found, failed, noun} = plans;
  const isWhole = failed.length === 0 && found.every(({value}) => value.isWhole);
  const digest = isWhole ? planDigest(found.map(({value: {plan: own}}) => own.comparison)) : undefined;
  const drift = driftOf(plans, {policy, flags, digest});
  await reports.write(reportedPlans(plans), {noun, commands: drift?.exactly === undefined ? [] : [drift.exactly]});
  await show(plans, {policy, session, digest});
  const failure = plans.failure ?? drift?.failure;
  if (failure !== undefined) throw failure;
}

/** The states of a policy; where one cannot be read, nothing is owned, and people are told. */
export async function statesOrNone(
  given: PolicyWithLists,
  target: Target,
  run: PolicyRun,
): Promise<{readonly states: States; readonly isWhole: boolean}> {
  try {
    return {states: await run.states(given, target), isWhole: true};
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code !== 'local') throw error;
    run.session.warn(`${failure.message.replace(/: nothing was sent$/, '')}: nothing counts as made by apply`);
    return {states: {}, isWhole: false};
  }
}

async function planAccount(given: PolicyWithLists, member: Member, run: PolicyRun<PlanFlags>): Promise<PlannedAccount> {
  const target = await run.target(member, [given], true);
  const {states, isWhole} = await statesOrNone(given, target, run);
  return {plan: planOf(await compareAccount(given, target, states)), isWhole};
}

interface Shown {
  /** The name of its file. */
  readonly policy: string;
  readonly session: Session;
  readonly digest: string | undefined;
}

async function show(plans: Gathered<PlannedAccount>, {policy, session, digest}: Shown): Promise<void> {
  const {found, noun} = plans;
  const isOne = noun === undefined;
  await printResult(
    {
      document: async () => (isOne ? documentOf(found, digest) : documentOfSeveral(plans, {policy, digest})),
      ...((!isOne || session.flags.fields !== undefined) && {rows: rowsOf(found)}),
      text: plansText(
        accountPlans(plans, (one) => one.plan),
        {noun, terminal: session.out},
      ),
      view: policyViews.changes(!isOne),
    },
    session,
  );
  if (!session.traits.hasNotes) return;
  for (const {member, value} of found) {
    const named = naming(member);
    for (const text of heldTexts(value.plan.held, value.plan.shown)) session.note(named(text));
    for (const text of guardTexts(value.plan.guard)) session.warn(named(text));
  }
  if (isOne && !found.some(isDifferent)) session.note('Nothing to do.');
}

function documentOf([first]: readonly PerAccount<PlannedAccount>[], digest: string | undefined): LongDocument {
  if (first === undefined) throw new Error('There is no plan');
  return planDocument(first.value.plan, digest);
}

/** A document for each account, with an error for those that failed. */
function documentOfSeveral({all}: Gathered<PlannedAccount>, {policy, digest}: Pick<Shown, 'digest' | 'policy'>): LongDocument {
  const items = all.map((one) => {
    if ('value' in one) return planDocument(one.value.plan, digest);
    const {member, failure} = one;
    const about = aboutOf({server: member.connection.server, account: member.acct, owner: member.owner}, policy);
    return {...about, error: {code: failure.code, message: failure.message}};
  });
  return new LongDocument('[', items, ']');
}

/** One row a change. */
function* rowsOf(found: readonly PerAccount<PlannedAccount>[]): Generator<object> {
  for (const {value} of found)
    for (const row of value.plan.changes) yield {...value.plan.comparison.about, ...rowJson(row, value.plan.shown)};
}

const isDifferent = ({value: {plan: own}}: PerAccount<PlannedAccount>): boolean => own.changes.length + own.cannot.length > 0;

/** How it ends when something differs, and the command that applies exactly this; undefined when nothing does. */
function driftOf(
  {all, found, noun, inUse}: Gathered<PlannedAccount>,
  {policy, flags, digest}: {readonly policy: string; readonly flags: PlanFlags; readonly digest: string | undefined},
): {readonly failure: Failure; readonly exactly: string | undefined} | undefined {
  const different = found.filter(isDifferent);
  const [first] = different;
  if (first === undefined) return undefined;
  const {comparison, shown} = first.value.plan;
  const plans = different.map(({value}) => value.plan);
  const {only} = comparison.given;
  const advice = noun === undefined ? shown.advice : adviceOf(inUse.flags, sameFlags(flags));
  const more = only && {only: only.join()};
  const command = advice.onPolicy('apply', policy, {...more, ...flagsToAllow(plans.map(({guard}) => guard))});
  const exactly = digest === undefined ? undefined : advice.onPolicy('apply', policy, {expect: digest, ...more});
  const {host} = comparison.target.server;
  const who = noun === undefined ? `${host} differs` : `${different.length} of ${countNoun(all.length, ...noun)} differ`;
  const isRefused = plans.some(({guard}) => guard.unprotected !== undefined);
  const [next, rest] = isRefused
    ? ['Run', ' plan again when the server responds: apply refuses this plan; --only applies other parts of it']
    : plans.every(({changes}) => changes.length === 0)
      ? ['See', ' the lines that begin with !']
      : ['To', ` apply it: ${command}`];
  const closing = [
    planClosing(plans),
    `${next}${rest}`,
    ...(exactly === undefined || next !== 'To' ? [] : [`To apply exactly this plan: ${exactly}`]),
  ];
  const failure = new Failure('drift', `${who} from ${policy}: ${countsText(plans)}`, {hint: `${next.toLowerCase()}${rest}`, closing});
  return {failure, exactly};
}
