/** What `explain` does: prints the rules and list entries about a subject, and what the server has. */
import {commentsFor, type PolicyFlags} from './flags.js';
import type {PolicyRun} from './run.js';
import {printingOfOwn, printResult} from '../printing.js';
import {explain, partsOf} from '../../policy/explain.js';
import {comparedDomain} from '../../policy/model/server-state.js';
import {withFollowed} from '../../policy/reading/read-wanted.js';
import type {Explanation} from '../../policy/section/section.js';
import {withFollows} from '../../policy/sections/admin-domain-blocks.js';
import {shownItem} from '../../policy/sections/index.js';
import {readWhole} from '../../policy/sections/read-state.js';
import {locationText} from '../../policy/source/location.js';
import {reasonsView} from '../../policy/views.js';

/** @throws Failure `usage` for what is no domain, account or title; that of what cannot be read */
export async function printExplanations(subject: string, run: PolicyRun<PolicyFlags & {readonly policy: string}>): Promise<void> {
  const {flags, session} = run;
  const printing = await printingOfOwn(reasonsView, session);
  const wanted = await run.read(flags.policy, {comments: commentsFor(flags, 'none')});
  const connection = await run.connection();
  const {client, server} = connection;
  const own = await withFollowed(await run.wantedOn(connection, wanted), () => connection.followed());
  const state = await readWhole(client, server.origin, partsOf(subject, own.policy));
  const isMeant = (domain: string) => domain === comparedDomain(subject);
  const measured = await withFollows(own, state, (domains) => connection.measures(domains.filter(isMeant)));
  const explanations = explain(subject, measured, state, session.io.now());
  const document = JSON.stringify(explanations.map(documentOf));
  const rows = explanations.flatMap(rowsOf).map((row) => JSON.stringify(row));
  await printResult({document, at: [], rows, view: reasonsView}, session, printing);
  if (printing.jq !== undefined) return;
  for (const one of explanations) if (one.reasons.length === 0) session.note(`No rule is about the ${shownItem(one)}.`);
}

function documentOf({kind, subject, isWanted, isThere, actual, reasons, details}: Explanation) {
  const because = reasons.map(({rule, source, says, ...reason}) => ({rule, source: locationText(source), says, ...reason}));
  return {kind, subject, wanted: isWanted ?? null, there: isThere ?? null, actual, because, ...(details && {details})};
}

/** One row for each reason, or one without a reason. */
function rowsOf(explanation: Explanation): Record<string, unknown>[] {
  const {because, ...about} = documentOf(explanation);
  return because.length === 0 ? [about] : because.map((reason) => ({...about, ...reason}));
}
