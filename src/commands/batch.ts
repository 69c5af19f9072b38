import {Args} from '@oclif/core';
import {allowWrite} from '../lib/cli/prompts.js';
import {checkRequests, readBatch, type NumberedRequest} from '../lib/cli/endpoint/batch.js';
import {connect, type Connection} from '../lib/cli/connection.js';
import {runFlags, writeFlags} from '../lib/cli/flags.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {printDryRun} from '../lib/cli/dry-run.js';
import {printingOf, checkFields, type Printing} from '../lib/cli/printing.js';
import {runSteps, type Work} from '../lib/cli/bulk-run.js';
import type {Session} from '../lib/cli/session.js';
import {operationsView, resultText} from '../lib/run/results.js';

/** The operations as one piece of work, whose results name the lines that they come from. */
function workOf(operations: readonly NumberedRequest[]): Work {
  return {
    total: operations.length,
    inputs: operations.map(({input}) => input),
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
  const printing = await printingOf(session);
  return session.hasChosenFormat ? printing : {...printing, format: 'ndjson'};
}

export default class Batch extends PixelctlCommand {
  static override summary = 'Run many commands in one process';
  static override description = `Each line of FILE, or of standard input, is a command as you would type it, \`filters delete 3 --yes\`, or a JSON object: {"command": "filters delete", "args": ["3"], "flags": {"yes": true}, "id": "any"}. Lines that begin with # are comments. No shell expands the lines. Only \`api\` and commands that call one endpoint can be used. The operations share connections and run several at a time; with --concurrency 1 they run one after another. All lines are checked before anything is sent. The output is one result per operation, with its line number and its id.

The token needs the scopes of these commands.`;
  static override usage = '<%= command.id %> [FILE] [flags]';
  static override args = {
    FILE: Args.string({description: 'file with one operation per line (-, the default: standard input)', ignoreStdin: true}),
  };
  static override flags = {...runFlags, ...writeFlags};
  static override examples = [
    {description: 'Run the operations in a file', command: '<%= config.bin %> batch operations.txt'},
    {
      description: 'Mark every conversation as read, eight at a time',
      command: `pixelctl dm list --json | jq -c '.data[] | {command: "dm read", args: [.id]}' | pixelctl batch --concurrency 8`,
    },
  ];

  override async run(): Promise<void> {
    const {
      args: {FILE: file = '-'},
      flags,
      session,
    } = await this.start(Batch);
    const printing = await batchPrinting(session);
    const operations = await readBatch(await session.io.read(file, `the batch ${file}`), this.config, session);
    await using connection = await connect(session);
    await checkRequests(operations, connection);
    if (session.dryRun) return await this.#printRequests(operations, connection);
    await checkFields(printing, {of: 'batch'}, session);
    if (operations.some(({isWrite}) => isWrite)) await allowWrite(connection, `${operations.length} operations`, undefined);
    await runSteps(workOf(operations), {command: this.words, flags, printing, connection});
  }

  async #printRequests(operations: readonly NumberedRequest[], connection: Connection): Promise<void> {
    const sent = [];
    for (const {requests} of operations) sent.push(...(await requests(connection)));
    await printDryRun(sent, connection);
  }
}
