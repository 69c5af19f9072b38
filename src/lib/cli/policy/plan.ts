/** What `plan` does: plans a policy for each account, shows the plans, and saves them. */
import type {FlagValues} from '../../files/command-text.js';
import type {Accounts, Member, PerAccount} from '../accounts.js';
import {accountPlans} from './changes.js';
import {type PolicyFlags, sameFlags} from './flags.js';
import {noteNeededPolicy, partIn, planReportsOf, refuseOverwrites} from './part.js';
import {noteRemarks, warnOfAccounts} from './remarks.js';
import type {PolicyRun} from './run.js';
import {
  type Advice,
  adviceOf,
  changeJson,
  countsText,
  type FailedAccountJson,
  findingJson,
  flagsToAllow,
  fullName,
  guardTexts,
  keptPlansText,
  keptPlanText,
  meantIn,
  planClosing,
  planDocument,
  planFor,
  type Planned,
  plansText,
  policyViews,
  recordsOf,
  sourceFiles,
  unknownAccount,
  type Wanted,
  whoText,
} from '../../policy/index.js';
import {printResult} from '../print-result.js';
import {printingOfOwn} from '../sink.js';
import type {Session} from '../session.js';
import {type AccountFailure, Failure, localFailure} from '../../client/failure.js';
import {writeWhole} from '../../files/whole-file.js';
import {counted} from '../../json/text.js';
import {nounFor} from '../../operations/handle.js';
import {LongDocument} from '../../print/print.js';
import {relativeTime} from '../../print/values.js';

type PlanFlags = PolicyFlags & {readonly out?: string | undefined; readonly report?: readonly string[] | undefined};

/** @throws Failure `drift` when something differs; that of an account that cannot be read, of several `partial` */
export async function plan(policy: string, run: PolicyRun<PlanFlags>): Promise<void> {
  const {flags, session} = run;
  await printingOfOwn(policyViews.changesOfAccounts, session);
  const reports = await planReportsOf(flags, policy);
  const outputs = [...(flags.out === undefined ? [] : [flags.out]), ...(reports?.files ?? [])];
  await refuseOverwrites(outputs, [policy]);
  const read = () => run.read(policy);
  const wanted = await (reports ? reports.reading(read, session.io.now) : read());
  await refuseOverwrites(outputs, sourceFiles(wanted));
  const accounts = await run.accounts([wanted], 'read');
  const {members, areNamed} = accounts;
  const {found, failed} = await accounts.eachApart((member) => planOf(wanted, member, run, areNamed));
  if (flags.out !== undefined) await save(found, {file: flags.out, policy, areNamed, now: session.io.now()});
  const applyFlags = flags.out === undefined ? partIn(flags) : noteNeededPolicy(flags.out, policy, flags.state, session);
  await reports?.write(
    members.map((member) => {
      const own = found.find((one) => one.member === member)?.value;
      return {
        account: own?.name ?? member.account,
        plan: own && {...own.plan, cannot: own.plan.cannot.map((one) => findingJson(one))},
        why: failed.find(({account}) => account === member.account)?.failure.message,
      };
    }),
  );
  await show(found, failed, accounts, {policy, session});
  const failure = accounts.failureOf(failed) ?? drift(found, accounts, {policy, flags, applyFlags});
  if (failure !== undefined) throw failure;
}

/** The plan of one account. What the server has is not needed any more, and may be long. */
interface PlannedAccount extends Pick<Planned, 'about' | 'parts' | 'plan'> {
  /** `ana@pix.example`, or `pix.example` for what its accounts share. */
  readonly name: string;
  readonly host: string;
  readonly advice: Advice;
}

async function planOf(wanted: Wanted, member: Member, run: PolicyRun<PlanFlags>, isOfSeveral: boolean): Promise<PlannedAccount> {
  const {flags} = run;
  const target = await run.target(member, [wanted]);
  const {advice, server} = target;
  const records = await recordsOf(wanted.policy.file, flags, meantIn(wanted, target, isOfSeveral));
  const {about, plan: made, parts} = await planFor(wanted, records, target);
  const shown = flags.out === undefined ? made : {...made, guard: made.guardInFile()};
  return {about, plan: shown, parts, name: fullName(target), host: server.host, advice};
}

async function save(
  found: readonly PerAccount<PlannedAccount>[],
  {file, policy, areNamed, now}: {readonly file: string; readonly policy: string; readonly areNamed: boolean; readonly now: Date},
): Promise<void> {
  const made_at = now.toISOString();
  const plans = found.map(({value: {plan, about, parts}}) => ({plan, about: {...about, policy, made_at, parts: [...parts]}}));
  const [first] = plans;
  const text =
    areNamed || first === undefined ? keptPlansText(plans, {policy, made_at}, file) : keptPlanText(first.plan, first.about, file);
  await writeWhole(file, text).catch((error: unknown) => {
    throw localFailure(`Cannot save the plan to ${file}`, error);
  });
}

interface Shown {
  /** The name of its file. */
  readonly policy: string;
  readonly session: Session;
}

async function show(
  found: readonly PerAccount<PlannedAccount>[],
  failed: readonly AccountFailure[],
  accounts: Accounts,
  {policy, session}: Shown,
): Promise<void> {
  const {areNamed, members} = accounts;
  const shown = found.map(({member, value: {plan}}) => ({
    member,
    value: {...plan, cannot: plan.cannot.map((one) => findingJson(one))},
  }));
  await printResult(
    {
      document: async () => (areNamed ? documentOfSeveral(found, failed, accounts, policy) : documentOf(found)),
      ...((areNamed || session.flags.fields !== undefined) && {rows: rowsOf(found)}),
      text: plansText(accountPlans(members, shown, failed), {areNamed, terminal: session.out}),
      view: areNamed ? policyViews.changesOfAccounts : policyViews.changes,
    },
    session,
  );
  noteRemarks(shown, session);
  noteAge(found, accounts, session);
  if (!session.traits.hasNotes) return;
  warnOfAccounts(
    found.map(({member: {account, owner}, value: {plan}}) => ({account, owner, remarks: guardTexts(plan.guard).map((why) => ({why}))})),
    session,
  );
  if (!areNamed && !found.some(isDifferent)) session.note('Nothing to do.');
}

/** Says how old it is what is known of those that are followed. */
function noteAge(found: readonly PerAccount<PlannedAccount>[], {areNamed}: Accounts, session: Session): void {
  const named = found.map(({member}) => member);
  const ages = found.flatMap(({value: {plan}}, index) =>
    plan.followedAt === undefined ? [] : {index, age: relativeTime(plan.followedAt.toISOString(), session.io.now())},
  );
  for (const [age, same] of Map.groupBy(ages, (one) => one.age)) {
    const indexes = same.map(({index}) => index);
    const who = areNamed ? ` ${whoText(indexes, named)}` : '';
    session.note(`protect_followed${who}: the followed accounts were read ${age}; apply reads them again after ten minutes`);
  }
}

function documentOf([first]: readonly PerAccount<PlannedAccount>[]): LongDocument {
  if (first === undefined) throw new Error('There is no plan');
  return planDocument(first.value.about, first.value.plan);
}

/** A document for each account, with an error for those that failed. */
function documentOfSeveral(
  found: readonly PerAccount<PlannedAccount>[],
  failed: readonly AccountFailure[],
  {members}: Accounts,
  policy: string,
): LongDocument {
  const items = members.map((member) => {
    const own = found.find((one) => one.member === member)?.value;
    if (own !== undefined) return planDocument(own.about, own.plan);
    const failure = failed.find(({account}) => account === member.account)?.failure;
    const about = {server: member.connection.server.origin, account: member.acct ?? unknownAccount, policy};
    const document: FailedAccountJson = {...about, ...(failure && {error: {code: failure.code, message: failure.message}})};
    return document;
  });
  return new LongDocument('[', items, ']');
}

/** One row a change. */
function* rowsOf(found: readonly PerAccount<PlannedAccount>[]): Generator<object> {
  for (const {value} of found)
    for (const change of value.plan.changes) yield {...value.about, ...changeJson(change, value.plan.showsPrivate)};
}

const isDifferent = ({value: {plan}}: PerAccount<PlannedAccount>): boolean => plan.changes.length + plan.cannot.length > 0;

/** How it ends when something differs; undefined when nothing does. */
function drift(
  found: readonly PerAccount<PlannedAccount>[],
  {areNamed, members, inUse}: Accounts,
  {
    policy,
    flags,
    applyFlags,
  }: {
    readonly policy: string;
    readonly flags: PlanFlags;
    /** More flags of the command that applies it. */
    readonly applyFlags: FlagValues | undefined;
  },
): Failure | undefined {
  const different = found.filter(isDifferent);
  const [first] = different;
  if (first === undefined) return undefined;
  const plans = different.map(({value: {plan}}) => plan);
  const file = flags.out ?? policy;
  const neededFlags = {...applyFlags, ...flagsToAllow(plans.map(({guard}) => guard))};
  // A plan has what its lists said.
  const same = flags.out === undefined ? sameFlags(flags) : {state: flags.state};
  const advice = adviceOf(areNamed ? inUse.flags : first.value.advice.account, same);
  const command = advice.onPolicy('apply', file, neededFlags);
  const who = areNamed ? `${different.length} of ${counted(members.length, ...nounFor(members))} differ` : `${first.value.host} differs`;
  const isRefused = different.some(({value: {plan}}) => plan.guard.unprotected !== undefined);
  const [next, rest] = isRefused
    ? ['Run', ' plan again when the server responds: apply refuses this plan; --only applies other parts of it']
    : plans.every(({changes}) => changes.length === 0)
      ? ['See', ' the lines that begin with !']
      : ['To', ` apply it: ${command}`];
  return new Failure('drift', `${who} from ${policy}: ${countsText(plans)}`, {
    hint: `${next.toLowerCase()}${rest}`,
    closing: [planClosing(plans), `${next}${rest}`],
  });
}
