/** The progress of a run: a line that is redrawn at a terminal, or plain lines now and then in a log. */
import {withCommas} from '../json/text.js';
import type {RunCounts} from './run.js';

/** `bar` for a terminal, `lines` for a log. */
export type ProgressStyle = 'bar' | 'lines' | 'none';

/** Of targets, which may be done in part. */
export interface ProgressState extends Pick<RunCounts, 'done' | 'failed' | 'resumed'> {
  readonly total: number | undefined;
  /** Milliseconds until the server lets requests through again. */
  readonly pausedFor: number | undefined;
  /** Requests a second that a limit of the server or of the user allows. */
  readonly limit: number | undefined;
  /** What else was done meanwhile: `1,200 messages`. */
  readonly more?: readonly string[];
}

interface ProgressOptions {
  readonly style: ProgressStyle;
  /** To standard error. */
  readonly write: (text: string) => void;
  readonly state: () => ProgressState;
  /** Columns of the terminal, which may be resized. */
  readonly width: () => number;
}

const interval = {bar: 100, lines: 10_000};
/** Milliseconds over which the speed is measured. */
const span = 15_000;
const maxBarWidth = 30;
const minBarWidth = 10;
const clearLine = '\r\u001B[K';

/** @param rate a second */
function speedText(rate: number): string {
  if (rate >= 0.1) return `${rate < 10 ? rate.toFixed(1) : withCommas(Math.round(rate))}/s`;
  if (rate * 3600 >= 1) return `${(rate * 3600).toFixed(1)}/h`;
  return `${Number((rate * 86_400).toPrecision(2))}/day`;
}

/** `0:07`, `1:42`, `2:01:42`, `3 days`. */
export function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const two = (number: number) => String(number).padStart(2, '0');
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${withCommas(Math.ceil(hours / 24))} days`;
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** What goes on as measured, but no faster than the limit. One that is too slow to be measured goes on as the limit says. */
function expectedRate(measured: number, limit: number): number {
  return limit * span < 2000 ? limit : Math.min(measured, limit);
}

/** The most important part first. @param measured targets a second */
function parts(state: ProgressState, measured: number): string[] {
  const {done, failed, total, pausedFor, limit, more = []} = state;
  const rate = limit === undefined ? measured : expectedRate(measured, limit);
  const over = done + failed;
  const whole = withCommas(Math.floor(over));
  const said = [total === undefined ? `${whole} done` : `${whole} of ${withCommas(total)}`];
  if (failed > 0) said.push(`${withCommas(failed)} failed`);
  said.push(...more);
  if (pausedFor !== undefined && pausedFor > 0) said.push(`paused by the server for ${duration(pausedFor)}`);
  if (rate === 0) return said;
  said.push(limit === undefined ? speedText(rate) : `${speedText(rate)} (limited)`);
  if (total !== undefined && over < total) said.push(`${duration(((total - over) / rate) * 1000)} left`);
  return said;
}

/** A line that fits the terminal: the least important parts are left out. */
export function barLine(state: ProgressState, rate: number, width: number): string {
  const said = parts(state, rate);
  while (said.length > 1 && said.join(', ').length > width) said.pop();
  const words = said.join(', ').slice(0, width);
  const room = Math.min(maxBarWidth, width - words.length - 3);
  if (state.total === undefined || state.total === 0 || room < minBarWidth) return words;
  const full = Math.floor((room * Math.min(state.done + state.failed, state.total)) / state.total);
  return `[${'#'.repeat(full)}${'-'.repeat(room - full)}] ${words}`;
}

interface Mark {
  /** Milliseconds. */
  readonly at: number;
  readonly count: number;
}

/** How fast a count grew in the last seconds. */
class Speed {
  #first: Mark;
  #later: Mark[] = [];

  constructor(first: Mark) {
    this.#first = first;
  }

  /** @param last later than the one before @returns how much a second */
  note(last: Mark): number {
    this.#later.push(last);
    // The mark at which the span begins stays.
    while (this.#later[0] !== undefined && this.#later[0].at <= last.at - span) {
      this.#first = this.#later[0];
      this.#later.shift();
    }
    return ((last.count - this.#first.count) / (last.at - this.#first.at)) * 1000;
  }
}

export class Progress implements Disposable {
  readonly #options: ProgressOptions;
  readonly #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;

  /** Starts at once. Disposing of it removes the line. */
  constructor(options: ProgressOptions) {
    this.#options = options;
    if (options.style === 'none') return;
    const speed = new Speed(this.#mark());
    this.#timer = setInterval(() => this.#show(speed.note(this.#mark())), interval[options.style]);
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
  #mark(): Mark {
    const {done, failed, resumed} = this.#options.state();
    return {at: performance.now(), count: done + failed - resumed};
  }

  #show(rate: number): void {
    const {style, write, state, width} = this.#options;
    if (style === 'lines') return write(`${parts(state(), rate).join(', ')}\n`);
    // Some terminals break the line in the last column.
    write(`${clearLine}${barLine(state(), rate, width() - 1)}`);
    this.#isDrawn = true;
  }
}
