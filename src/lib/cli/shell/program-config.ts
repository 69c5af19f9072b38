/** The configuration of oclif, made from the files of the program. oclif's own search for plugins, hooks and themes takes longer. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {Config, type Command, type Interfaces} from '@oclif/core';
import type {CommandClass} from '../command.js';
import {withIo, type Io} from '../io.js';
import {readPackage, userAgentOf} from './version.js';

/** A function that loads each command, by the command's name with colons: `blocks:list`. */
export type CommandTable = Readonly<Record<string, () => Promise<{readonly default: CommandClass}>>>;

export interface Program {
  /** The folder that holds package.json and oclif.manifest.json. */
  readonly root: string;
  readonly commands: CommandTable;
}

type Flags = Command.Cached['flags'];

/** A command in the manifest. A flag that is null is defined among the shared flags. */
type Stored = {
  readonly [Key in keyof Command.Cached]: Key extends 'flags' ? {readonly [Name in keyof Flags]: Flags[Name] | null} : Command.Cached[Key];
};

/** oclif.manifest.json: the flags that several commands have, by name, and the commands by id. */
interface Manifest {
  readonly flags: Flags;
  readonly commands: Readonly<Record<string, Stored>>;
}

function isManifest(found: unknown): found is Manifest {
  return typeof found === 'object' && found !== null && 'flags' in found && 'commands' in found;
}

/** @returns the commands of a manifest, each with all of its flags */
export function commandsIn({flags: shared, commands}: Manifest): Command.Cached[] {
  return Object.values(commands).map((command) => {
    const flags = Object.entries(command.flags).flatMap(([name, own]) => {
      const flag = own ?? shared[name];
      return flag === undefined ? [] : [[name, flag] as const];
    });
    return {...command, flags: Object.fromEntries(flags)};
  });
}

export class ProgramConfig extends Config {
  readonly #program: Program;
  #all: Command.Loadable[] | undefined;

  constructor(program: Program, io: Io) {
    super(withIo({root: program.root}, io));
    this.#program = program;
    const pjson = readPackage(program.root);
    const {name, version} = pjson;
    Object.assign(this, {name, bin: name, root: program.root, pjson, version, topicSeparator: ' ', valid: true});
    this.userAgent = userAgentOf(pjson);
  }

  override get commandIDs(): string[] {
    return Object.keys(this.#program.commands);
  }

  override get commands(): Command.Loadable[] {
    if (this.#all === undefined) {
      const manifest: unknown = JSON.parse(readFileSync(join(this.root, 'oclif.manifest.json'), 'utf8'));
      if (!isManifest(manifest)) throw new Error('oclif.manifest.json is incomplete');
      this.#all = commandsIn(manifest).map((command) => ({...command, load: () => this.loadCommand(command.id)}));
    }
    return this.#all;
  }

  /** Includes commands, because oclif's help shows only topics that are the start of another name. */
  override get topics(): Interfaces.Topic[] {
    return [...this.#topics, ...this.commands.map(({id, summary}) => ({name: id, description: summary}))];
  }

  get #topics(): Interfaces.Topic[] {
    return Object.entries(this.pjson.oclif.topics ?? {}).map(([name, topic]) => ({...topic, name}));
  }

  override findTopic(id: string, options: {must: true}): Interfaces.Topic;
  override findTopic(id: string, options?: {must: boolean}): Interfaces.Topic | undefined;
  override findTopic(id: string): Interfaces.Topic | undefined {
    return this.#topics.find(({name}) => name === id);
  }

  override findCommand(id: string, options: {must: true}): Command.Loadable;
  override findCommand(id: string, options?: {must: boolean}): Command.Loadable | undefined;
  override findCommand(id: string): Command.Loadable | undefined {
    return this.commands.find((command) => command.id === id);
  }

  /** @throws Error for an unknown command */
  async loadCommand(id: string): Promise<CommandClass> {
    const loaded = await this.#program.commands[id]?.();
    if (loaded === undefined) throw new Error(`There is no command ${id}`);
    loaded.default.id = id;
    return loaded.default;
  }

  override async runHook<Event extends keyof Interfaces.Hooks, Known extends Interfaces.Hooks = Interfaces.Hooks>(): Promise<
    Interfaces.Hook.Result<Known[Event]['return']>
  > {
    return {successes: [], failures: []};
  }
}
