/** What `explain` does: says which rules and list entries are about a name, what the server has, and what was done by hand. */
import {commentsFor, type PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import type {Result} from '../sink.js';
import {explain, policyViews} from '../../policy/index.js';

/** @throws Failure `usage` when the name is no domain, account or title; also when something cannot be read */
export async function explainName(name: string, run: PolicyRun<PolicyFlags & {readonly policy: string}>): Promise<Result> {
  const {flags, printing} = run;
  const given = await run.read(flags.policy, {comments: commentsFor(flags, 'none')});
  const connection = await run.connection();
  const target = await run.target({connection}, [given], false);
  const shown = {host: target.server.host, advice: target.advice, policy: flags.policy, showsPrivate: flags['show-private']};
  const {documents, rows, unnamed} = await explain(name, given, target, shown);
  const notes = printing.jq === undefined ? unnamed.map((item) => `No rule names the ${item}.`) : [];
  return {document: documents, at: [], rows, view: policyViews.reasons, notes};
}
