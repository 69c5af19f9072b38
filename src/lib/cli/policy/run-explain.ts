/** What `explain` does: says which rules and list entries are about a name, what the server has, and what was done by hand. */
import {commentsFor, type PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import type {Result} from '../sink.js';
import {explain} from '../../policy/index.js';

/** @throws Failure `usage` when the name is no domain, account or title; also when something cannot be read */
export async function explainName(name: string, run: PolicyRun<PolicyFlags & {readonly policy: string}>): Promise<Result> {
  const {flags, printing} = run;
  const given = await run.read(flags.policy, {comments: commentsFor(flags, 'none')});
  const target = await run.target({connection: await run.connection()}, [given], false);
  const {notes, ...explained} = await explain(name, given, target);
  return printing.jq === undefined ? {...explained, notes} : explained;
}
