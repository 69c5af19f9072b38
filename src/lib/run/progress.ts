/** How far a run is: one line that is drawn again and again at a terminal, now and then a plain one in a log. */
import {Speed} from './speed.js';

/** `bar` for a terminal, `lines` for a log. */
export type ProgressStyle = 'bar' | 'lines' | 'none';

export interface ProgressState {
  /** Targets that ended well, and those that did not. */
  readonly done: number;
  readonly failed: number;
  /** Of those done, how many an earlier run did. */
  readonly resumed: number;
  readonly total: number | undefined;
  /** Milliseconds for which nothing is sent. */
  readonly pausedFor: number | undefined;
  /** Whether requests are held apart, by a limit of the server or of the user. */
  readonly isLimited: boolean;
}

export interface ProgressOptions {
  readonly style: ProgressStyle;
  /** To standard error. */
  readonly write: (text: string) => void;
  readonly state: () => ProgressState;
  /** Columns of the terminal, asked for with every drawing. */
  readonly width: () => number;
}

const interval = {bar: 100, lines: 10_000};
const longestBar = 30;
const shortestBar = 10;
const clearLine = '\r\u001B[K';

const count = (number: number): string => number.toLocaleString('en');

function perSecond(rate: number): string {
  return `${rate < 10 ? rate.toFixed(1) : count(Math.round(rate))}/s`;
}

/** `0:07`, `1:42`, `2:01:42`. */
export function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const two = (number: number) => String(number).padStart(2, '0');
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** What there is to say, the most important first. @param rate targets a second; undefined when there is none yet */
function parts(state: ProgressState, rate: number | undefined): string[] {
  const {done, failed, total, pausedFor, isLimited} = state;
  const over = done + failed;
  const said = [total === undefined ? `${count(over)} done` : `${count(over)} of ${count(total)}`];
  if (failed > 0) said.push(`${count(failed)} failed`);
  if (pausedFor !== undefined && pausedFor > 0) said.push(`paused by the server for ${duration(pausedFor)}`);
  if (rate === undefined || rate === 0) return said;
  said.push(isLimited ? `${perSecond(rate)} (limited)` : perSecond(rate));
  if (total !== undefined && over < total) said.push(`${duration(((total - over) / rate) * 1000)} left`);
  return said;
}

/** One line that is no wider than the terminal; what matters least is left out first. */
export function barLine(state: ProgressState, rate: number | undefined, width: number): string {
  const said = parts(state, rate);
  while (said.length > 1 && said.join(', ').length > width) said.pop();
  const words = said.join(', ').slice(0, width);
  const room = Math.min(longestBar, width - words.length - 3);
  if (state.total === undefined || state.total === 0 || room < shortestBar) return words;
  const full = Math.floor((room * Math.min(state.done + state.failed, state.total)) / state.total);
  return `[${'#'.repeat(full)}${'-'.repeat(room - full)}] ${words}`;
}

export class Progress {
  readonly #options: ProgressOptions;
  readonly #speed = new Speed();
  readonly #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;

  /** Begins at once; {@link end} stops it. */
  constructor(options: ProgressOptions) {
    this.#options = options;
    if (options.style === 'none') return;
    this.#speed.note(this.#sent(), performance.now());
    this.#timer = setInterval(() => this.#show(), interval[options.style]);
  }

  /** Takes the line away, for something else to be written; it comes back by itself. */
  hide(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    this.#options.write(clearLine);
  }

  end(): void {
    clearInterval(this.#timer);
    this.hide();
  }

  /** What earlier runs did says nothing of the speed of this one. */
  #sent(): number {
    const {done, failed, resumed} = this.#options.state();
    return done + failed - resumed;
  }

  #show(): void {
    const {style, write, state, width} = this.#options;
    this.#speed.note(this.#sent(), performance.now());
    const rate = this.#speed.perSecond;
    if (style === 'lines') return write(`${parts(state(), rate).join(', ')}\n`);
    // In the last column some terminals break the line.
    write(`${clearLine}${barLine(state(), rate, width() - 1)}`);
    this.#isDrawn = true;
  }
}
