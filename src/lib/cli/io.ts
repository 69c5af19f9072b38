/** Streams, environment and clock of a run. main.ts passes those of the process; tests pass their own. */
import {fstatSync} from 'node:fs';
import type {Writable} from 'node:stream';
import {asFailure, cannotRead, Failure, localFailure} from '../client/failure.js';
import {systemCode} from '../files/system-error.js';
import {readGivenText, textFrom} from '../files/read-text.js';
import {at} from '../json/path.js';
import {inertData, inertPainted, withoutCommands} from '../print/inert.js';
import type {Nature, Sink, Terminal} from '../print/format.js';
import type {SignalSource} from '../run/index.js';
import type {Clock} from '../client/retry.js';
import type {Environment} from '../files/runtime.js';

type OutputStream = Writable & {readonly isTTY?: boolean; readonly columns?: number};

/** The parts of `process` that a run uses. */
export interface System extends SignalSource {
  readonly stdin: NodeJS.ReadableStream & {readonly isTTY?: boolean; readonly fd?: number};
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Environment;
  /** For waits between requests; the clock of the machine by default. */
  readonly clock?: Clock | undefined;
  exitCode?: number | string | null | undefined;
}

function wantsColor(isTerminal: boolean, {NO_COLOR = '', FORCE_COLOR, TERM}: Environment): boolean {
  if (NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}

function widthSet({COLUMNS = ''}: Environment): number | undefined {
  return /^[1-9]\d{0,4}$/.test(COLUMNS) ? Number(COLUMNS) : undefined;
}

/** @param width the number of columns in a pipe or a file */
function describeTerminal(stream: OutputStream, env: Environment, width = Number.POSITIVE_INFINITY): Terminal {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    width: isTerminal ? (widthSet(env) ?? (stream.columns || 80)) : width,
    color: wantsColor(isTerminal, env),
  };
}

/** Variables of CI systems that run commands found in the output of a job. Forgejo and Gitea set GitHub's variable. */
const commandReaders = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION', 'GITLAB_CI'];

/** Data is exact in a pipe or file. At a terminal, control characters of servers are escaped; text for people contains no commands for CI. */
function inertFor(stream: OutputStream, text: string, nature: Nature, env: Environment): string {
  if (nature === 'data') return stream.isTTY ? inertData(text) : text;
  const painted = inertPainted(text);
  return commandReaders.some((name) => (env[name] ?? '') !== '') ? withoutCommands(painted) : painted;
}

/** The variable of Node that switches off the checks of certificates, if it is 0. */
export const certificateSwitch = 'NODE_TLS_REJECT_UNAUTHORIZED';

export class Io implements Sink {
  readonly system: System;
  readonly env: Environment;
  /** The time of day. For durations use `performance.now()`, which no change of the clock moves. */
  readonly now: () => Date;
  /** The warnings and notes that were given and are not repeated, however many accounts a run has. */
  readonly said = new Set<string>();
  #isInputRead = false;
  #isReaderGone = false;
  /** Removes the status line from the terminal. It is called before anything else is written. */
  clearLine: (() => void) | undefined;

  constructor(system: System, now: () => Date = () => new Date(), env = system.env) {
    this.system = system;
    this.now = now;
    this.env = env;
  }

  get out(): Terminal {
    return describeTerminal(this.system.stdout, this.env, widthSet(this.env));
  }

  get err(): Terminal {
    return describeTerminal(this.system.stderr, this.env);
  }

  get isInputTerminal(): boolean {
    return this.system.stdin.isTTY === true;
  }

  /** Whether standard input is a pipe or a file. In a scheduled job it is neither. */
  get isInputPiped(): boolean {
    const {fd, isTTY} = this.system.stdin;
    if (isTTY === true || fd === undefined) return false;
    const input = fstatSync(fd);
    return input.isFIFO() || input.isFile() || input.isSocket();
  }

  /** Advice for somebody who pipes in data, but did not pass `-` for the argument; undefined if nothing is piped in. */
  pipeHint(argument: string): string | undefined {
    return this.isInputPiped ? `to read standard input, pass - as ${argument}` : undefined;
  }

  /** Whether a person can answer a question: standard input and standard error are a terminal. */
  get canAsk(): boolean {
    return this.isInputTerminal && this.err.isTerminal;
  }

  /** Whether the reader of standard output has gone away: nothing more needs to be fetched or printed. */
  get isReaderGone(): boolean {
    return this.#isReaderGone;
  }

  set exitStatus(status: number) {
    this.system.exitCode = status;
  }

  /**
   * The text of a file, or of standard input where the file is `-`.
   * @param what the file in words, for messages
   * @throws Failure as {@link readStandardInput} and {@link cannotRead} do
   */
  read(file: string, what: string): Promise<string> {
    return file === '-' ? this.readStandardInput() : readGivenText(file).catch(cannotRead(what));
  }

  /**
   * All of standard input as text.
   * @throws Failure `usage` if another argument or flag of the command reads it already, or if it is not text
   */
  async readStandardInput(): Promise<string> {
    if (this.#isInputRead) throw new Failure('usage', 'Only one argument or flag can read standard input');
    this.#isInputRead = true;
    if (this.isInputTerminal) this.tell('Reading from the terminal. Press Ctrl-D to end.\n');
    return textFrom(this.system.stdin, 'standard input').catch((error: unknown) => {
      throw asFailure(error);
    });
  }

  /**
   * All of standard input as one value, without the newline at its end.
   * @throws Failure `usage` when it is empty
   */
  async readValue(): Promise<string> {
    const text = (await this.readStandardInput()).replace(/\r?\n$/, '');
    if (text === '') throw new Failure('usage', 'Standard input is empty: nothing was sent');
    return text;
  }

  /** Writes lines for people, or an error for scripts, to standard error. The caller makes texts of servers inert. */
  tell(lines: string): void {
    const {stderr} = this.system;
    this.clearLine?.();
    stderr.write(inertFor(stderr, lines, 'painted', this.env));
  }

  /** Draws or removes the status line. */
  drawOver(text: string): void {
    const {stderr} = this.system;
    stderr.write(inertFor(stderr, text, 'painted', this.env));
  }

  /**
   * Writes to standard output and waits until it is taken.
   * @throws Failure `local` when it cannot be written; a reader that went away is no failure
   */
  async write(text: string, nature: Nature): Promise<void> {
    if (text === '' || this.#isReaderGone) return;
    const {stdout} = this.system;
    this.clearLine?.();
    await new Promise<void>((resolve, reject) => {
      stdout.write(inertFor(stdout, text, nature, this.env), (error) => {
        if (!error) return resolve();
        if (systemCode(error) !== 'EPIPE') return reject(localFailure('Cannot write to standard output', error));
        this.#isReaderGone = true;
        resolve();
      });
    });
  }
}

/** oclif creates commands and help itself, so the Io is passed in its configuration. */
const option = 'pixelctlIo';

export function withIo<Options extends object>(options: Options, io: Io): Options {
  return {...options, [option]: io};
}

let ofProcess: Io | undefined;

/** The environment for another program, which must not get the token. */
function withoutTokens(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('PIXELCTL_TOKEN')));
}

/** The Io of this process. After the first call, programs that it starts, such as a browser, inherit no token. */
export function ioOfProcess(): Io {
  if (ofProcess !== undefined) return ofProcess;
  const env = {...process.env};
  const allowed = withoutTokens(env);
  for (const name of Object.keys(env)) if (!Object.hasOwn(allowed, name)) delete process.env[name];
  return (ofProcess = new Io(process, undefined, env));
}

/** The Io that was given with {@link withIo}, else that of the process. */
export function ioOf(config: object): Io {
  const given = at(config, ['options', option]).value;
  return given instanceof Io ? given : ioOfProcess();
}
