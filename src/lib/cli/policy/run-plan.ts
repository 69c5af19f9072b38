/** What `plan` does: plans a policy for each account, and shows the plans with their digest. */
import type {Gathered, Member, PerAccount} from '../account-driver.js';
import {accountPlans, naming} from './changes.js';
import type {PolicyFlags} from './policy-flags.js';
import {ReportFiles} from './report-files.js';
import type {PolicyRun} from './policy-run.js';
import {
  aboutOf,
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
  reportFormats,
  rowJson,
  sourceFiles,
} from '../../policy/index.js';
import type {Result} from '../sink.js';
import {Failure} from '../../client/failure.js';
import {countNoun, withCommas} from '../../json/text.js';
import {LongDocument} from '../../print/print.js';

/** The plan of one account. */
interface PlannedAccount {
  readonly plan: Plan;
  /** Whether its states could be read: else there is no digest. */
  readonly isWhole: boolean;
}

/** Reads the policy of a plan. @param texts of `--report` @throws Failure `usage` for reports that overwrite what is read */
export async function readWithReports(
  policy: string,
  texts: readonly string[] | undefined,
  run: PolicyRun,
  read: () => Promise<PolicyWithLists> = () => run.read(policy),
): Promise<{readonly given: PolicyWithLists; readonly files: ReportFiles}> {
  const files = new ReportFiles(texts, {markdown: reportFormats.markdown});
  await files.refuseOverwrites([policy]);
  const given = await files.reading(read, policy, run.session.io.now);
  await files.refuseOverwrites(sourceFiles(given));
  return {given, files};
}

/** Writes the plans of accounts as Markdown, and why others have none. @param commands that apply the plan */
export async function reportPlans(
  files: ReportFiles,
  {all, noun}: Gathered<{readonly plan: Plan}>,
  policy: string,
  commands: readonly string[] = [],
): Promise<void> {
  const plans = all.map((one) =>
    'failure' in one
      ? {account: one.member.account, plan: undefined, why: one.failure.message}
      : {account: fullName(one.value.plan.comparison.about), plan: one.value.plan},
  );
  await files.write(async () => {
    const {planMarkdown} = await import('../../policy/reports/formats/plan-markdown.js');
    return planMarkdown({policy, plans, noun, commands});
  });
}

/** @throws Failure of a single account that cannot be read; the result ends with `drift` when something differs */
export async function plan(
  policy: string,
  run: PolicyRun<PolicyFlags & {readonly report?: readonly string[] | undefined}>,
): Promise<Result> {
  const {given, files} = await readWithReports(policy, run.flags.report, run);
  const accounts = await run.accounts([given], 'read');
  const plans = await accounts.gather((member) => planAccount(given, member, run));
  const isWhole = plans.failed.length === 0 && plans.found.every(({value}) => value.isWhole);
  const digest = isWhole ? planDigest(plans.found.map(({value}) => value.plan.comparison)) : undefined;
  const drift = driftOf(plans, {policy, run, digest});
  await reportPlans(files, plans, policy, drift?.exactly);
  return {...shownPlans(plans, {policy, run, digest}), failure: plans.failure ?? drift?.failure};
}

async function planAccount(given: PolicyWithLists, member: Member, run: PolicyRun): Promise<PlannedAccount> {
  const target = await run.target(member, [given], true);
  const {states, isWhole} = await run.statesOrNone(given, target);
  return {plan: planOf(await compareAccount(given, target, states)), isWhole};
}

interface Around {
  /** The name of its file. */
  readonly policy: string;
  readonly run: PolicyRun;
  readonly digest: string | undefined;
}

function shownPlans(plans: Gathered<PlannedAccount>, {policy, run: {session, printing}, digest}: Around): Result {
  const {all, found, noun} = plans;
  const [first] = found;
  const isOne = noun === undefined && first !== undefined;
  const notes = found.flatMap(
    ({
      member,
      value: {
        plan: {held, shown, guard},
      },
    }) => [
      ...heldTexts(held, shown).map(naming(member)),
      ...guardTexts(guard).map((text) => ({text: naming(member)(text), to: 'warning'}) as const),
    ],
  );
  return {
    document: async () =>
      isOne
        ? planDocument(first.value.plan, digest)
        : new LongDocument(
            '[',
            all.map((one) => documentOf(one, policy, digest)),
            ']',
          ),
    ...((!isOne || printing.fields !== undefined) && {rows: rowsOf(found)}),
    text: plansText(
      accountPlans(plans, (one) => one.plan),
      {noun, terminal: session.out},
    ),
    view: policyViews.changes(!isOne),
    notes: [...notes, ...(isOne && !isDifferent(first) ? ['Nothing to do.'] : [])],
  };
}

/** The plan of one of several accounts, or an error. */
function documentOf(one: Gathered<PlannedAccount>['all'][number], policy: string, digest: string | undefined): object {
  if ('value' in one) return planDocument(one.value.plan, digest);
  const {member, failure} = one;
  const about = aboutOf({server: member.connection.server, account: member.acct, owner: member.owner}, policy);
  return {...about, error: {code: failure.code, message: failure.message}};
}

/** One row a change. */
function* rowsOf(found: readonly PerAccount<PlannedAccount>[]): Generator<object> {
  for (const {value} of found)
    for (const row of value.plan.changes) yield {...value.plan.comparison.about, ...rowJson(row, value.plan.shown)};
}

const isDifferent = ({value: {plan: own}}: PerAccount<PlannedAccount>): boolean => own.changes.length + own.cannot.length > 0;

/** How it ends when something differs, and the commands that apply exactly this; undefined when nothing does. */
function driftOf(
  {all, found, noun, inUse}: Gathered<PlannedAccount>,
  {policy, run, digest}: Around,
): {readonly failure: Failure; readonly exactly: readonly string[]} | undefined {
  const different = found.filter(isDifferent);
  const [first] = different;
  if (first === undefined) return undefined;
  const {comparison, shown} = first.value.plan;
  const plans = different.map(({value}) => value.plan);
  const {only} = comparison.given;
  const advice = noun === undefined ? shown.advice : run.adviceOn(inUse);
  const more = only && {only: only.join()};
  const command = advice.onPolicy('apply', policy, {...more, ...flagsToAllow(plans.map(({guard}) => guard))});
  const exactly = digest === undefined ? [] : [advice.onPolicy('apply', policy, {expect: digest, ...more})];
  const {host} = comparison.target.server;
  const who = noun === undefined ? `${host} differs` : `${withCommas(different.length)} of ${countNoun(all.length, ...noun)} differ`;
  const isRefused = plans.some(({guard}) => guard.unprotected !== undefined);
  const [next, rest] = isRefused
    ? ['Run', ' plan again when the server responds: apply refuses this plan; --only applies other parts of it']
    : plans.every(({changes}) => changes.length === 0)
      ? ['See', ' the lines that begin with !']
      : ['To', ` apply it: ${command}`];
  const closing = [
    planClosing(plans),
    `${next}${rest}`,
    ...(next === 'To' ? exactly.map((line) => `To apply exactly this plan: ${line}`) : []),
  ];
  const failure = new Failure('drift', `${who} from ${policy}: ${countsText(plans)}`, {hint: `${next.toLowerCase()}${rest}`, closing});
  return {failure, exactly};
}
