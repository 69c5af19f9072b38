/** What `validate` does: reads policies and lists, and prints how much they want. */
import type {PolicyRun} from './run.js';
import {printResult} from '../print-result.js';
import {printingOfOwn, ownResult} from '../sink.js';
import {countWanted, policyViews} from '../../policy/index.js';

/** @throws Failure `local` or `usage` for what cannot be read or used */
export async function printCounts(names: readonly string[], run: PolicyRun): Promise<void> {
  const view = policyViews.counts;
  await printingOfOwn(view, run.session);
  const policies = await run.readAll(names);
  await printResult(ownResult(policies.flatMap(countWanted), {view, at: []}), run.session);
}
