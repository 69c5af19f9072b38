/** What can be typed at each position of a command line: the data of the completion scripts. */
import type {Command, Config, Interfaces} from '@oclif/core';
import * as z from 'zod/mini';
import {globalKnownValues} from '../flags.js';

/** What a flag or an argument takes. */
export interface Value {
  readonly name: string;
  /** Values to offer; others are valid, too. */
  readonly known: readonly string[];
  readonly isFile: boolean;
}

export interface Flag {
  /** All spellings, with dashes. */
  readonly names: readonly string[];
  readonly about: string;
  readonly repeats: boolean;
  /** Absent when it takes none. */
  readonly value?: Value;
}

export interface Argument extends Value {
  readonly about: string;
  readonly repeats: boolean;
}

/** The program, a topic or a command. A topic can be a command, too. */
export interface Node {
  /** `dm list`; nothing for the program itself. */
  readonly words: string;
  /** The words that can follow. */
  readonly next: readonly {readonly word: string; readonly about: string}[];
  readonly flags: readonly Flag[];
  readonly arguments: readonly Argument[];
}

type KnownValues = Readonly<Record<string, readonly string[]>>;

const knownValuesShape = z._default(z.record(z.string(), z.array(z.string())), {});

const helpFlag: Flag = {names: ['--help'], about: 'show help', repeats: false};
const versionFlag: Flag = {names: ['--version'], about: 'show the version', repeats: false};

function firstLine({summary, description}: {summary?: string | undefined; description?: string | undefined}): string {
  return (summary ?? description ?? '').split('\n', 1)[0] ?? '';
}

/** Removes the known values, which completion shows itself. */
function withoutKnown(about: string, known: readonly string[]): string {
  return about.replace(`; known: ${known.join(', ')}`, '');
}

/** Judged by the name that help shows: `FILE`, `INPUT_FILE`, or a seed, which can be a file. */
function isFileName(name: string): boolean {
  return /(^|_)FILE$|^SEED$/.test(name);
}

function flagOf(name: string, flag: Interfaces.FlagInput[string], knownValues: KnownValues): Flag {
  const short = flag.char === undefined ? [] : [`-${flag.char}`];
  if (flag.type === 'boolean') {
    const negated = flag.allowNo === true ? [`--no-${name}`] : [];
    return {names: [...short, `--${name}`, ...negated], about: firstLine(flag), repeats: false};
  }
  const known = knownValues[name] ?? flag.options ?? [];
  const valueName = flag.helpValue === undefined ? name.toUpperCase() : [flag.helpValue].flat().join(' ');
  return {
    names: [...short, `--${name}`],
    about: withoutKnown(firstLine(flag), known),
    repeats: flag.multiple === true,
    value: {name: valueName, known, isFile: isFileName(valueName)},
  };
}

function argumentOf(name: string, argument: Interfaces.ArgInput[string], knownValues: KnownValues): Argument {
  const known = knownValues[name] ?? argument.options ?? [];
  return {
    name,
    about: withoutKnown(firstLine(argument), known),
    known,
    isFile: isFileName(name),
    repeats: argument.multiple === true,
  };
}

function partsOf(command: Command.Class): Pick<Node, 'arguments' | 'flags'> {
  const known = {...globalKnownValues, ...z.parse(knownValuesShape, Reflect.get(command, 'knownValues'))};
  const flags = Object.entries({...command.baseFlags, ...command.flags}).filter(([, flag]) => flag.hidden !== true);
  const args = Object.entries(command.args).filter(([, argument]) => argument.hidden !== true);
  return {
    flags: flags.map(([name, flag]) => flagOf(name, flag, known)),
    arguments: args.map(([name, argument]) => argumentOf(name, argument, known)),
  };
}

/** Every node of the program, the program itself first. */
export async function nodesOf(config: Pick<Config, 'commands' | 'topics'>): Promise<Node[]> {
  const commands = config.commands.filter(({hidden}) => hidden !== true);
  const about = new Map(config.topics.map((topic) => [topic.name, firstLine(topic)]));
  for (const command of commands) about.set(command.id, firstLine(command));
  // Reads the classes, because the manifest lacks some statics.
  const parts = new Map(await Promise.all(commands.map(async (command) => [command.id, partsOf(await command.load())] as const)));

  const paths = commands.map(({id}) => id.split(':'));
  const ids = new Set(paths.flatMap((path) => path.map((_, index) => path.slice(0, index + 1).join(':'))));
  const nextOf = (id: string) =>
    [...ids]
      .filter((other) => other.split(':').slice(0, -1).join(':') === id)
      .toSorted()
      .map((other) => ({word: other.split(':').at(-1) ?? '', about: about.get(other) ?? ''}));

  const root = {words: '', next: nextOf(''), flags: [helpFlag, versionFlag], arguments: []};
  const others = [...ids].toSorted().map((id) => ({
    words: id.replaceAll(':', ' '),
    next: nextOf(id),
    flags: [...(parts.get(id)?.flags ?? []), helpFlag],
    arguments: parts.get(id)?.arguments ?? [],
  }));
  return [root, ...others];
}
