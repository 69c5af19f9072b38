/** One line below what is written at a terminal, which does not stay: how far a run is, or else what is waited for. Where there is no terminal, lines now and then. */
import type {Wait} from '../client/client.js';
import {inert} from '../print/inert.js';
import {paint} from '../print/palette.js';
import type {FormatTraits} from '../print/print.js';
import type {Progress, ProgressState} from '../run/index.js';
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

class StatusLine {
  readonly #io: Io;
  readonly #waits = new Set<Wait>();
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;
  #silentSince = performance.now();
  #progress: Progress | undefined;

  constructor(io: Io) {
    this.#io = io;
    io.clearLine = () => this.#interrupt();
  }

  /** Shows the progress of a run, and nothing else, until that is disposed of. */
  show(progress: Progress): Disposable {
    this.#hide();
    this.#progress = progress;
    return {
      [Symbol.dispose]: () => {
        progress[Symbol.dispose]();
        this.#progress = undefined;
      },
    };
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
    if (silence < patience || wait === undefined || this.#progress !== undefined) return;
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
    this.#progress?.hide();
    this.#hide();
    this.#silentSince = performance.now();
  }
}

const lines = new WeakMap<Io, StatusLine>();

/** One for all that a run does. */
export function statusLineOf(io: Io): StatusLine {
  const line = lines.get(io) ?? new StatusLine(io);
  lines.set(io, line);
  return line;
}

/** A function that shows the progress of a run on standard error. */
export async function showProgress({
  flags,
  io,
  traits,
}: {
  readonly flags: {readonly quiet?: boolean | undefined};
  readonly io: Io;
  readonly traits: FormatTraits;
}): Promise<(state: () => ProgressState) => Disposable> {
  const {Progress} = await import('../run/progress.js');
  const inLog = traits.isForPrograms ? 'none' : 'lines';
  const style = flags.quiet ? 'none' : io.err.isTerminal ? 'bar' : inLog;
  const write = style === 'bar' ? (text: string) => io.drawOver(text) : (text: string) => io.tell(text);
  return (state) => statusLineOf(io).show(new Progress({style, write, width: () => io.err.width, state}));
}
