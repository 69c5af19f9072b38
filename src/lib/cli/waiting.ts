/** Says what is waited for: at a terminal on one line that goes when it is over, in CI on a line for each long pause. */
import type {Wait} from '../client/client.js';
import {inert} from '../print/inert.js';
import {paint} from '../print/palette.js';
import type {Io} from './io.js';

/** Milliseconds of silence before something is said at a terminal, and between two drawings of the line. */
const patience = 1000;
const interval = 250;

/** Milliseconds of a pause that is said in CI. */
const longPause = 10_000;

const clear = '\r\u001B[K';

/** `12 s`, `3 min`. */
function roughly(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
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

class WaitingLine {
  readonly #io: Io;
  readonly #waits = new Set<Wait>();
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;
  #silentSince = performance.now();

  constructor(io: Io) {
    this.#io = io;
    io.clearLine = () => this.#interrupt();
  }

  /** @returns called when it is over */
  begin(wait: Wait): () => void {
    if (!this.#io.err.isTerminal) {
      const isLong = 'left' in wait.for && wait.for.why !== 'rate' && wait.for.left() > longPause;
      if (isLong) this.#io.tell(`${inert(wordsFor(wait, 0))}\n`);
      return () => {};
    }
    this.#waits.add(wait);
    this.#timer ??= setInterval(() => this.#draw(), interval).unref();
    this.#draw();
    return () => {
      this.#waits.delete(wait);
      if (this.#waits.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#hide();
    };
  }

  /** Pauses say more than answers that take their time. */
  #shown(): Wait | undefined {
    const waits = [...this.#waits];
    return waits.find((wait) => 'left' in wait.for) ?? waits[0];
  }

  #draw(): void {
    const silence = performance.now() - this.#silentSince;
    const wait = this.#shown();
    if (silence < patience || wait === undefined) return;
    const {width, color} = this.#io.err;
    // Some terminals break the line in the last column. Hosts and paths are ASCII.
    const words = inert(wordsFor(wait, silence)).slice(0, Math.max(0, width - 1));
    this.#io.drawOver(`${clear}${paint('dim', words, {color})}`);
    this.#isDrawn = true;
  }

  #hide(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    this.#io.drawOver(clear);
  }

  #interrupt(): void {
    this.#hide();
    this.#silentSince = performance.now();
  }
}

const lines = new WeakMap<Io, WaitingLine>();

/** One for all that a run waits for. */
export function waitingLineOf(io: Io): WaitingLine {
  const line = lines.get(io) ?? new WaitingLine(io);
  lines.set(io, line);
  return line;
}
