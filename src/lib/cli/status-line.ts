/** The status line at a terminal shows the progress of a run, or else what it waits for. */
import {oncePer} from '../api/schema.js';
import type {Wait} from '../client/client.js';
import {withCommas} from '../json/text.js';
import {inert} from '../print/inert.js';
import {paint} from '../print/palette.js';
import type {RunCounts} from '../run/index.js';
import type {Io} from './io.js';

/** Milliseconds of silence before a wait is shown, and between two drawings of the line. */
const patience = 1000;
const interval = 250;

const clear = '\r\u001B[K';

/** The progress of a run. Numbers can be fractions, because a target may be done in part. */
export interface ProgressState extends Pick<RunCounts, 'done' | 'failed'> {
  readonly total: number | undefined;
  /** Milliseconds until the server lets requests through again. */
  readonly pausedFor?: number | undefined;
  /** What else was done meanwhile: `1,200 messages`. */
  readonly more?: readonly string[];
}

/** `12 s`, `3 min`, `5 h`. */
function roughly(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3600)} h`;
}

/** The parts of the line, the most important one first. */
export function progressWords({done, failed, total, pausedFor = 0, more = []}: ProgressState): string[] {
  const whole = withCommas(Math.floor(done + failed));
  const said = [total === undefined ? `${whole} done` : `${whole} of ${withCommas(total)}`];
  if (failed > 0) said.push(`${withCommas(failed)} failed`);
  said.push(...more);
  if (pausedFor > 0) said.push(`paused by the server for ${roughly(pausedFor)}`);
  return said;
}

/** @param silence milliseconds since anything was written */
function wordsFor({host, for: what}: Wait, silence: number): string {
  if ('path' in what) return `Waiting for ${host} for ${roughly(silence)}: ${what.method} ${what.path}`;
  const left = roughly(what.left());
  if (what.why === 'retry') return `Trying ${host} again in ${left}`;
  return what.why === 'rate'
    ? `Waiting ${left} between requests to ${host}, as --rate asks`
    : `Waiting ${left} for ${host}, which limits requests`;
}

class StatusLine {
  readonly #io: Io;
  readonly #waits = new Set<Wait>();
  #progress: (() => string[]) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;
  #silentSince = performance.now();

  constructor(io: Io) {
    this.#io = io;
    io.clearLine = () => {
      this.#hide();
      this.#silentSince = performance.now();
    };
  }

  /** Shows the progress of a run, and nothing else, until the result is disposed of. */
  show(words: () => string[]): Disposable {
    this.#progress = words;
    this.#timer ??= setInterval(() => this.#draw(), interval).unref();
    return {
      [Symbol.dispose]: () => {
        this.#progress = undefined;
        this.#rest();
      },
    };
  }

  /** Shows a wait. @returns a function to call when the wait is over */
  begin(wait: Wait): () => void {
    this.#waits.add(wait);
    this.#timer ??= setInterval(() => this.#draw(), interval).unref();
    this.#draw();
    return () => {
      this.#waits.delete(wait);
      this.#rest();
    };
  }

  /** Stops when there is nothing to show. */
  #rest(): void {
    if (this.#progress !== undefined) return;
    this.#hide();
    if (this.#waits.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #words(width: number): string | undefined {
    if (this.#progress !== undefined) {
      const said = this.#progress();
      while (said.length > 1 && said.join(', ').length > width) said.pop();
      return said.join(', ');
    }
    const silence = performance.now() - this.#silentSince;
    const waits = [...this.#waits];
    // A pause tells more than a slow answer.
    const wait = waits.find(({for: what}) => 'left' in what) ?? waits[0];
    return wait === undefined || silence < patience ? undefined : wordsFor(wait, silence);
  }

  #draw(): void {
    const {width, color} = this.#io.err;
    // Some terminals break the line in the last column. Hosts and paths are ASCII, so each character has one column.
    const room = Math.max(0, width - 1);
    const words = this.#words(room);
    if (words === undefined) return;
    this.#io.drawOver(`${clear}${paint('dim', inert(words).slice(0, room), {color})}`);
    this.#isDrawn = true;
  }

  #hide(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    this.#io.drawOver(clear);
  }
}

/** The status line that all parts of a run share. */
export const statusLineOf = oncePer((io: Io) => new StatusLine(io));

/** Shows the progress of a run on standard error, until the result is disposed of. */
export function showProgress(
  {flags, io}: {readonly flags: {readonly quiet?: boolean | undefined}; readonly io: Io},
  state: () => ProgressState,
): Disposable {
  if (flags.quiet || !io.err.isTerminal) return {[Symbol.dispose]: () => {}};
  return statusLineOf(io).show(() => progressWords(state()));
}
