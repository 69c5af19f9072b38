/** What `explain` does: prints the rules and list entries about a name, what the server has, and what was done by hand. */
import {commentsFor, type PolicyFlags} from './flags.js';
import {statesOrNone} from './plan.js';
import type {PolicyRun} from './run.js';
import {printResult} from '../print-result.js';
import {printingOfOwn} from '../sink.js';
import {explain, policyViews} from '../../policy/index.js';

/** @throws Failure `usage` for what is no domain, account or title; that of what cannot be read */
export async function printExplanations(subject: string, run: PolicyRun<PolicyFlags & {readonly policy: string}>): Promise<void> {
  const {flags, session} = run;
  const printing = await printingOfOwn(policyViews.reasons, session);
  const given = await run.read(flags.policy, {comments: commentsFor(flags, 'none')});
  const connection = await run.connection();
  const target = await run.target({connection}, [given], false);
  const {states} = target.account === undefined ? {states: {}} : await statesOrNone(given, target, run);
  const shown = {host: target.server.host, advice: target.advice, policy: flags.policy, showsPrivate: flags['show-private']};
  const {documents, rows, unnamed} = await explain(subject, given, target, states, shown);
  await printResult({document: documents, at: [], rows, view: policyViews.reasons}, session, printing);
  if (printing.jq !== undefined) return;
  for (const item of unnamed) session.note(`No rule names the ${item}.`);
}
