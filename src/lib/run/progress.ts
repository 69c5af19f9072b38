/** The progress of a run: a line that is redrawn at a terminal, or plain lines now and then in a log. */

/** `bar` for a terminal, `lines` for a log. */
export type ProgressStyle = 'bar' | 'lines' | 'none';

export interface ProgressState {
  /** Targets. */
  readonly done: number;
  readonly failed: number;
  /** How many of those done were done by an earlier run. */
  readonly resumed: number;
  readonly total: number | undefined;
  /** Milliseconds until the server lets requests through again. */
  readonly pausedFor: number | undefined;
  /** Whether a limit of the server or of the user slows requests down. */
  readonly isLimited: boolean;
}

export interface ProgressOptions {
  readonly style: ProgressStyle;
  /** To standard error. */
  readonly write: (text: string) => void;
  readonly state: () => ProgressState;
  /** Columns of the terminal, which may be resized. */
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

/** The most important part first. @param rate targets a second; undefined until it is known */
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

/** A line that fits the terminal: the least important parts are left out. */
export function barLine(state: ProgressState, rate: number | undefined, width: number): string {
  const said = parts(state, rate);
  while (said.length > 1 && said.join(', ').length > width) said.pop();
  const words = said.join(', ').slice(0, width);
  const room = Math.min(longestBar, width - words.length - 3);
  if (state.total === undefined || state.total === 0 || room < shortestBar) return words;
  const full = Math.floor((room * Math.min(state.done + state.failed, state.total)) / state.total);
  return `[${'#'.repeat(full)}${'-'.repeat(room - full)}] ${words}`;
}

/** Milliseconds over which the speed is measured. */
const span = 15_000;

interface Mark {
  readonly at: number;
  readonly count: number;
}

/** How fast a count grew in the last seconds. */
class Speed {
  #marks: Mark[] = [];

  /** @param at milliseconds */
  note(count: number, at: number): void {
    // Keeps the mark at which the span begins.
    const begin = this.#marks.findLastIndex((mark) => mark.at <= at - span);
    this.#marks = [...this.#marks.slice(Math.max(0, begin)), {at, count}];
  }

  /** Undefined until there are two marks. */
  get perSecond(): number | undefined {
    const [first] = this.#marks;
    const last = this.#marks.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return undefined;
    return ((last.count - first.count) / (last.at - first.at)) * 1000;
  }
}

export class Progress implements Disposable {
  readonly #options: ProgressOptions;
  readonly #speed = new Speed();
  readonly #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;

  /** Starts at once. Disposing of it removes the line. */
  constructor(options: ProgressOptions) {
    this.#options = options;
    if (options.style === 'none') return;
    this.#speed.note(this.#sent(), performance.now());
    this.#timer = setInterval(() => this.#show(), interval[options.style]);
  }

  /** Removes the line, so that something else can be written. It is drawn again later. */
  hide(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    this.#options.write(clearLine);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.hide();
  }

  /** Without what earlier runs did, which says nothing about the speed of this one. */
  #sent(): number {
    const {done, failed, resumed} = this.#options.state();
    return done + failed - resumed;
  }

  #show(): void {
    const {style, write, state, width} = this.#options;
    this.#speed.note(this.#sent(), performance.now());
    const rate = this.#speed.perSecond;
    if (style === 'lines') return write(`${parts(state(), rate).join(', ')}\n`);
    // Some terminals break the line in the last column.
    write(`${clearLine}${barLine(state(), rate, width() - 1)}`);
    this.#isDrawn = true;
  }
}
