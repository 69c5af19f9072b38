/** What `batch` does: runs the operations of a file over one connection. */
import type {Config} from '@oclif/core';
import {checkRequests, type NumberedRequest, readBatch} from './batch.js';
import {type RunFlags, runSteps, type Work} from '../bulk-run.js';
import {connect, type Connection} from '../connection.js';
import {printDryRun} from '../dry-run.js';
import {privateMembers} from '../../api/private.js';
import {checkFields, type Printing, printingOf} from '../printing.js';
import {allowWrite} from '../prompts.js';
import type {Session} from '../session.js';
import {operationsView, resultText} from '../../run/index.js';

/** The operations as one piece of work, whose results name the lines that they come from. */
function workOf(operations: readonly NumberedRequest[]): Work {
  return {
    total: operations.length,
    inputs: () => operations.map(({input}) => input),
    secrets: [...new Set(operations.flatMap(({secrets}) => secrets))],
    view: operationsView,
    isRead: !operations.some(({isWrite}) => isWrite),
    *steps(connection) {
      for (const {step} of operations) yield step(connection);
    },
    textOf(result, index) {
      const line = operations[index]?.line;
      const own = line?.id === undefined ? '' : `"id":${line.id},`;
      return `{"line":${line?.number},${own}${resultText(result).slice(1)}`;
    },
  };
}

/** Results come as NDJSON unless something else was asked for. */
async function batchPrinting(session: Session): Promise<Printing> {
  const printing = {...(await printingOf(session)), hides: privateMembers};
  return session.hasChosenFormat ? printing : {...printing, format: 'ndjson'};
}

interface BatchRun {
  /** The words of the command. */
  readonly command: string;
  readonly config: Config;
  readonly flags: RunFlags;
  readonly session: Session;
}

/** What `batch` does: runs the operations of a file. @throws Failure `usage` for lines that are wrong; that of a run */
export async function runBatch(file: string, {command, config, flags, session}: BatchRun): Promise<void> {
  const printing = await batchPrinting(session);
  const operations = await readBatch(await session.io.read(file, `the batch ${file}`), config, session);
  await using connection = await connect(session);
  await checkRequests(operations, connection);
  if (session.dryRun) return await printRequestsOf(operations, connection);
  await checkFields(printing, {of: 'batch'}, session);
  if (operations.some(({isWrite}) => isWrite)) await allowWrite(connection, `${operations.length} operations`, undefined);
  await runSteps(workOf(operations), {command: command, flags, printing, connection});
}

async function printRequestsOf(operations: readonly NumberedRequest[], connection: Connection): Promise<void> {
  const sent = [];
  for (const {requests} of operations) sent.push(...(await requests(connection)));
  await printDryRun(sent, connection);
}
