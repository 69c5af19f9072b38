/** What `plan` does: plans a policy for each account, and shows the plans with their digest. */
import type {Accounts, Member, PerAccount} from '../accounts.js';
import {accountPlans, naming} from './changes.js';
import {type PolicyFlags, refuseOverwrites, sameFlags} from './flags.js';
import {PlanReports} from './plan-reports.js';
import type {PolicyRun} from './run.js';
import {
  aboutOf,
  adviceOf,
  compareAccount,
  countsText,
  flagsToAllow,
  fullName,
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
import {type AccountFailure, asFailure, Failure} from '../../client/failure.js';
import {counted} from '../../json/text.js';
import {nounFor} from '../../operations/handle.js';
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
  const {found, failed} = await accounts.eachApart((member) => planAccount(given, member, run));
  const isWhole = failed.length === 0 && found.every(({value}) => value.isWhole);
  const digest = isWhole
    ? planDigest(
        found.map(
          ({
            value: {
              plan: {comparison},
            },
          }) => comparison,
        ),
      )
    : undefined;
  const drift = driftOf(found, accounts, {policy, flags, digest});
  await reports.write(
    accounts.members.map((member) => {
      const own = found.find((one) => one.member === member)?.value.plan;
      const why = failed.find(({account}) => account === member.account)?.failure.message;
      return {account: own === undefined ? member.account : fullName(own.comparison.about), plan: own, why};
    }),
    {noun: accounts.areNamed ? nounFor(accounts.members) : undefined, commands: drift?.exactly === undefined ? [] : [drift.exactly]},
  );
  await show(found, failed, accounts, {policy, session, digest});
  const failure = accounts.failureOf(failed) ?? drift?.failure;
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

async function show(
  found: readonly PerAccount<PlannedAccount>[],
  failed: readonly AccountFailure[],
  accounts: Accounts,
  {policy, session, digest}: Shown,
): Promise<void> {
  const {areNamed, members} = accounts;
  const plans = found.map(({member, value: {plan}}) => ({member, value: plan}));
  const noun = areNamed ? nounFor(members) : undefined;
  await printResult(
    {
      document: async () => (areNamed ? documentOfSeveral(plans, failed, accounts, {policy, digest}) : documentOf(plans, digest)),
      ...((areNamed || session.flags.fields !== undefined) && {rows: rowsOf(plans)}),
      text: plansText(accountPlans(members, plans, failed), {noun, terminal: session.out}),
      view: policyViews.changes(areNamed),
    },
    session,
  );
  if (!session.traits.hasNotes) return;
  for (const {member, value} of plans) {
    const named = naming(accounts, member);
    for (const text of heldTexts(value.held, value.shown)) session.note(named(text));
    for (const text of guardTexts(value.guard)) session.warn(named(text));
  }
  if (!areNamed && !plans.some(isDifferent)) session.note('Nothing to do.');
}

function documentOf([first]: readonly PerAccount<Plan>[], digest: string | undefined): LongDocument {
  if (first === undefined) throw new Error('There is no plan');
  return planDocument(first.value, digest);
}

/** A document for each account, with an error for those that failed. */
function documentOfSeveral(
  found: readonly PerAccount<Plan>[],
  failed: readonly AccountFailure[],
  {members}: Accounts,
  {policy, digest}: Pick<Shown, 'digest' | 'policy'>,
): LongDocument {
  const items = members.map((member) => {
    const own = found.find((one) => one.member === member)?.value;
    if (own !== undefined) return planDocument(own, digest);
    const failure = failed.find(({account}) => account === member.account)?.failure;
    const about = aboutOf({server: member.connection.server, account: member.acct, owner: member.owner}, policy);
    return {...about, ...(failure && {error: {code: failure.code, message: failure.message}})};
  });
  return new LongDocument('[', items, ']');
}

/** One row a change. */
function* rowsOf(found: readonly PerAccount<Plan>[]): Generator<object> {
  for (const {value} of found) for (const row of value.changes) yield {...value.comparison.about, ...rowJson(row, value.shown)};
}

const isDifferent = ({value: {changes, cannot}}: PerAccount<Plan>): boolean => changes.length + cannot.length > 0;

/** How it ends when something differs, and the command that applies exactly this; undefined when nothing does. */
function driftOf(
  found: readonly PerAccount<PlannedAccount>[],
  {areNamed, members, inUse}: Accounts,
  {policy, flags, digest}: {readonly policy: string; readonly flags: PlanFlags; readonly digest: string | undefined},
): {readonly failure: Failure; readonly exactly: string | undefined} | undefined {
  const different = found.map(({member, value: {plan}}) => ({member, value: plan})).filter(isDifferent);
  const [first] = different;
  if (first === undefined) return undefined;
  const plans = different.map(({value}) => value);
  const only = first.value.comparison.given.only;
  const advice = areNamed ? adviceOf(inUse.flags, sameFlags(flags)) : first.value.shown.advice;
  const more = only && {only: only.join()};
  const command = advice.onPolicy('apply', policy, {...more, ...flagsToAllow(plans.map(({guard}) => guard))});
  const exactly = digest === undefined ? undefined : advice.onPolicy('apply', policy, {expect: digest, ...more});
  const host = first.value.comparison.target.server.host;
  const who = areNamed ? `${different.length} of ${counted(members.length, ...nounFor(members))} differ` : `${host} differs`;
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
