/** What `validate` does: reads policies and lists, and prints how much they want. */
import type {PolicyRun} from './run.js';
import {printDocument, printingOfOwn} from '../printing.js';
import {countWanted, policyViews} from '../../policy/index.js';

/** @throws Failure `local` or `usage` for what cannot be read or used */
export async function printCounts(names: readonly string[], run: PolicyRun): Promise<void> {
  const view = policyViews.counts;
  await printingOfOwn(view, run.session);
  const policies = await run.readAll(names);
  await printDocument(policies.flatMap(countWanted), {view, rows: []}, run.session);
}
