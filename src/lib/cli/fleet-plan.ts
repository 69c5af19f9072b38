/** Plans of several accounts, and how their parts and failures are told apart. */
import {Failure, localFailure, type AccountFailure} from '../client/failure.js';
import {writeWhole} from '../files/whole-file.js';
import {type Planned, planFor, type Remarks} from '../policy/apply.js';
import {findingJson} from '../policy/difference.js';
import {keptPlansText} from '../policy/plan-file.js';
import {type AccountPlan, planOfSeveral} from '../policy/plan-of-several.js';
import {countsText} from '../policy/plan-text.js';
import {guardTexts, planDocument} from '../policy/plan.js';
import {changeJson} from '../policy/change.js';
import {StateFile} from '../policy/state-file.js';
import {changesView} from '../policy/views.js';
import type {Wanted} from '../policy/wanted.js';
import {formatDocument} from '../print/print.js';
import {failureOfAccounts, type Member, openFleet} from './fleet.js';
import type {AccountsFlags} from './flags.js';
import {noteNeededPolicy, notePart, partIn, refuseUnmatched} from './policy-part.js';
import {noteSkippedOf, type PolicyFlags, refuseOthers, sameFlags, stateFileIn, targetOf, warnOfEach} from './policy.js';
import type {PlanReports} from './plan-report.js';
import {printingOf, writeOutput} from './printing.js';
import type {Session} from './session.js';

export type FleetFlags = AccountsFlags & Omit<PolicyFlags, 'concurrency'>;

/** What is about to be done to an account, or was found out about it. */
export interface Of<Value> {
  readonly member: Member;
  readonly value: Value;
}

/** Results and failures apart. */
export function parted<Value>(members: readonly Member[], results: readonly (Failure | Value)[]) {
  const found: Of<Value>[] = [];
  const failed: AccountFailure[] = [];
  for (const [index, member] of members.entries()) {
    const result = results[index];
    if (result instanceof Failure) failed.push({account: member.account, failure: result});
    else if (result !== undefined) found.push({member, value: result});
  }
  return {found, failed};
}

/** Says what holds for several accounts once, with their names. */
export function noteRemarksOf(all: readonly Of<Remarks>[], session: Session): void {
  if (session.format !== 'table') return;
  noteSkippedOf(
    all.map(({member: {account}, value: {skipped = []}}) => ({account, skipped})),
    session,
  );
  warnOfEach(
    all.flatMap(({member, value}) => value.limits.map((why) => ({subject: member.account, why}))),
    session,
  );
}

export function plansForPeople(
  members: readonly Member[],
  found: readonly Of<AccountPlan['plan']>[],
  failed: readonly AccountFailure[],
): AccountPlan[] {
  return members.flatMap((member): AccountPlan[] => {
    const own = found.find((one) => one.member === member);
    const why = failed.find(({account}) => account === member.account)?.failure.message;
    if (own !== undefined) return [{account: member.account, plan: own.value}];
    return why === undefined ? [] : [{account: member.account, plan: undefined, why}];
  });
}

/**
 * Shows what an apply would change on several accounts.
 * @throws Failure `drift` when something differs; `partial` when some accounts could not be read
 */
export async function planSeveral(
  wanted: Wanted,
  {
    flags,
    session,
    reports,
  }: {
    readonly flags: FleetFlags & {readonly out?: string | undefined};
    readonly session: Session;
    readonly reports?: PlanReports | undefined;
  },
): Promise<void> {
  await using fleet = await openFleet(flags, session);
  const {members} = fleet;
  refuseOthers([wanted], members);
  const {file} = wanted.policy;
  const results = await fleet.each(async ({connection}) => {
    const target = await targetOf(connection, flags, [wanted]);
    const {about, plan, parts} = await planFor(wanted, await StateFile.read(await stateFileIn(file, flags, target, true)), target);
    // What the server has is not needed any more, and may be long.
    return {about, plan, parts};
  });
  const {found, failed} = parted(members, results);
  if (failed.length === 0) refuseUnmatched(found.map(({value}) => value.plan));
  if (flags.out !== undefined) await savePlans(found, flags.out, file, session);
  const applyFlags = flags.out === undefined ? partIn(flags) : noteNeededPolicy(flags.out, file, flags.state, session);
  await reports?.write(
    members.map(({account}, index) => {
      const result = results[index];
      return result instanceof Failure ? {account, plan: undefined, why: result.message} : {account, plan: result?.plan};
    }),
  );
  await showPlans({members, results, found, failed, file}, session);
  const failure = failureOfAccounts(failed, members.length, fleet.suggest);
  if (failure !== undefined) throw failure;
  const different = found.filter(({value: {plan}}) => plan.changes.length + plan.cannot.length > 0);
  if (different.length === 0) return;
  const changes = found.flatMap(({value: {plan}}) => plan.changes);
  const cannot = found.flatMap(({value: {plan}}) => plan.cannot);
  throw new Failure('drift', `${different.length} of ${members.length} accounts differ from ${file}: ${countsText(changes, cannot)}`, {
    hint:
      changes.length === 0
        ? 'see the lines that begin with !'
        : `to apply it: ${fleet.suggest(['apply'], {args: [flags.out ?? file], flags: {...sameFlags(flags), ...applyFlags}})}`,
  });
}

async function savePlans(found: readonly Of<Found>[], out: string, policy: string, session: Session): Promise<void> {
  const plans = found.map(({value: {plan, about, parts}}) => ({
    plan,
    about: {server: about.server, account: about.account, parts: [...parts]},
  }));
  const text = keptPlansText(plans, {policy, made_at: session.io.now().toISOString()}, out);
  await writeWhole(out, text).catch((error: unknown) => {
    throw localFailure(`Cannot save the plan to ${out}`, error);
  });
}

type Found = Pick<Planned, 'about' | 'parts' | 'plan'>;

interface Plans {
  readonly members: readonly Member[];
  readonly results: readonly (Failure | Found)[];
  readonly found: readonly Of<Found>[];
  readonly failed: readonly AccountFailure[];
  /** The policy. */
  readonly file: string;
}

async function showPlans({members, results, found, failed, file}: Plans, session: Session): Promise<void> {
  const {format, flags, io, out} = session;
  const isText = format === 'table' && flags.jq === undefined && flags.fields === undefined;
  const about = ({account, connection: {server}}: Member) => ({server: server.origin, account, policy: file});
  if (isText) {
    const plans = found.map(({member, value: {plan}}) => ({member, value: {...plan, cannot: plan.cannot.map((one) => findingJson(one))}}));
    for (const text of planOfSeveral(plansForPeople(members, plans, failed), out.color)) await io.write(text, 'painted');
  } else {
    const documents = members.map((member, index) => {
      const result = results[index];
      if (result === undefined) return JSON.stringify(about(member));
      if (!(result instanceof Failure)) return planDocument(result.about, result.plan);
      return JSON.stringify({...about(member), error: {code: result.code, message: result.message}});
    });
    const rows = function* (): Generator<string> {
      for (const {value} of found)
        for (const change of value.plan.changes) yield JSON.stringify({...value.about, ...changeJson(change, value.plan.factsOf)});
    };
    const items = format === 'json' || flags.jq !== undefined ? documents : rows();
    const printing = await printingOf(session);
    await writeOutput(await formatDocument({before: '[', items, after: ']'}, {...printing, view: changesOfSeveralView}), session);
  }
  if (session.format === 'table') notePart(found[0]?.value.plan.part, session);
  noteRemarksOf(
    found.map(({member, value}) => ({member, value: {...value.plan, cannot: []}})),
    session,
  );
  if (format !== 'table') return;
  for (const {member, value} of found) {
    for (const text of guardTexts(value.plan.guard)) session.warn(`${member.account}: ${text}`);
  }
}

const changesOfSeveralView = {
  ...changesView,
  columns: [
    {header: 'server', path: 'server', flexible: true, priority: 4},
    {header: 'account', path: 'account', flexible: true},
    ...(changesView.columns ?? []),
  ],
  fields: ['server', 'account', 'policy', ...(changesView.fields ?? [])],
} as const;
