/** Plans of accounts: what is printed of them, their reports, and the commands that apply them. */
import type {Terminal} from '../../print/format.js';
import {LongDocument, withItems} from '../../print/print.js';
import type {PlanHead} from '../model/documents.js';
import {type PolicyWithLists, summariesIn} from '../reading/read-policy.js';
import {compareWhole, comparisonOf} from '../rows/compare.js';
import {planDigest} from '../rows/digest.js';
import {flagsToAllow, guardText} from '../rows/guards.js';
import {cannotIn, type Plan, planClosing, planOf, plansText} from '../rows/plan.js';
import {differenceFailure, heldTexts, rowJson, skippedJson} from '../rows/row-text.js';
import {type Accounts, type Advice, type Noun, suggest} from '../rows/target.js';
import {policyViews} from '../rows/views.js';
import {jsonLines, reportText, type WriteReports} from './formats/index.js';

/** What `plan --json` prints of one account. @param digest the digest of the whole run */
function planDocument(one: Plan, digest: string | undefined): LongDocument | object {
  const {server, account, policy, given, changes, guards, failure} = one;
  if (failure !== undefined) return {server, account, policy, error: {code: failure.code, message: failure.message}};
  const lists = summariesIn(given.domains);
  const document: PlanHead & {readonly changes: readonly []} = {
    server,
    account,
    policy,
    ...(given.only && {only: given.only}),
    ...(digest !== undefined && {digest}),
    changes: [],
    cannot: cannotIn(one).map((row) => rowJson(row, one)),
    skipped: skippedJson(one),
    ...(lists.length > 0 && {lists: [...lists]}),
    ...(guards.length > 0 && {guards: [...guards]}),
  };
  return withItems(document, {list: 'changes', items: changes.values().map((row) => rowJson(row, one))});
}

/**
 * Plans a policy for each account, and writes reports.
 * @returns what is printed, and how the run ends @throws Failure of a single account, when it cannot be read; as `write` does
 */
export async function plan(
  given: PolicyWithLists,
  accounts: Accounts,
  run: {readonly terminal: Terminal; readonly hasFields: boolean; readonly write: WriteReports},
) {
  const {all, noun, advice, failure} = await accounts.gather([given], (target) => compareWhole(given, target), true);
  const plans = all.map((one) => planOf('value' in one ? one.value : comparisonOf(one.target, given, one)));
  const digest = planDigest(plans);
  const only = noun === undefined ? plans[0] : undefined;
  const different = plans.filter(({findings}) => findings.length > 0);
  const {file} = given.policy;
  const exactly =
    digest === undefined || different.length === 0
      ? []
      : [suggest({advice, policy: file}, 'apply', {expect: digest, only: given.only?.join()})];
  await run.write((format) => planReport(format, plans, noun, exactly));
  const notes = plans.flatMap((one) => {
    const said = (text: string) => (one.label === undefined ? text : `${one.label}: ${text}`);
    return [...heldTexts(one).map(said), ...one.guards.map((guard) => ({text: said(guardText(guard)), to: 'warning'}) as const)];
  });
  return {
    document: async () => documentOf(plans, noun, digest),
    rows: noun === undefined && !run.hasFields ? undefined : rowsOf(plans),
    text: plansText(plans, noun, run.terminal),
    view: policyViews.rows({ofSeveral: noun !== undefined, empty: 'Nothing to do.'}),
    notes: [...notes, ...(only?.findings.length === 0 ? ['Nothing to do.'] : [])],
    failure: failure ?? differenceFailure(different.length === 0 ? [] : closingOf(different, exactly, given, advice)),
  };
}

/** A plan as it is, several as a list. */
const documentOf = (plans: readonly Plan[], noun: Noun, digest: string | undefined): object => {
  const documents = plans.map((one) => planDocument(one, digest));
  return (noun === undefined ? documents[0] : undefined) ?? new LongDocument('[', documents, ']');
};

/** The text of a report. @param commands that apply exactly these plans */
export async function planReport(format: string, plans: readonly Plan[], noun: Noun, commands: readonly string[] = []) {
  if (format === 'json') return jsonLines(documentOf(plans, noun, planDigest(plans)));
  if (format !== 'markdown') return reportText(format, plans);
  const {planMarkdown} = await import('./formats/plan-markdown.js');
  return planMarkdown(plans, noun, commands);
}

function* rowsOf(plans: readonly Plan[]): Generator<object> {
  for (const one of plans)
    for (const row of one.changes) yield {server: one.server, account: one.account, policy: one.policy, ...rowJson(row, one)};
}

/** The closing lines: what the plans change, and the commands that apply them to all accounts of the run. */
function closingOf(plans: readonly Plan[], exactly: readonly string[], given: PolicyWithLists, advice: Advice): string[] {
  const flags = flagsToAllow(plans.flatMap(({guards}) => guards));
  const command = suggest({advice, policy: given.policy.file}, 'apply', {only: given.only?.join(), ...flags});
  const next = plans.every(({changes}) => changes.length === 0)
    ? ['See the lines that begin with !']
    : [`To apply it: ${command}`, ...exactly.map((line) => `To apply exactly this plan: ${line}`)];
  return [planClosing(plans), ...next];
}
