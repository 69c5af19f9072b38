/** Reads a batch into operations, and checks all of them before the first one is sent. */
import type {Config, Interfaces} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import type {Connection} from '../connection.js';
import type {BatchRequest} from './endpoint-command.js';
import {commandLength} from '../command-words.js';
import {noCommand} from '../unknown-command.js';
import type {PixelctlCommand} from '../command.js';
import type {Session} from '../session.js';
import {parseInput, sourceText} from '../../json/exact.js';
import {wordsOfShell} from '../../files/shell-word.js';
import {fieldTexts} from '../../json/slices.js';
import {followFlags, globalFlags, pagingFlags, targetFlags, writeFlags} from '../flags.js';
import {isObject} from '../../api/schema.js';
import {firstOf, shortened} from '../../json/text.js';

export interface NumberedRequest extends BatchRequest {
  readonly line: BatchLine;
}

/** A command whose requests a batch can send. */
interface BatchCommand {
  readonly flags: Interfaces.FlagInput;
  new (argv: string[], config: Config): PixelctlCommand & {batchRequests(session: Session): Promise<readonly BatchRequest[]>};
}

const maxProblems = 10;

function isBatchCommand(command: unknown): command is BatchCommand {
  return typeof command === 'function' && 'batchRequests' in command.prototype;
}

/** Collects the errors of all lines, to report them together. */
class Problems {
  readonly #found: string[] = [];

  async of<Result>(number: number, look: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const hint = error.details.hint;
      const advice = hint === undefined ? '' : ` (${hint})`;
      this.#found.push(`Line ${number}: ${error.message.replace(/: nothing was sent$/, '')}${advice}`);
      return undefined;
    }
  }

  /** @throws Failure `usage` when there are any */
  refuse(): void {
    if (this.#found.length === 0) return;
    throw new Failure('usage', `${firstOf(this.#found, maxProblems, {between: '; '})}: nothing was sent`);
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
      hint: 'only api and commands that call one endpoint can be used',
    });
  }
}

/** @throws Failure `usage` with the numbers of the lines that cannot be sent */
export async function readBatch(text: string, config: Config, session: Session): Promise<NumberedRequest[]> {
  const commands = new Commands(config);
  const problems = new Problems();
  const found: NumberedRequest[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const number = index + 1;
    if (/^\s*(#|$)/.test(raw)) continue;
    await problems.of(number, async () => {
      const line = parseBatchLine(raw.trim(), number, config.commandIDs);
      const command = await commands.get(line.command);
      const requests = await new command(line.words(command.flags), config).batchRequests(session);
      for (const operation of requests) found.push({...operation, line});
    });
  }
  problems.refuse();
  return found;
}

/** @throws Failure `usage` with the numbers of the lines that the account or the limits of its server show to be wrong */
export async function checkRequests(requests: readonly NumberedRequest[], connection: Connection): Promise<void> {
  const problems = new Problems();
  for (const {line, check} of requests) await problems.of(line.number, () => check(connection));
  problems.refuse();
}

interface BatchLine {
  /** Counted from 1. */
  readonly number: number;
  /** As oclif has it: `filters:delete`. */
  readonly command: string;
  /**
   * As they would be typed after the command's name.
   * @param known the flags that the command has
   * @throws Failure `usage` for a flag that a line cannot have
   */
  readonly words: (known: Interfaces.FlagInput) => string[];
  /** The line's own `id` as raw JSON; absent when it has none. */
  readonly id: string | undefined;
}

const known = ['command', 'args', 'flags', 'id'];

/** Characters of a name in a message. */
const maxShown = 60;

/** Flags that apply to the whole batch, or that would read its standard input. They would be ignored in a line, so they are refused. */
const ofTheBatch = new Set([...Object.keys({...globalFlags, ...targetFlags, 'dry-run': writeFlags['dry-run']}), 'help']);

/** Flags that ask for more than one request. */
const ofLists = new Set(Object.keys({...pagingFlags, ...followFlags}));

function wordOf(value: unknown, where: string): string {
  const word = typeof value === 'string' ? value : sourceText(value);
  if (word !== undefined) return word;
  throw new Failure('usage', `${where} must be a string or a number`);
}

const noInput = 'a line cannot read standard input';

function argumentsIn(args: unknown): string[] {
  if (args === undefined) return [];
  if (!Array.isArray(args)) throw new Failure('usage', '"args" must be a list');
  const words = args.map((value: unknown) => wordOf(value, 'each of "args"'));
  if (words.includes('-')) throw new Failure('usage', noInput);
  return words;
}

function refuseOfTheBatch(name: string): void {
  if (ofLists.has(name)) throw new Failure('usage', `the flag "${name}" cannot be part of a batch: each line sends one request`);
  if (ofTheBatch.has(name))
    throw new Failure('usage', `the flag "${name}" applies to the whole batch: pass it to the batch command, not in a line`);
}

function flagWords(name: string, value: unknown, flag: Interfaces.FlagInput[string] | undefined): string[] {
  if (!/^[a-z][a-z-]{1,60}$/.test(name)) throw new Failure('usage', 'flag names look like "media-id"');
  refuseOfTheBatch(name);
  if (flag?.type === 'boolean' && typeof value === 'boolean') {
    const negation = flag.allowNo === true ? [`--no-${name}`] : [];
    return value ? [`--${name}`] : negation;
  }
  if (name === 'input' && value === '-') throw new Failure('usage', noInput);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((item) => `--${name}=${wordOf(item, `the flag "${name}"`)}`);
}

function parseJsonLine(text: string, number: number): BatchLine {
  let value: unknown;
  try {
    value = parseInput(text);
  } catch {
    throw new Failure('usage', 'it is not valid JSON');
  }
  if (!isObject(value)) throw new Failure('usage', 'it must be a JSON object');
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger !== undefined)
    throw new Failure('usage', `unknown member "${shortened(stranger, maxShown)}"; known members are ${known.join(', ')}`);
  const {command, args, flags = {}} = value;
  if (typeof command !== 'string' || command.trim() === '') throw new Failure('usage', 'it has no "command"');
  if (!isObject(flags)) throw new Failure('usage', '"flags" must be an object');
  const given = argumentsIn(args);
  return {
    number,
    command: command.trim().split(/[ :]+/).join(':'),
    words(knownFlags) {
      const words = Object.entries(flags).flatMap(([name, one]) => flagWords(name, one, knownFlags[name]));
      return given.length === 0 ? words : [...words, '--', ...given];
    },
    id: fieldTexts(text).get('id'),
  };
}

/** Short flags that every command has, except -y. */
const shortOfTheBatch: ReadonlyMap<string, string> = new Map([
  ['h', 'help'],
  ...Object.entries(globalFlags).flatMap(([name, {char}]) => (char === undefined ? [] : [[char, name] as const])),
]);

/** Refuses flags that a line cannot have. A value that looks like one must be joined to its flag: `--title=-s`. */
function checkedWords(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  for (const [index, word] of words.entries()) {
    if (word === '-' || word === '--input=-') throw new Failure('usage', noInput);
    if (end !== -1 && index > end) continue;
    if (word.startsWith('--')) refuseOfTheBatch(word.slice(2).split('=', 1)[0] ?? '');
    else if (word.startsWith('-')) refuseOfTheBatch(shortOfTheBatch.get(word.charAt(1)) ?? '');
  }
  return [...words];
}

function parseTypedLine(text: string, number: number, ids: readonly string[]): BatchLine {
  let words: string[];
  try {
    words = wordsOfShell(text);
  } catch (error) {
    throw new Failure('usage', `it cannot be read: ${error instanceof Error ? error.message : ''}`, {
      hint: 'no shell expands the lines of a batch',
    });
  }
  if (words[0] === 'pixelctl') words.shift();
  const flag = words.findIndex((word) => word.startsWith('-'));
  // An unknown command is named with the words that were looked up.
  const count = commandLength(words, ids) ?? (flag === -1 ? words.length : flag);
  return {
    number,
    command: words.slice(0, count).join(':'),
    words: () => checkedWords(words.slice(count)),
    id: undefined,
  };
}

/**
 * @param ids of all commands, as oclif has them
 * @throws Failure `usage` for a line that is no operation
 */
export function parseBatchLine(text: string, number: number, ids: readonly string[]): BatchLine {
  return /^[{[]/.test(text) ? parseJsonLine(text, number) : parseTypedLine(text, number, ids);
}
