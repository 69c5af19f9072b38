/** What `explain` does: prints the rules and list entries about a subject, and what the server has. */
import {commentsFor, type PolicyFlags} from './flags.js';
import type {PolicyRun} from './run.js';
import {printResult} from '../print-result.js';
import {printingOfOwn} from '../sink.js';
import {explained, policyViews} from '../../policy/index.js';

/** @throws Failure `usage` for what is no domain, account or title; that of what cannot be read */
export async function printExplanations(subject: string, run: PolicyRun<PolicyFlags & {readonly policy: string}>): Promise<void> {
  const {flags, session} = run;
  const printing = await printingOfOwn(policyViews.reasons, session);
  const wanted = await run.read(flags.policy, {comments: commentsFor(flags, 'none')});
  const connection = await run.connection();
  const {documents, rows, unnamed} = await explained(subject, await run.wantedOn(connection, wanted), {
    client: connection.client,
    server: connection.server,
    now: session.io.now,
    followed: () => connection.followed(),
    measures: (domains) => connection.measures(domains),
  });
  await printResult({document: documents, at: [], rows, view: policyViews.reasons}, session, printing);
  if (printing.jq !== undefined) return;
  for (const item of unnamed) session.note(`No rule names the ${item}.`);
}
