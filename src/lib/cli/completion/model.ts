/** What can be typed at each position of a command line. The build makes a table of it (scripts/bundle.js). */
import type {Interfaces} from '@oclif/core';
import type {CommandClass} from '../command.js';
import type {CommandTable} from '../shell/program-config.js';
import {globalKnownValues, leadingFlags} from '../flags.js';

/** What a flag or an argument takes. Values that are not offered are valid, too. */
export interface Value {
  readonly known?: readonly string[] | undefined;
  /** Whether saved profiles are offered. */
  readonly profiles?: true | undefined;
  /** Whether files are offered. */
  readonly files?: true | undefined;
  /** Whether several values can be given with commas between them. */
  readonly isList?: true | undefined;
}

export interface Flag {
  /** All spellings, with dashes. */
  readonly names: readonly string[];
  readonly about: string;
  /** Absent if the flag takes no value. */
  readonly value?: Value | undefined;
}

export interface Argument extends Value {
  readonly about: string;
  readonly repeats?: true | undefined;
}

/** The program, a topic or a command. A topic can be a command, too. */
export interface Node<FlagForm = Flag> {
  /** The words that can follow, and what they are for. */
  readonly next: Readonly<Record<string, string>>;
  readonly flags: readonly FlagForm[];
  readonly arguments: readonly Argument[];
}

/** Nodes by their words: `dm list`, or an empty text for the program. They have indexes of flags, because most commands share them. */
export interface CompletionTable {
  readonly flags: readonly Flag[];
  readonly nodes: Readonly<Record<string, Node<number>>>;
}

/** Values that are offered, by the name of the flag or argument. */
type KnownValues = Readonly<Record<string, readonly string[]>>;

const helpFlag: Flag = {names: ['--help'], about: 'show help'};
const versionFlag: Flag = {names: ['--version'], about: 'show the version'};

const file = {files: true} as const;
const profiles = {profiles: true} as const;

/** What is offered for a value, by the name that help shows for it. */
const byShownName: readonly (readonly [RegExp, Value])[] = [
  [/^(LEFT|RIGHT)$/, {...file, ...profiles}],
  [/^POLICY$|(^|_|=)FILE$/, file],
  [/^(NAME|PROFILE|PROFILES)$/, profiles],
];

/** What is offered for a flag, by its own name. It overrides the name that help shows for the value. */
const byFlagName: Readonly<Record<string, Value>> = {
  column: {},
  policy: file,
  profile: profiles,
};

function firstLine({summary, description}: {summary?: string | undefined; description?: string | undefined}): string {
  return (summary ?? description ?? '').split('\n', 1)[0] ?? '';
}

function valueOf(name: string, shown: string, known: readonly string[]): Value {
  const [, usual] = byShownName.find(([pattern]) => pattern.test(shown)) ?? [];
  return {...(byFlagName[name] ?? usual), ...(known.length > 0 && {known})};
}

function flagOf(name: string, flag: Interfaces.FlagInput[string], offered: KnownValues): Flag {
  const short = flag.char === undefined ? [] : [`-${flag.char}`];
  if (flag.type === 'boolean') {
    const negated = flag.allowNo === true ? [`--no-${name}`] : [];
    return {names: [...short, `--${name}`, ...negated], about: firstLine(flag)};
  }
  const known = offered[name] ?? flag.options ?? [];
  const shown = [flag.helpValue ?? []].flat().join(' ');
  const isList = flag.multiple === true && flag.delimiter === ',';
  return {
    names: [...short, `--${name}`],
    about: firstLine(flag),
    value: {...valueOf(name, shown, known), ...(isList && {isList})},
  };
}

function argumentOf(name: string, argument: Interfaces.ArgInput[string], offered: KnownValues): Argument {
  const known = offered[name] ?? argument.options ?? [];
  return {
    about: firstLine(argument),
    ...(argument.multiple === true && {repeats: true}),
    ...valueOf(name, name, known),
  };
}

function flagsOf(flags: Interfaces.FlagInput, offered: KnownValues): Flag[] {
  const shown = Object.entries(flags).filter(([, flag]) => flag.hidden !== true);
  return [...shown.map(([name, flag]) => flagOf(name, flag, offered)), helpFlag];
}

function partsOf(command: CommandClass): Pick<Node, 'arguments' | 'flags'> {
  const offered = {...globalKnownValues, ...command.knownValues};
  const args = Object.entries(command.args).filter(([, argument]) => argument.hidden !== true);
  return {
    flags: flagsOf({...command.baseFlags, ...command.flags}, offered),
    arguments: args.map(([name, argument]) => argumentOf(name, argument, offered)),
  };
}

async function nodesOf(commands: CommandTable, topics: Readonly<Record<string, string>>): Promise<Record<string, Node>> {
  const all = await Promise.all(Object.entries(commands).map(async ([id, load]) => ({id, command: (await load()).default})));
  const shown = all.filter(({command}) => !command.hidden);
  const about = new Map([
    ...Object.entries(topics).map(([id, description]) => [id, firstLine({description})] as const),
    ...shown.map(({id, command}) => [id, firstLine(command)] as const),
  ]);
  const parts = new Map(shown.map(({id, command}) => [id, partsOf(command)]));

  const ids = new Set(shown.flatMap(({id}) => id.split(':').map((_, index, path) => path.slice(0, index + 1).join(':'))));
  const nextOf = (id: string) => {
    const next = [...ids].filter((other) => other.split(':').slice(0, -1).join(':') === id).toSorted();
    return Object.fromEntries(next.map((other) => [other.split(':').at(-1) ?? '', about.get(other) ?? '']));
  };
  const leading = flagsOf(leadingFlags, globalKnownValues);
  const root = {next: {...nextOf(''), help: 'Show help'}, flags: [...leading, versionFlag], arguments: []};
  const others = [...ids].toSorted().map((id) => {
    const {flags = leading, arguments: args = []} = parts.get(id) ?? {};
    return [id.replaceAll(':', ' '), {next: nextOf(id), flags, arguments: args}] as const;
  });
  return {'': root, ...Object.fromEntries(others)};
}

/** @param topics titles of topics by name */
export async function tableOf(commands: CommandTable, topics: Readonly<Record<string, string>>): Promise<CompletionTable> {
  const nodes = await nodesOf(commands, topics);
  const indexes = new Map<string, number>();
  const flags: Flag[] = [];
  const indexOf = (flag: Flag): number => {
    const key = JSON.stringify(flag);
    const index = indexes.get(key) ?? flags.push(flag) - 1;
    indexes.set(key, index);
    return index;
  };
  const entries = Object.entries(nodes).map(([words, node]) => [words, {...node, flags: node.flags.map(indexOf)}] as const);
  return {flags, nodes: Object.fromEntries(entries)};
}
