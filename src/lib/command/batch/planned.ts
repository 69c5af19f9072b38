/** From the text of a batch to its operations, each checked before the first one is sent. */
import type {Config} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import type {Suggest} from '../../client/suggest.js';
import type {Connection} from '../connection.js';
import {EndpointCommand, type Operation} from '../endpoint-command.js';
import {nearest} from '../failure/nearest.js';
import type {Session} from '../session.js';
import {parseBatchLine, wordsOf, type BatchLine} from './batch-line.js';

export interface Planned extends Operation {
  readonly line: BatchLine;
}

type EndpointCommandClass = typeof EndpointCommand;

const mostProblems = 10;

function isEndpointCommand(command: unknown): command is EndpointCommandClass {
  return typeof command === 'function' && command.prototype instanceof EndpointCommand;
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
  readonly #loaded = new Map<string, EndpointCommandClass>();

  constructor(config: Config) {
    this.#config = config;
  }

  async get(id: string): Promise<EndpointCommandClass> {
    const known = this.#loaded.get(id);
    if (known !== undefined) return known;
    const found = await this.#config.findCommand(id)?.load();
    const name = id.replaceAll(':', ' ');
    if (isEndpointCommand(found)) {
      this.#loaded.set(id, found);
      return found;
    }
    if (found !== undefined) throw new Failure('usage', `"${name}" cannot be part of a batch`, {hint: 'only commands that call one endpoint can'});
    const near = nearest(name, this.#config.commandIDs.map((other) => other.replaceAll(':', ' ')));
    throw new Failure('usage', `there is no command "${name}"`, {hint: near && `did you mean "${near}"?`});
  }
}

/** @throws Failure `usage` with the numbers of the lines that cannot be sent */
export async function plannedOperations(text: string, config: Config, session: Session): Promise<Planned[]> {
  const commands = new Commands(config);
  const problems = new Problems(session.suggest);
  const planned: Planned[] = [];
  for (const [index, raw] of text.replace(/^\u{feff}/u, '').split(/\r?\n/).entries()) {
    const number = index + 1;
    if (raw.trim() === '') continue;
    await problems.of(number, async () => {
      const line = parseBatchLine(raw.trim(), number);
      const command = await commands.get(line.command);
      const operations = await new command(wordsOf(line, command.flags), config).operations(session);
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
