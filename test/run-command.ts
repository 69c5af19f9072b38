/** Runs a command in this process with the words of a command line: what it prints, and how it exits. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import {Config, type Command} from '@oclif/core';
import nock from 'nock';
import {vi} from 'vitest';

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
  /** The modules of the last such run are used again: much quicker, for commands that do not read standard input. */
  readonly keepsModules?: true | undefined;
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
type CommandClass = typeof Command & (new (argv: string[], config: Config) => Command);

async function loaded(words: readonly string[]): Promise<{Made: CommandClass; argv: string[]}> {
  const {file, id, argv} = commandFile(words);
  const {default: Made}: {default: CommandClass} = await import(file);
  Made.id = id;
  return {Made, argv};
}

/** The command that a command asks for: that of the source, and not the one that was built last. */
function findInSource(this: Config, id: string) {
  const known = this.commands.find((command) => command.id === id);
  return known && {...known, load: async () => (await loaded(id.split(':'))).Made};
}

let runs = 0;
let kept: Promise<Config> | undefined;

function standardInput({input = '', typing}: Around): PassThrough {
  const stream = new PassThrough();
  if (typing === undefined) return stream.end(input);
  return Object.assign(stream, {isTTY: true, setRawMode: () => stream});
}

/** Puts a value in place of a property until the returned function is called. */
function replaced(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, {value, configurable: true, writable: true});
  return () => (before === undefined ? Reflect.deleteProperty(target, name) : Object.defineProperty(target, name, before));
}

export async function runCommand(words: readonly string[], around: Around = {}): Promise<Run> {
  const printed = {stdout: '', stderr: ''};
  const stdin = standardInput(around);
  let isAsked = false;
  /** A person types when there is a question, and not before, key by key. */
  const answer = async () => {
    isAsked = true;
    for (const key of around.typing ?? '') {
      await setImmediate();
      stdin.write(key);
    }
  };
  const keep =
    (name: 'stderr' | 'stdout') =>
    (chunk: Uint8Array | string, ...rest: readonly unknown[]) => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      for (const done of rest) if (typeof done === 'function') done();
      if (name === 'stderr' && !isAsked && printed.stderr.includes('?')) void answer();
      return true;
    };
  const environment = {
    PIXELCTL_SERVER: server,
    PIXELCTL_TOKEN: token,
    XDG_CACHE_HOME: join(process.env['XDG_CACHE_HOME'] ?? '', String((runs += 1))),
    ...around.environment,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const restore = [
    replaced(process, 'stdin', stdin),
    replaced(process.stdout, 'write', keep('stdout')),
    replaced(process.stderr, 'write', keep('stderr')),
    replaced(process.stderr, 'isTTY', around.typing !== undefined),
    // Wide enough that no question is broken into lines.
    replaced(process.stderr, 'columns', 1000),
    replaced(process.stdout, 'isTTY', false),
    replaced(Config.prototype, 'findCommand', findInSource),
  ];
  const exitCode = process.exitCode;
  process.exitCode = 0;
  try {
    // Standard input can be read once in the life of a program: every run gets modules of its own.
    if (around.keepsModules !== true) vi.resetModules();
    const {Made, argv} = await loaded(words);
    await Made.run(argv, await (around.keepsModules === true ? (kept ??= Config.load(root)) : Config.load(root)));
    // Warnings of Node come a little later, and belong to this run.
    await setImmediate();
    return {...printed, status: Number(process.exitCode)};
  } finally {
    process.exitCode = exitCode;
    for (const undo of restore) undo();
    vi.unstubAllEnvs();
  }
}
