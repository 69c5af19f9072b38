/** Runs a command in this process with the words of a command line: what it prints, and how it exits. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {Config, type Command, type Interfaces} from '@oclif/core';
import nock from 'nock';
import {Io, withIo} from '../src/lib/cli/io.js';
import {testSystem} from './system.js';

const root = join(import.meta.dirname, '..');

export const server = 'https://pix.example';
export const token = 'token-of-the-test';

export interface Around {
  /** Standard input; nothing unless given. */
  readonly input?: string | Uint8Array | undefined;
  /** Standard input and standard error are a terminal, at which this is typed once there is a question. */
  readonly typing?: string | undefined;
  /** Beside the server and the token; undefined takes one away. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** The server that commands talk to unless told otherwise. A stub that is not used, or a request without one, fails the test. */
export function pixelfed(headers: Readonly<Record<string, string>> = {authorization: `Bearer ${token}`}) {
  return nock(server, {reqheaders: {accept: 'application/json', ...headers}});
}

/** One that has no limits to publish, as servers before 2026. */
export function serverWithoutLimits() {
  nock(server).get('/api/v2.1/config').reply(404, {error: 'The route api/v2.1/config could not be found.'});
}

function commandFile(words: readonly string[]): {file: string; id: string; argv: string[]} {
  for (const length of [2, 1]) {
    const file = join(root, 'src/commands', `${words.slice(0, length).join('/')}.ts`);
    if (existsSync(file)) return {file, id: words.slice(0, length).join(':'), argv: words.slice(length)};
  }
  throw new Error(`There is no command ${words.join(' ')}`);
}

/** A command that can be made; `Command` itself is abstract. */
type CommandClass = (new (argv: string[], config: Config) => Command) & typeof Command;

async function loaded(words: readonly string[]): Promise<{Made: CommandClass; argv: string[]}> {
  const {file, id, argv} = commandFile(words);
  const {default: Made}: {default: CommandClass} = await import(file);
  Made.id = id;
  return {Made, argv};
}

/** Finds commands in the source, not in what was built last. */
class SourceConfig extends Config {
  override findCommand(id: string, options: {must: true}): Command.Loadable;
  override findCommand(id: string, options?: {must: boolean}): Command.Loadable | undefined;
  override findCommand(id: string): Command.Loadable | undefined {
    const known = this.commands.find((command) => command.id === id);
    return known && {...known, load: async () => (await loaded(id.split(':'))).Made};
  }
}

let plugins: Promise<Map<string, Interfaces.Plugin>> | undefined;

/** The plugin is read once for all runs. */
async function configFor(io: Io): Promise<Config> {
  plugins ??= Config.load(root).then((config) => new Map(config.getPluginsList().map((plugin) => [plugin.name, plugin])));
  const config = new SourceConfig(withIo({root, plugins: await plugins}, io));
  await config.load();
  return config;
}

let runs = 0;

export async function runCommand(words: readonly string[], around: Around = {}): Promise<Run> {
  const {input, typing, environment} = around;
  const env = {
    ...process.env,
    PIXELCTL_SERVER: server,
    PIXELCTL_TOKEN: token,
    XDG_CACHE_HOME: join(process.env['XDG_CACHE_HOME'] ?? '', String((runs += 1))),
    ...environment,
  };
  const {system, printed} = testSystem({input, typing, env});
  const {Made, argv} = await loaded(words);
  const command = new Made(argv, await configFor(new Io(system)));
  // `Made.run` would make a configuration of its own.
  const run: unknown = Reflect.get(command, '_run');
  if (typeof run === 'function') await Reflect.apply(run, command, []);
  return {...printed, status: Number(system.exitCode ?? 0)};
}
