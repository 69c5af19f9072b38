/** From the text of a batch to its operations, each checked before the first one is sent. */
import type {Config, Interfaces} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import type {Suggest} from '../../client/suggest.js';
import type {Connection} from '../connection.js';
import type {Operation} from '../endpoint-command.js';
import {noCommand} from '../failure/not-found.js';
import type {PixelctlCommand} from '../pixelctl-command.js';
import type {Session} from '../session.js';
import {parseBatchLine, type BatchLine} from './batch-line.js';

export interface Planned extends Operation {
  readonly line: BatchLine;
}

/** A command that says what it would do, for others to do. */
interface BatchCommand {
  readonly flags: Interfaces.FlagInput;
  new (argv: string[], config: Config): PixelctlCommand & {operations(session: Session): Promise<readonly Operation[]>};
}

const mostProblems = 10;

function isBatchCommand(command: unknown): command is BatchCommand {
  return typeof command === 'function' && 'operations' in command.prototype;
}

/** Collects what is wrong with the lines, for all of it to be told at once. */
class Problems {
  readonly #found: string[] = [];
  readonly #suggest: Suggest;

  constructor(suggest: Suggest) {
    this.#suggest = suggest;
  }

  async of<Result>(number: number, look: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const hint = error.hintFor(this.#suggest);
      const advice = hint === undefined ? '' : ` (${hint})`;
      this.#found.push(`Line ${number}: ${error.message.replace(/: nothing was sent$/, '')}${advice}`);
      return undefined;
    }
  }

  /** @throws Failure `usage` when there are any */
  refuse(): void {
    if (this.#found.length === 0) return;
    const more = this.#found.length > mostProblems ? `; and ${this.#found.length - mostProblems} more` : '';
    throw new Failure('usage', `${this.#found.slice(0, mostProblems).join('; ')}${more}: nothing was sent`);
  }
}

/** The commands by name, each loaded once. */
class Commands {
  readonly #config: Config;
  readonly #loaded = new Map<string, BatchCommand>();

  constructor(config: Config) {
    this.#config = config;
  }

  async get(id: string): Promise<BatchCommand> {
    const known = this.#loaded.get(id);
    if (known !== undefined) return known;
    const found = await this.#config.findCommand(id)?.load();
    if (isBatchCommand(found)) {
      this.#loaded.set(id, found);
      return found;
    }
    if (found === undefined) throw noCommand(id.split(':'), this.#config.commandIDs);
    throw new Failure('usage', `"${id.replaceAll(':', ' ')}" cannot be part of a batch`, {
      hint: 'only api and commands that call one endpoint can',
    });
  }
}

/** @throws Failure `usage` with the numbers of the lines that cannot be sent */
export async function plannedOperations(text: string, config: Config, session: Session): Promise<Planned[]> {
  const commands = new Commands(config);
  const problems = new Problems(session.suggest);
  const planned: Planned[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const number = index + 1;
    if (/^\s*(#|$)/.test(raw)) continue;
    await problems.of(number, async () => {
      const line = parseBatchLine(raw.trim(), number, config.commandIDs);
      const command = await commands.get(line.command);
      const operations = await new command(line.words(command.flags), config).operations(session);
      for (const operation of operations) planned.push({...operation, line});
    });
  }
  problems.refuse();
  return planned;
}

/** @throws Failure `usage` with the numbers of the lines that are over a limit that the server publishes */
export async function checkLimits(operations: readonly Planned[], connection: Connection): Promise<void> {
  const problems = new Problems(connection.suggest);
  for (const {line, check} of operations) await problems.of(line.number, () => check(connection));
  problems.refuse();
}
