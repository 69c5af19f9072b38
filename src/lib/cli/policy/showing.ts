/** Shows a plan to people before it is carried out, and asks. */
import {actor, allowWrite, requireAnswer} from '../prompts.js';
import type {Connection} from '../connection.js';
import {countsText, type PlanParts, planText} from './plan-text.js';
import type {Session} from '../session.js';
import type {Change} from '../../policy/change.js';
import type {FindingJson, Skipped} from '../../policy/difference.js';
import type {Limits} from '../../policy/limits.js';
import {grouped} from '../../policy/reports/text.js';

/** What is told of changes beside themselves. */
export interface Remarks extends Limits {
  readonly cannot?: readonly FindingJson[];
  readonly skipped?: readonly Skipped[];
}

/** As many names as a warning has room for. */
const mostNamed = 3;

function ofMany(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  const rest = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''} (${names.length} in all)`;
}

/** A warning that holds for many is told once, with the count and the first names. */
export function warnOfEach(warnings: readonly {readonly subject: string; readonly why: string}[], session: Session): void {
  for (const [why, same] of grouped(warnings, (one) => one.why)) session.warn(`${ofMany(same.map(({subject}) => subject))}: ${why}`);
}

/** What was not compared, and why; what holds for many rules once. */
export function noteSkipped(skipped: readonly Skipped[], session: Session): void {
  for (const [, same] of grouped(skipped, ({kind, why}) => JSON.stringify([kind, why]))) {
    const [first] = same;
    if (first === undefined) continue;
    const names = ofMany(same.flatMap(({subject}) => subject ?? []));
    session.note(`Not checked: ${first.kind.replace('_', ' ')}${names === '' ? '' : ` ${names}`}: ${first.why}`);
  }
}

/** To people; programs read it in the JSON of the plan. */
export function tellRemarks({skipped = [], limits}: Remarks, session: Session): void {
  if (session.format !== 'table') return;
  noteSkipped(skipped, session);
  for (const limit of limits) session.warn(limit);
}

/** On standard error: what is printed are the results. */
export function showPlan(plan: PlanParts, {io}: Session): void {
  io.tell(planText(plan, io.err.color));
}

/** Before anything is read: whoever could not be asked need not be shown anything. @throws Failure `usage` */
export function requireSomebody(session: Session): void {
  if (!session.assumeYes && !session.dryRun) requireAnswer(session.io);
}

/**
 * Shows what is about to be sent, and asks unless told not to.
 * @param question without the counts, which come after it
 * @throws Failure `usage` when nobody can answer, or the answer is no
 */
export async function agreeOn(changes: readonly Change[], remarks: Remarks, question: string, connection: Connection): Promise<void> {
  const {session} = connection;
  if (session.format === 'table' ? !session.flags.quiet : !session.assumeYes) showPlan({changes, ...remarks}, session);
  tellRemarks(remarks, session);
  const adds = (wanted: Change['kind']) => changes.some(({action, kind}) => action === 'add' && kind === wanted);
  const warning =
    (adds('domain_block') ? ' Followers on blocked domains are dropped for good.' : '') +
    (adds('block') ? ' Following between you and blocked accounts ends for good.' : '');
  await allowWrite(connection, question, () => `${question} ${actor(connection)}: ${countsText(changes, remarks.cannot)}?${warning}`);
}
