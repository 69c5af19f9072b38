/** From an answer to what is printed. */
import type {Answer} from '../../client/answer.js';
import {formatAnswer} from '../../print/print.js';
import type {Connection} from '../connection.js';
import {warnOfDepartures} from './departure-warnings.js';
import {writeOutput, type Printing} from './printing.js';
import type {View} from '../../api/view.js';

export interface Presentation {
  readonly view: View | undefined;
  /** Said to a person instead of a table, when the answer says nothing. */
  readonly done?: string | undefined;
  /** Whether an empty list is all there is; true unless given. */
  readonly isWhole?: boolean;
  readonly printing: Printing;
  readonly connection: Connection;
}

/** Whether the answer itself is wanted, or words may stand for it. */
export function wantsAnswer({format, jq, fields}: Printing): boolean {
  return format !== 'table' || jq !== undefined || fields !== undefined;
}

/** @param rows where the rows of a list are inside the answer */
export async function printAnswer(
  answer: Answer,
  rows: readonly string[] | undefined,
  {view, done, isWhole = true, printing, connection}: Presentation,
): Promise<void> {
  const {session, client} = connection;
  warnOfDepartures(answer, client.host, session);
  if (done !== undefined && !wantsAnswer(printing)) return session.note(done);
  await writeOutput(await formatAnswer(answer.text, {...printing, view, rows}), session, {isEmptySaid: isWhole});
}
