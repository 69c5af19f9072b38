/** Streams, environment and signals for one run in this process, in place of the process's own. */
import {EventEmitter} from 'node:events';
import {PassThrough, Writable} from 'node:stream';
import {setImmediate} from 'node:timers/promises';
import type {System} from '../src/lib/cli/io.js';
import type {Clock} from '../src/lib/client/retry.js';

export interface Surroundings {
  /** Standard input; empty unless given. Null leaves it open. */
  readonly input?: string | Uint8Array | null | undefined;
  /**
   * Makes standard input and standard error a terminal, at which this is typed once there is a question. Of several, one is typed at
   * each question, and the last one at all further questions.
   */
  readonly typing?: string | readonly string[] | undefined;
  /** Makes standard output a terminal of this many columns. */
  readonly columns?: number | undefined;
  /** Makes standard error a terminal of this many columns, where nobody types. */
  readonly errorColumns?: number | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** For waits between requests; that of the machine unless given. */
  readonly clock?: Clock | undefined;
  /** What writing to standard output fails with, as `EPIPE`. */
  readonly outputError?: string | undefined;
  /** Both outputs come as standard output, in order, as with `2>&1`. */
  readonly together?: boolean | undefined;
}

/** @param begin called when keys are about to be read one by one, for a question */
function standardInput({input = '', typing}: Surroundings, begin: () => void): PassThrough & {isTTY?: boolean} {
  const stream = new PassThrough();
  if (typing === undefined) return input === null ? stream : stream.end(input);
  const setRawMode = (isRaw: boolean) => {
    if (isRaw) begin();
    return stream;
  };
  return Object.assign(stream, {isTTY: true, setRawMode});
}

interface Output {
  readonly isTTY: boolean;
  readonly columns?: number | undefined;
  /** What writing fails with. */
  readonly error?: string | undefined;
}

function outputTo(take: (text: string) => void, {error, ...terminal}: Output) {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: Uint8Array | string, _, done) {
      if (error !== undefined) return done(Object.assign(new Error(error), {code: error}));
      take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      done();
    },
  });
  // The program ignores these errors of the process's own, too: whoever writes is told.
  stream.on('error', () => {});
  // Like the process's own, it is not ended by what is piped into it.
  return Object.assign(stream, {isTTY: terminal.isTTY, columns: terminal.columns ?? 80, end: () => stream});
}

export interface TestSystem {
  readonly system: System;
  /** What was written so far. */
  readonly printed: {readonly stdout: string; readonly stderr: string};
  /** Resolves with all that was written, once that contains this. */
  readonly seen: (pattern: RegExp) => Promise<string>;
  /** Standard input, where it was left open. */
  readonly stdin: Writable;
  /** Sends a signal to whoever listens. */
  readonly signal: (name: 'SIGINT' | 'SIGTERM') => void;
}

export function testSystem(surroundings: Surroundings = {}): TestSystem {
  const {typing, columns, errorColumns, env = {}, clock, outputError, together = false} = surroundings;
  const printed = {stdout: '', stderr: ''};
  const looks = new Set<() => void>();
  const write = (name: keyof typeof printed, text: string): void => {
    printed[name] += text;
    for (const look of looks) look();
  };
  const seen = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const all = printed.stdout + printed.stderr;
        if (!pattern.test(all)) return;
        looks.delete(look);
        resolve(all);
      };
      looks.add(look);
      look();
    });
  const answers = [typing ?? ''].flat();
  /** Where in standard error the next question is. */
  let questionFrom: number | undefined;
  let asked = 0;
  const stdin = standardInput(surroundings, () => (questionFrom = printed.stderr.length));
  const signals = new EventEmitter();
  /** A person types when there is a question, and not before, key by key. */
  const answer = async () => {
    questionFrom = undefined;
    const keys = answers[Math.min(asked, answers.length - 1)] ?? '';
    asked += 1;
    for (const key of keys) {
      await setImmediate();
      stdin.write(key);
    }
  };
  const system: System = {
    stdin,
    stdout: outputTo((text) => write('stdout', text), {isTTY: columns !== undefined, columns, error: outputError}),
    stderr: outputTo(
      (text) => {
        write(together ? 'stdout' : 'stderr', text);
        if (questionFrom !== undefined && printed.stderr.includes('?', questionFrom)) void answer();
      },
      // Wide enough that no question is broken into lines.
      {isTTY: (typing ?? errorColumns) !== undefined, columns: errorColumns ?? 1000},
    ),
    env,
    clock,
    pid: process.pid,
    kill: () => true,
    on: (name, listener) => signals.on(name, listener),
    off: (name, listener) => signals.off(name, listener),
  };
  return {system, printed, seen, stdin, signal: (name) => void signals.emit(name)};
}
