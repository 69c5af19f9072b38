/** Shows a plan to people before it is carried out, and asks. */
import type {Change} from '../../policy/change.js';
import type {Finding, Skipped} from '../../policy/finding.js';
import {actor, allowWrite} from '../asking/acting-account.js';
import {canAsk, requireAnswer} from '../asking/confirm.js';
import type {Connection} from '../connection.js';
import type {Session} from '../session.js';
import {tell} from '../standard-streams.js';
import {describeTerminal} from '../terminal.js';
import {cannotText, changesText, countsText} from './plan-text.js';

/** What is told of changes beside themselves. */
export interface Remarks {
  readonly cannot?: readonly Finding[];
  readonly skipped?: readonly Skipped[];
  readonly limits: readonly string[];
}

/** To people; programs read it in the JSON of the plan. */
export function tellRemarks({skipped = [], limits}: Remarks, session: Session): void {
  if (session.format !== 'table') return;
  for (const {kind, subject, why} of skipped) session.note(`left out: ${kind.replace('_', ' ')} ${subject ?? ''}: ${why}`);
  for (const limit of limits) session.warn(limit);
}

/** Before anything is read: whoever could not be asked need not be shown anything. @throws Failure `usage` */
export function requireSomebody(session: Session): void {
  if (!session.assumeYes && !session.dryRun && !canAsk()) requireAnswer();
}

/**
 * Shows what is about to be sent, and asks unless told not to.
 * @param question without the counts, which come after it
 * @throws Failure `usage` when nobody can answer, or the answer is no
 */
export async function agreeOn(changes: readonly Change[], remarks: Remarks, question: string, connection: Connection): Promise<void> {
  const {session} = connection;
  if (session.format === 'table' ? !session.flags.quiet : !session.assumeYes) {
    const {color} = describeTerminal(process.stderr);
    tell(changesText(changes, color) + cannotText(remarks.cannot ?? [], color));
  }
  tellRemarks(remarks, session);
  const blocks = changes.some(({action, kind}) => action === 'add' && kind === 'domain_block');
  const warning = blocks ? ' Followers on blocked domains are dropped for good.' : '';
  await allowWrite(connection, question, () => `${question} ${actor(connection)}: ${countsText(changes)}?${warning}`);
}
