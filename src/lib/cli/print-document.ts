/** Prints what a command found out itself, with no server's answer behind it. */
import type {View} from '../api/view.js';
import {formatAnswer} from '../print/print.js';
import {printingOf, writeOutput} from './printing/printing.js';
import type {Session} from './session.js';

/** @param rows where the rows of a list are inside the document */
export async function printDocument(
  document: unknown,
  {view, rows}: {readonly view?: View | undefined; readonly rows?: readonly string[] | undefined},
  session: Session,
): Promise<void> {
  const printing = await printingOf(session);
  await writeOutput(await formatAnswer(JSON.stringify(document), {...printing, view, rows}), session);
}
