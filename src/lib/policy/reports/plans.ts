/** Plans of accounts: what is printed of them, their reports, and the commands that apply them. */
import {LongDocument, withItems} from '../../print/print.js';
import type {PlanHead} from '../model/documents.js';
import {type PolicyWithLists, summariesIn} from '../reading/read-policy.js';
import {auditOf, type KnownAccount} from '../rows/audit.js';
import {planDigest} from '../rows/digest.js';
import {flagsToAllow, guardTexts, isGuarded} from '../rows/guards.js';
import {type AccountPlan, isDifferent, type Plan, planClosing, plansText, type Shape} from '../rows/plan.js';
import {differenceFailure, heldTexts, rowJson, skippedJson} from '../rows/row-text.js';
import type {Advice} from '../rows/target.js';
import {policyViews} from '../rows/views.js';
import {jsonLines, reportText, type WriteReports} from './formats/index.js';

/** What `plan --json` prints of one account. @param digest the digest of the whole run */
function planDocument({comparison, changes, cannot, held, guard, shown}: Plan, digest: string | undefined): LongDocument {
  const {about, given} = comparison;
  const lists = summariesIn(given.domains);
  const document: PlanHead & {readonly changes: readonly []} = {
    ...about,
    ...(given.only && {only: given.only}),
    ...(digest !== undefined && {digest}),
    changes: [],
    cannot: cannot.map((row) => rowJson(row, shown)),
    ...skippedJson(held, shown),
    ...(lists.length > 0 && {lists: [...lists]}),
    ...(isGuarded(guard) && {guard}),
  };
  return withItems(document, {list: 'changes', items: changes.values().map((row) => rowJson(row, shown))});
}

export interface PlannedAccount extends AccountPlan<Plan> {
  readonly known: KnownAccount;
}

interface PlanRun extends Shape {
  readonly given: PolicyWithLists;
  /** Suggests commands on all accounts of the run. */
  readonly advice: Advice;
  /** Whether the plans are about to be applied: then reports have no command that does it. */
  readonly isAboutToBeApplied?: boolean;
  readonly write: WriteReports;
}

/** Writes reports on plans. @returns what is printed of them, and how the run ends @throws Failure as `write` does */
export async function plan(all: readonly PlannedAccount[], run: PlanRun) {
  const {given, noun, advice, terminal, isAboutToBeApplied, write} = run;
  const {file} = given.policy;
  const plans = all.flatMap((one) => one.plan ?? []);
  const digest = all.every((one) => one.plan?.comparison.isWhole === true)
    ? planDigest(plans.map(({comparison}) => comparison))
    : undefined;
  const [only] = noun === undefined ? plans : [];
  const document = () =>
    only === undefined
      ? new LongDocument(
          '[',
          all.map((one) => documentOf(one, digest)),
          ']',
        )
      : planDocument(only, digest);
  const different = plans.filter(isDifferent);
  const exactly =
    digest === undefined || different.length === 0 ? [] : [advice.onPolicy('apply', file, {expect: digest, only: given.only?.join()})];
  await write(async (format) => {
    if (format === 'json') return jsonLines(document());
    if (format !== 'markdown')
      return reportText(
        format,
        all.map(({plan: own, known, failure}) => auditOf(own?.comparison ?? {known, given, failure})),
      );
    const {planMarkdown} = await import('../reports/formats/plan-markdown.js');
    return planMarkdown({policy: file, plans: all, noun, commands: isAboutToBeApplied === true ? [] : exactly});
  });
  const notes = all.flatMap(({account, plan: own}) => {
    const said = (text: string) => (noun === undefined ? text : `${account}: ${text}`);
    if (own === undefined) return [];
    return [
      ...heldTexts(own.held, own.shown).map(said),
      ...guardTexts(own.guard).map((text) => ({text: said(text), to: 'warning'}) as const),
    ];
  });
  return {
    document: async () => document(),
    rows: rowsOf(plans),
    text: plansText(all, {noun, terminal}),
    view: policyViews.changes(noun !== undefined),
    notes: [...notes, ...(only !== undefined && !isDifferent(only) ? ['Nothing to do.'] : [])],
    failure: differenceFailure(different.length === 0 ? [] : closingOf(different, exactly, run)),
  };
}

/** @param digest the digest of the whole run */
const documentOf = ({known: {server, account, policy}, plan: own, failure}: PlannedAccount, digest: string | undefined): object =>
  own === undefined ? {server, account, policy, error: {code: failure?.code, message: failure?.message}} : planDocument(own, digest);

function* rowsOf(plans: readonly Plan[]): Generator<object> {
  for (const {changes, comparison, shown} of plans) for (const row of changes) yield {...comparison.about, ...rowJson(row, shown)};
}

/** The closing lines: what the plans change, and the commands that apply them. */
function closingOf(plans: readonly Plan[], exactly: readonly string[], {given, advice}: PlanRun): string[] {
  const guards = plans.map(({guard}) => guard);
  const command = advice.onPolicy('apply', given.policy.file, {only: given.only?.join(), ...flagsToAllow(guards)});
  const next = guards.some(({unprotected}) => unprotected !== undefined)
    ? ['Run plan again when the server responds: apply refuses this plan; --only applies other parts of it']
    : plans.every(({changes}) => changes.length === 0)
      ? ['See the lines that begin with !']
      : [`To apply it: ${command}`, ...exactly.map((line) => `To apply exactly this plan: ${line}`)];
  return [planClosing(plans), ...next];
}
