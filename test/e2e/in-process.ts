/**
 * Runs the built program in the process of the tests: some ten milliseconds for a run, where a process of its own takes hundreds.
 * Another program (see program.ts) runs as a process here, too, unless the test wants what only this process can give.
 */
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Writable} from 'node:stream';
import nock from 'nock';
import {Io, type System} from '../../dist/lib/cli/io.js';
import {runWith} from '../../dist/lib/cli/shell/main.js';
import {complete, program} from '../../dist/main.js';
import {completionWord} from '../../dist/lib/cli/shell/version.js';
import type {Clock} from '../../src/lib/client/retry.js';
import {checkDocuments} from '../json-documents.js';
import {SkippingClock} from '../loopback-server.js';
import {testSystem, type Surroundings} from '../system.js';
import {runInFolder} from '../working-folder.js';
import {isOtherProgram, newFolder, run as runProcess, start, type Circumstances, type Ended, type Running} from './program.js';

export interface Setting extends Circumstances {
  /** For waits between requests: all are over at once, unless it is given. */
  readonly clock?: Clock;
  /** What writing to standard output fails with, as `EPIPE`. */
  readonly outputError?: string | undefined;
  /** Both outputs come as standard output. */
  readonly together?: boolean;
  /** Makes both outputs terminals of this many columns. */
  readonly columns?: number | undefined;
  /** Makes standard input a terminal, too, at which this is typed; see `test/system.ts`. */
  readonly typing?: Surroundings['typing'];
}

/** What runs in this process: of the clone, or of a copy of it. */
export interface Build {
  readonly Io: typeof Io;
  readonly complete: typeof complete;
  readonly program: typeof program;
  readonly runWith: typeof runWith;
}

const clone: Build = {Io, complete, program, runWith};

/** @param folder of a copy of the project that is built */
export async function buildOf(folder: string): Promise<Build> {
  const load = (file: string) => import(pathToFileURL(join(folder, 'dist', file)).href);
  return {...(await load('main.js')), ...(await load('lib/cli/io.js')), ...(await load('lib/cli/shell/main.js'))};
}

/** Whether another program is to be run, which has the machine's clock and no terminal. */
const isElsewhere = ({clock, outputError, together, columns, typing}: Setting): boolean =>
  isOtherProgram && [clock, outputError, together, columns, typing].every((value) => value === undefined);

/** For everything but signals, pipes, terminals, memory, and what Node itself takes from the environment: use `run` of program.ts there. */
export function run(args: readonly string[], circumstances: Setting = {}): Promise<Ended> {
  if (!isElsewhere(circumstances)) return runBuild(clone, args, circumstances);
  // nock stands between the program and its sockets, also for requests that it lets through.
  nock.restore();
  return runProcess(args, circumstances);
}

/** Runs a command with another build, as {@link run} does. */
export function runBuild(build: Build, args: readonly string[], circumstances: Setting): Promise<Ended> {
  nock.restore();
  const {folder} = circumstances;
  const runNow = () => beginNow(build, args, circumstances, circumstances.stdin ?? '').ended;
  return folder === undefined ? runNow() : runInFolder(folder, runNow);
}

/** A run that has not ended yet. */
export interface Begun extends Pick<Running, 'ended' | 'seen'> {
  /** Standard input, which stays open. */
  readonly stdin: Writable;
  /** Sends it a signal. */
  readonly signal: (name: 'SIGINT' | 'SIGTERM') => void;
}

/** Begins a run to which the test answers. For signals and terminals use `start` of program.ts. */
export function begin(args: readonly string[], circumstances: Omit<Setting, 'folder' | 'stdin'> = {}): Begun {
  nock.restore();
  if (isElsewhere(circumstances)) {
    const {child, ended, seen} = start(args, {...circumstances, stdin: null});
    return {ended, seen, stdin: child.stdin, signal: (name) => void child.kill(name)};
  }
  return beginNow(clone, args, circumstances, null);
}

/** What the program draws over a line with. */
const clearLine = '\r\u001B[K';

function beginNow(build: Build, args: readonly string[], setting: Setting, input: string | null): Begun {
  const {env = {}, clock = new SkippingClock(), outputError, columns, typing, together} = setting;
  const home = newFolder();
  const places = {XDG_CACHE_HOME: join(home, 'cache'), XDG_DATA_HOME: join(home, 'data'), PIXELCTL_CONFIG_DIR: join(home, 'config')};
  const {system, printed, seen, stdin, signal} = testSystem({
    input,
    clock,
    outputError,
    together,
    columns,
    typing,
    errorColumns: columns,
    env: {HOME: home, ...places, ...env},
  });
  const ended = toItsEnd(build, args, system).then((): Ended => {
    if (outputError === undefined && together !== true && columns === undefined) checkDocuments(args, printed);
    // What waits draw over at a terminal is there only if the machine is slow.
    const drawn = printed.stderr.split(clearLine);
    const left = drawn.filter((text, at) => at === 0 || at === drawn.length - 1 || text.includes('\n'));
    const stderr = typing === undefined ? printed.stderr : left.join(clearLine);
    return {...printed, stderr, status: Number(system.exitCode ?? 0), signal: null};
  });
  return {
    ended,
    stdin,
    signal,
    seen: (pattern) =>
      Promise.race([
        seen(pattern),
        ended.then(({stdout, stderr}) => {
          throw new Error(`It ended without ${pattern}: ${stdout}${stderr}`);
        }),
      ]),
  };
}

async function toItsEnd(build: Build, args: readonly string[], system: System): Promise<void> {
  const [first, ...others] = args;
  if (first === completionWord) await build.complete(others, new build.Io(system));
  else await build.runWith([...args], await build.program(), new build.Io(system));
}
