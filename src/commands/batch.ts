import {Failure} from '../lib/client/failure.js';
import {allowWrite} from '../lib/command/asking/acting-account.js';
import {parseBatchLine, type BatchLine} from '../lib/command/batch/batch-line.js';
import {connect} from '../lib/command/connection.js';
import {EndpointCommand, type Operation} from '../lib/command/endpoint-command.js';
import {runFlags, writeFlags} from '../lib/command/global-flags.js';
import {PixelctlCommand, type Typed} from '../lib/command/pixelctl-command.js';
import {printingOf} from '../lib/command/printing/printing.js';
import {runSteps} from '../lib/command/printing/run-steps.js';
import type {Session} from '../lib/command/session.js';
import {readStandardInput} from '../lib/command/standard-streams.js';
import {resultText} from '../lib/output/results.js';

interface Planned extends Operation {
  readonly line: BatchLine;
}

function isEndpointCommand(command: unknown): command is typeof EndpointCommand {
  return typeof command === 'function' && command.prototype instanceof EndpointCommand;
}

const {yes} = writeFlags;
const mostProblems = 10;

export default class Batch extends PixelctlCommand {
  static override summary = 'Run many operations in one process';
  static override description = `Each line of standard input is a JSON object: {"command": "filters delete", "args": ["3"], "flags": {"yes": true}, "id": "any"}. All go over one pool of connections, several at a time: with --concurrency 1 each waits for the one before it. Lines are checked before anything is sent. What comes out is one result a line, with the line's number and its id.

Calls the endpoints of the commands in it; the scopes are theirs.`;
  static override usage = '<%= command.id %> [--flags] < FILE';
  static override flags = {...runFlags, yes};
  static override examples = [
    {description: 'A file of operations', command: '<%= config.bin %> batch < operations.ndjson'},
    {
      description: 'Read every conversation, eight at a time',
      command: `pixelctl dm list --json | jq -c '.data[] | {command: "dm read", args: [.id]}' | pixelctl batch --concurrency 8`,
    },
  ];

  protected override async execute({flags}: Typed, session: Session): Promise<void> {
    const printing = await printingOf(session);
    const text = await readStandardInput();
    const operations = await this.#operations(text, session);
    const connection = await connect(session);
    try {
      if (operations.some(({isWrite}) => isWrite)) await allowWrite(connection, `${operations.length} operations`, undefined);
      await runSteps(
        {
          total: operations.length,
          inputs: operations.map(({line}) => JSON.stringify([line.command, ...line.argv])),
          *steps(over) {
            for (const {target, repeat, run} of operations) yield {target, repeat, run: () => run(over)};
          },
          textOf(result, index) {
            const {number, id} = operations[index]?.line ?? {number: index + 1, id: undefined};
            const own = id === undefined ? '' : `"id":${id},`;
            return `{"line":${number},${own}${resultText(result).slice(1)}`;
          },
        },
        {
          command: this.words,
          flags,
          printing: session.flags.output === undefined && !session.flags.json ? {...printing, format: 'ndjson'} : printing,
          connection,
        },
      );
    } finally {
      await connection.close();
    }
  }

  async #operations(text: string, session: Session): Promise<Planned[]> {
    const planned: Planned[] = [];
    const problems: string[] = [];
    for (const [index, raw] of text.split(/\r?\n/).entries()) {
      const line = raw.trim();
      if (line === '') continue;
      try {
        planned.push(...(await this.#planned(parseBatchLine(line, index + 1), session)));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const hint = error.details.hint === undefined ? '' : ` (${error.details.hint})`;
        problems.push(`Line ${index + 1}: ${error.message}${hint}`);
      }
    }
    if (problems.length === 0) return planned;
    const more = problems.length > mostProblems ? `; and ${problems.length - mostProblems} more` : '';
    throw new Failure('usage', `${problems.slice(0, mostProblems).join('; ')}${more}: nothing was sent`);
  }

  async #planned(line: BatchLine, session: Session): Promise<Planned[]> {
    const found = await this.config.findCommand(line.command)?.load();
    if (!isEndpointCommand(found)) {
      throw new Failure('usage', `"${line.command.replaceAll(':', ' ')}" is no command that calls an endpoint`);
    }
    return (await new found([...line.argv], this.config).operations(session)).map((operation) => ({...operation, line}));
  }
}
